//! The formats of `printf` and `scanf`: which functions take one, and its parts.

/// Where the characters go or come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// To a stream.
    Print(Target),
    /// To memory: the argument with the place, the one with the room.
    Write { to: usize, limit: Option<usize> },
    /// To new memory, whose address goes where the first argument points.
    Allocate,
    /// From a stream.
    Scan,
    /// From the first argument.
    ScanText,
}

/// The stream of a function that prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    Standard,
    /// The argument with the stream, or with its number.
    Stream(usize),
    Descriptor(usize),
    /// A log that nobody sees.
    Elsewhere,
}

/// A function of the families.
#[derive(Clone, Copy, Debug)]
pub struct Family {
    pub format: usize,
    pub form: Form,
    pub wide: bool,
    pub scans: bool,
}

const fn row(format: usize, form: Form, wide: bool) -> Family {
    let scans = matches!(form, Form::Scan | Form::ScanText);
    Family {
        format,
        form,
        wide,
        scans,
    }
}

/// To the first argument, with room in another or none known.
const fn to_first(limit: Option<usize>) -> Form {
    Form::Write { to: 0, limit }
}

/// The functions by name; one row each.
#[rustfmt::skip]
const FAMILIES: &[(&str, Family)] = &[
    ("printf", row(0, Form::Print(Target::Standard), false)),
    ("printk", row(0, Form::Print(Target::Elsewhere), false)),
    ("fprintf", row(1, Form::Print(Target::Stream(0)), false)),
    ("dprintf", row(1, Form::Print(Target::Descriptor(0)), false)),
    ("wprintf", row(0, Form::Print(Target::Standard), true)),
    ("fwprintf", row(1, Form::Print(Target::Stream(0)), true)),
    ("syslog", row(1, Form::Print(Target::Elsewhere), false)),
    ("__printf_chk", row(1, Form::Print(Target::Standard), false)),
    ("__fprintf_chk", row(2, Form::Print(Target::Stream(0)), false)),
    ("sprintf", row(1, to_first(None), false)),
    ("snprintf", row(2, to_first(Some(1)), false)),
    ("swprintf", row(2, to_first(Some(1)), true)),
    ("__sprintf_chk", row(3, to_first(None), false)),
    ("__snprintf_chk", row(4, to_first(Some(1)), false)),
    ("scanf", row(0, Form::Scan, false)),
    ("fscanf", row(1, Form::Scan, false)),
    ("wscanf", row(0, Form::Scan, true)),
    ("fwscanf", row(1, Form::Scan, true)),
    ("sscanf", row(1, Form::ScanText, false)),
    ("asprintf", row(1, Form::Allocate, false)),
    ("__asprintf_chk", row(2, Form::Allocate, false)),
];

/// The family of a function, also under the names that headers and compilers give it.
pub fn family(name: &str) -> Option<Family> {
    let name = name.strip_prefix("__builtin_").unwrap_or(name);
    let name = name.strip_prefix("__isoc99_").unwrap_or(name);
    let name = name.strip_prefix("__isoc23_").unwrap_or(name);
    let found = FAMILIES.iter().find(|(n, _)| *n == name);
    found.map(|(_, f)| *f)
}

/// A part of a format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    Text(Vec<u32>),
    /// White space of `scanf`.
    Space,
    Conversion(Conversion),
}

/// `%-08.3ld`
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Conversion {
    /// 1 left, 2 zero, 4 plus, 8 space, 16 alternative.
    pub flags: u8,
    /// `Some(None)`: given by an argument.
    pub width: Option<Option<i64>>,
    pub precision: Option<Option<i64>>,
    pub length: Vec<u8>,
    pub letter: u8,
    /// `%*d` of `scanf`.
    pub suppressed: bool,
    /// The characters of `%[…]`, ranges written out; all others if `inverted`.
    pub set: Vec<u32>,
    pub inverted: bool,
}

impl Piece {
    /// How many arguments it takes.
    pub fn arguments(&self) -> usize {
        match self {
            Piece::Conversion(c) => {
                let star = |m: Option<Option<i64>>| usize::from(m == Some(None));
                star(c.width) + star(c.precision) + usize::from(!c.suppressed)
            }
            _ => 0,
        }
    }

    pub fn letter(&self) -> u8 {
        match self {
            Piece::Conversion(c) => c.letter,
            _ => 0,
        }
    }

    /// Characters of plain text.
    pub fn length(&self) -> usize {
        match self {
            Piece::Text(t) => t.len(),
            _ => 0,
        }
    }
}

impl Conversion {
    pub fn is_long(&self) -> bool {
        self.length == b"l"
    }

    /// The most characters that `scanf` takes.
    pub fn scan_width(&self) -> i64 {
        match (self.width, self.letter) {
            (Some(Some(n)), _) if n > 0 => n,
            (_, b'c' | b'C') => 1,
            _ => i64::from(i32::MAX),
        }
    }

