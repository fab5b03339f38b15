//! Streams and descriptors of a program that runs: the standard ones, and files that it opens.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;

/// The open files.
pub struct Files<'a> {
    out: &'a mut dyn Write,
    stdin: std::io::Stdin,
    open: BTreeMap<i64, File>,
    next: i64,
    /// Names given out for temporary files.
    names: i64,
    /// The stream that the next byte is from.
    stream: i64,
    /// How the last request ended: a number, or that it failed with an error number.
    last: Result<i64, i64>,
}

impl<'a> Files<'a> {
    pub fn new(out: &'a mut dyn Write) -> Files<'a> {
        Files {
            out,
            stdin: std::io::stdin(),
            open: BTreeMap::new(),
            next: 3,
            names: 0,
            stream: 0,
            last: Ok(0),
        }
    }

    pub fn flush(&mut self) {
        let _ = self.out.flush();
    }

    /// What the program writes; a closed stream swallows it.
    pub fn write(&mut self, stream: i64, bytes: &[u8]) {
        let _ = match stream {
            1 => self.out.write_all(bytes),
            2 => std::io::stderr().write_all(bytes),
            _ => match self.open.get_mut(&stream) {
                Some(file) => file.write_all(bytes),
                None => Ok(()),
            },
        };
    }

    /// At most so many bytes.
    pub fn read(&mut self, stream: i64, count: i64) -> Vec<u8> {
        let mut buffer = vec![0; usize::try_from(count).unwrap_or(0).min(1 << 24)];
        let got = match (stream, self.open.get_mut(&stream)) {
            (0, _) => self.stdin.lock().read(&mut buffer),
            (_, Some(file)) => file.read(&mut buffer),
            _ => Ok(0),
        };
        buffer.truncate(got.unwrap_or(0));
        buffer
    }

    fn add(&mut self, file: std::io::Result<File>) {
        self.last = match file {
            Ok(file) => {
                self.open.insert(self.next, file);
                self.next += 1;
                Ok(self.next - 1)
            }
            Err(e) => Err(i64::from(e.raw_os_error().unwrap_or(5))),
        };
    }

    pub fn ask(&mut self, what: &str, numbers: &[i64], texts: &[Vec<u8>]) {
        let number = |i: usize| numbers.get(i).copied().unwrap_or(0);
        let path = |i: usize| {
            let bytes = texts.get(i).cloned().unwrap_or_default();
            PathBuf::from(std::ffi::OsString::from_vec(bytes))
        };
        let error = |e: std::io::Error| i64::from(e.raw_os_error().unwrap_or(5));
        match what {
            "stream" => self.stream = number(0),
            "emit" => self.write(number(0), &[number(1) as u8]),
            "fopen" => {
                let mode = texts.get(1).cloned().unwrap_or_default();
                let file = by_mode(&mode).open(path(0));
                self.add(file);
            }
            "open" => {
                let file = by_flags(number(1)).open(path(0));
                self.add(file);
            }
            "tmpfile" => {
                let name = format!("craig-run-{}-{}", std::process::id(), self.next);
                let path = std::env::temp_dir().join(name);
                let file = by_mode(b"w+").open(&path);
                let _ = std::fs::remove_file(&path);
                self.add(file);
            }
            "close" => {
                let was_open = self.open.remove(&number(0)).is_some() || number(0) < 3;
                self.last = if was_open { Ok(0) } else { Err(EBADF) };
            }
            "remove" => self.last = std::fs::remove_file(path(0)).map(|()| 0).map_err(error),
            "rename" => self.last = std::fs::rename(path(0), path(1)).map(|()| 0).map_err(error),
            "seek" => {
                let to = match number(2) {
                    0 => SeekFrom::Start(number(1).max(0) as u64),
                    1 => SeekFrom::Current(number(1)),
                    _ => SeekFrom::End(number(1)),
                };
                let file = self.open.get_mut(&number(0));
                self.last = file.map_or(Err(29), |f| f.seek(to).map(|n| n as i64).map_err(error));
            }
            "tell" => {
                let file = self.open.get_mut(&number(0));
                let at = file.map(|f| f.stream_position().map(|n| n as i64).map_err(error));
                self.last = at.unwrap_or(Err(29));
            }
            _ => {}
        }
    }

    pub fn answer(&mut self, what: &str) -> Option<i64> {
        Some(match what {
            "stdin" | "file" => match self.read(self.stream, 1).first() {
                Some(&byte) => i64::from(byte),
                None => -1,
            },
            "tmpnam" => {
                self.names += 1;
                (i64::from(std::process::id()) << 8 | (self.names & 0xff)) & 0x7fff_ffff
            }
            "fopen.fails" | "fseek.fails" | "remove.fails" | "rename.fails" | "close.fails" => {
                i64::from(self.last.is_err())
            }
            "fopen.id" | "descriptor" | "ftell" => self.last.unwrap_or(-1),
            "errno" => self.last.err().unwrap_or(5),
            _ => return None,
        })
    }
}

/// The error of a descriptor that is not open.
const EBADF: i64 = 9;

/// How `fopen` opens: `r`, `w+`, `a`, …
fn by_mode(mode: &[u8]) -> OpenOptions {
    let (first, both) = (mode.first(), mode.contains(&b'+'));
    let mut options = OpenOptions::new();
    options.read(both || first == Some(&b'r'));
    match first {
        Some(b'w') => options.write(true).create(true).truncate(true),
        Some(b'a') => options.append(true).create(true),
        _ => options.write(both),
    };
    options
}

/// How `open` opens, by the flags of Linux.
fn by_flags(flags: i64) -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(flags & 3 != 1).write(flags & 3 != 0);
    if flags & 0o2000 != 0 {
        options.append(true);
    }
    if flags & 3 != 0 {
        options.truncate(flags & 0o1000 != 0);
        match (flags & 0o100 != 0, flags & 0o200 != 0) {
            (true, true) => options.create_new(true),
            (create, _) => options.create(create),
        };
    }
    options
}