    /// The part of the models that stores an item from a stream, and whether it takes the width.
    pub fn stream_part(&self) -> (&'static str, bool) {
        match self.letter {
            b's' | b'[' if self.is_long() => ("craig_scan_wide", true),
            b's' => ("craig_scan_text", true),
            b'[' => ("craig_scan_set", true),
            b'c' if self.is_long() => ("craig_scan_wide_chars", true),
            b'c' => ("craig_scan_chars", true),
            b'n' => match self.length.as_slice() {
                b"hh" => ("craig_scan_count_char", false),
                b"h" => ("craig_scan_count_short", false),
                b"l" | b"z" | b"t" => ("craig_scan_count_long", false),
                b"ll" | b"j" | b"q" | b"L" => ("craig_scan_count_llong", false),
                _ => ("craig_scan_count", false),
            },
            b'p' => ("craig_scan_pointer", false),
            b'f' | b'e' | b'g' | b'a' | b'F' | b'E' | b'G' | b'A' => match self.length.as_slice() {
                b"l" => ("craig_scan_double", false),
                b"L" => ("craig_scan_ldouble", false),
                _ => ("craig_scan_float", false),
            },
            _ => match self.length.as_slice() {
                b"hh" => ("craig_scan_char", false),
                b"h" => ("craig_scan_short", false),
                b"l" | b"z" | b"t" => ("craig_scan_long", false),
                b"ll" | b"j" | b"q" | b"L" => ("craig_scan_llong", false),
                _ => ("craig_scan_int", false),
            },
        }
    }
}

/// The parts of a format, `None` where it is none that C knows.
pub fn pieces(text: &[u32], scans: bool) -> Option<Vec<Piece>> {
    let mut out: Vec<Piece> = Vec::new();
    let mut rest = text;
    let space = |u: u32| u == 32 || (9..=13).contains(&u);
    while let Some((&u, tail)) = rest.split_first() {
        if u == u32::from(b'%') && tail.first() != Some(&u32::from(b'%')) {
            let (conversion, after) = conversion(tail, scans)?;
            out.push(Piece::Conversion(conversion));
            rest = after;
            continue;
        }
        rest = if u == u32::from(b'%') {
            if scans && !matches!(out.last(), Some(Piece::Space)) {
                // `%%` skips space before it, as most conversions do.
                out.push(Piece::Space);
            }
            &tail[1..]
        } else {
            tail
        };
        match (out.last_mut(), scans && space(u)) {
            (Some(Piece::Space), true) => {}
            (_, true) => out.push(Piece::Space),
            (Some(Piece::Text(t)), false) => t.push(u),
            (_, false) => out.push(Piece::Text(vec![u])),
        }
    }
    Some(out)
}

fn conversion(text: &[u32], scans: bool) -> Option<(Conversion, &[u32])> {
    let mut c = Conversion::default();
    let mut at = 0;
    let peek = |at: usize| text.get(at).and_then(|&u| u8::try_from(u).ok());
    while let Some(bit) = peek(at).and_then(|b| b"-0+ #".iter().position(|&f| f == b)) {
        if scans {
            break;
        }
        c.flags |= 1 << bit;
        at += 1;
    }
    if scans && peek(at) == Some(b'*') {
        c.suppressed = true;
        at += 1;
    }
    c.width = measure(text, &mut at);
    if peek(at) == Some(b'.') {
        at += 1;
        c.precision = Some(measure(text, &mut at).unwrap_or(Some(0)));
    }
    while let Some(b) = peek(at).filter(|b| b"hlLqjzt".contains(b)) {
        c.length.push(b);
        at += 1;
    }
    c.letter = peek(at)?;
    at += 1;
    if let b'C' | b'S' = c.letter {
        c.letter = c.letter.to_ascii_lowercase();
        c.length = b"l".to_vec();
    }
    if c.letter == b'[' && scans {
        // The set: `]` may come first.
        c.inverted = peek(at) == Some(b'^');
        at += usize::from(c.inverted);
        let first = at;
        at += 1;
        while peek(at)? != b']' {
            at += 1;
        }
        c.set = written_out(&text[first..at]);
        at += 1;
    }
    let known = b"diouxXcsCSpnfFeEgGaA".contains(&c.letter) || scans && c.letter == b'[';
    known.then(|| (c, &text[at..]))
}

/// The characters of a set, ranges as `a-z` with all of theirs.
fn written_out(text: &[u32]) -> Vec<u32> {
    let mut out = Vec::new();
    let mut i = 0;
    while let Some(&u) = text.get(i) {
        match text.get(i + 1..i + 3) {
            Some(&[dash, last]) if dash == u32::from(b'-') && last >= u && last - u < 256 => {
                out.extend(u..=last);
                i += 3;
            }
            _ => {
                out.push(u);
                i += 1;
            }
        }
    }
    out
}

fn measure(text: &[u32], at: &mut usize) -> Option<Option<i64>> {
    if text.get(*at) == Some(&u32::from(b'*')) {
        *at += 1;
        return Some(None);
    }
    let mut n: Option<i64> = None;
    while let Some(d) = text.get(*at).and_then(|&u| char::from_u32(u)?.to_digit(10)) {
        n = Some((n.unwrap_or(0) * 10 + i64::from(d)).min(1 << 40));
        *at += 1;
    }
    n.map(Some)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn read(text: &str, scans: bool) -> Vec<Piece> {
        let units: Vec<u32> = text.chars().map(u32::from).collect();
        pieces(&units, scans).unwrap()
    }

    #[test]
    fn parts_of_formats() {
        let list = read("a%%%-08.3ld|%.*s", false);
        assert_eq!(list.len(), 4);
        assert_eq!(list[0].length(), 2);
        let Piece::Conversion(c) = &list[1] else {
            panic!("a conversion")
        };
        assert_eq!((c.flags, c.width, c.letter), (3, Some(Some(8)), b'd'));
        assert_eq!(list[3].arguments(), 2);
        let list = read(" %*d %3[a-z]x", true);
        assert_eq!(list.iter().map(Piece::arguments).sum::<usize>(), 1);
        assert_eq!(list[3].letter(), b'[');
        let list = read("%[^a-c]]", true);
        let Piece::Conversion(c) = &list[0] else {
            panic!("a conversion")
        };
        assert_eq!((c.set.len(), c.inverted), (3, true));
    }
}
