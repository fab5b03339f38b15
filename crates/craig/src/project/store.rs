//! What is remembered between runs: an SQLite database in `.craig/`, in WAL mode, one transaction a
//! result, so that a kill at any moment leaves what was done.
//!
//! Keys are contents. Evidence is kept by the hash of the program that it speaks of and is a claim:
//! the checker judges it again in every run, so neither a damaged row nor another version of Craig
//! can make a wrong answer. An open unit is kept with everything that its being open depends on: the
//! program, version, options and limits. The name of the file has the version of the tables, so
//! versions of Craig with other tables do not meet.
//!
//! A store that cannot be opened, read or written costs time and nothing else.

use super::results::UnitResult;
use super::symbols::Symbols;
use rusqlite::{Connection, OpenFlags, OptionalExtension, params};
use serde_json::Value as Json;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The folder of everything that Craig keeps in a project.
pub const FOLDER: &str = ".craig";
/// The database, with the version of its tables.
pub const DATABASE: &str = "remembered-v1.db";

/// Its tables.
pub(super) const TABLES: &str = "
CREATE TABLE IF NOT EXISTS evidence (program TEXT PRIMARY KEY, verdict TEXT NOT NULL,
  evidence TEXT NOT NULL, version TEXT NOT NULL, seconds REAL NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS open (unit TEXT NOT NULL, key TEXT NOT NULL, time REAL NOT NULL,
  memory INTEGER NOT NULL, result TEXT NOT NULL, PRIMARY KEY (unit, key)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS symbols (text TEXT PRIMARY KEY, symbols TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS latest (unit TEXT PRIMARY KEY, program TEXT NOT NULL,
  earlier TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS pace (unit TEXT PRIMARY KEY, seconds REAL NOT NULL) WITHOUT ROWID;
";

/// Rows that an open unit has at most, two a version.
const MOST_OPEN: u32 = 16;

/// Limits under which a unit stayed open.
#[derive(Clone, Copy, Debug)]
pub struct Tried {
    /// Seconds.
    pub time: f64,
    /// MiB.
    pub memory: u64,
}

/// The store; without a database nothing is remembered.
pub struct Store {
    database: Option<Connection>,
    /// The first thing that went wrong, for the summary.
    trouble: Option<String>,
}

impl Store {
    /// A store that remembers nothing.
    pub fn none() -> Store {
        Store {
            database: None,
            trouble: None,
        }
    }

    /// Opens the store of a project. A database that SQLite does not read is put aside.
    pub fn open(root: &Path) -> Store {
        let folder = root.join(FOLDER);
        let path = folder.join(DATABASE);
        let made = std::fs::create_dir_all(&folder).map_err(|e| e.to_string());
        let _ = std::fs::write(folder.join(".gitignore"), "*\n");
        let opened = made.and_then(|()| connect(&path).map_err(|e| e.to_string()));
        match opened {
            Ok(database) => Store {
                database: Some(database),
                trouble: None,
            },
            Err(why) => Store::put_aside(&path, &why),
        }
    }

    fn put_aside(path: &Path, why: &str) -> Store {
        let aside = path.with_extension("broken");
        let moved = path.exists() && std::fs::rename(path, &aside).is_ok();
        for ending in ["-wal", "-shm"] {
            let mut name = path.as_os_str().to_owned();
            name.push(ending);
            if moved {
                let _ = std::fs::remove_file(PathBuf::from(name));
            }
        }
        Store {
            database: moved.then(|| connect(path).ok()).flatten(),
            trouble: Some(format!("{}: {why}", path.display())),
        }
    }

    /// Opens a copy that nobody writes, as shards on other machines get it; locks of network file
    /// systems are not needed.
    pub fn snapshot(path: &Path) -> Store {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
        let uri = format!("file:{}?immutable=1", path.display());
        match Connection::open_with_flags(uri, flags) {
            Ok(database) => Store {
                database: Some(database),
                trouble: None,
            },
            Err(e) => Store {
                database: None,
                trouble: Some(format!("{}: {e}", path.display())),
            },
        }
    }

    /// Copies what is known of these units into another database with the same tables, for [`Store::snapshot`].
    pub fn copy_rows(&mut self, path: &Path, units: &[&str]) {
        let name = path.display().to_string();
        self.with(|d| {
            d.execute("ATTACH DATABASE ?1 AS other", [name])?;
            let copied = copy_rows(d, units);
            d.execute_batch("DROP TABLE IF EXISTS temp.wanted; DETACH DATABASE other")?;
            copied
        });
    }

    /// What went wrong with the store, once.
    pub fn trouble(&self) -> Option<&str> {
        self.trouble.as_deref()
    }

    /// Reads or writes; what goes wrong is noted and answers `None`.
    fn with<T>(&mut self, work: impl FnOnce(&mut Connection) -> rusqlite::Result<T>) -> Option<T> {
        let done = work(self.database.as_mut()?);
        done.map_err(|e| {
            self.trouble
                .get_or_insert_with(|| format!("the store of remembered results: {e}"));
        })
        .ok()
    }

    /// Evidence about the program with this hash.
    pub fn evidence(&mut self, program: &str) -> Option<Json> {
        let query = "SELECT evidence FROM evidence WHERE program = ?1";
        let text: Option<String> =
            self.with(|d| d.query_row(query, [program], |row| row.get(0)).optional())?;
        serde_json::from_str(&text?).ok()
    }

    /// What the unit was decided by when it last was.
    pub fn earlier(&mut self, unit: &str) -> Option<Json> {
        let query = "SELECT earlier FROM latest WHERE unit = ?1";
        let text: Option<String> =
            self.with(|d| d.query_row(query, [unit], |row| row.get(0)).optional())?;
        serde_json::from_str(&text?).ok()
    }

    /// Forgets evidence that the checker rejected.
    pub fn forget(&mut self, program: &str) {
        self.with(|d| d.execute("DELETE FROM evidence WHERE program = ?1", [program]));
    }

    /// The result of a unit that stayed open with this key and at least these limits.
    pub fn open_result(&mut self, unit: &str, key: &str, now: Tried) -> Option<UnitResult> {
        let query =
            "SELECT result FROM open WHERE unit = ?1 AND key = ?2 AND time >= ?3 AND memory >= ?4";
        let text: Option<String> = self.with(|d| {
            let values = params![unit, key, now.time, now.memory];
            d.query_row(query, values, |row| row.get(0)).optional()
        })?;
        serde_json::from_str(&text?).ok()
    }

    /// Remembers a result, in one transaction; an open one by each of the keys.
    pub fn remember(&mut self, result: &UnitResult, keys: &[&str], tried: Tried) {
        let mut lean = result.clone();
        let (evidence, earlier) = (lean.evidence.take(), lean.earlier.take());
        let version = env!("CARGO_PKG_VERSION");
        let text = serde_json::to_string(&lean).unwrap_or_default();
        self.with(|d| {
            let t = d.transaction()?;
            if let Some(evidence) = &evidence {
                t.execute(
                    "INSERT OR REPLACE INTO evidence VALUES (?1, ?2, ?3, ?4, ?5)",
                    params![
                        lean.program,
                        lean.verdict.as_str(),
                        evidence.to_string(),
                        version,
                        lean.seconds
                    ],
                )?;
                let earlier = earlier.map_or_else(String::new, |e| e.to_string());
                let latest = "INSERT OR REPLACE INTO latest VALUES (?1, ?2, ?3)";
                t.execute(latest, params![lean.unit, lean.program, earlier])?;
            } else if lean.verdict == super::Answer::Unknown {
                // Some versions of a unit are kept, for edits that are taken back and branches that change.
                let tidy = "DELETE FROM open WHERE unit = ?1
                    AND (SELECT count(*) FROM open WHERE unit = ?1) >= ?2";
                t.execute(tidy, params![lean.unit, MOST_OPEN])?;
                // More memory only helps where memory was short.
                let enough = if lean.out_of_memory {
                    tried.memory
                } else {
                    u64::MAX >> 1
                };
                for key in keys {
                    t.execute(
                        "INSERT OR REPLACE INTO open VALUES (?1, ?2, ?3, ?4, ?5)",
                        params![lean.unit, key, tried.time, enough, text],
                    )?;
                }
            }
            let pace = "INSERT OR REPLACE INTO pace VALUES (?1, ?2)";
            t.execute(pace, params![lean.unit, lean.seconds])?;
            t.commit()
        });
    }

    /// Notes which program the unit is now, when its evidence was there already.
    pub fn seen(&mut self, result: &UnitResult) {
        let note = "INSERT INTO latest VALUES (?1, ?2, '') ON CONFLICT (unit) DO UPDATE
            SET program = excluded.program WHERE program <> excluded.program";
        if !result.program.is_empty() {
            self.with(|d| d.execute(note, params![result.unit, result.program]));
        }
    }

    /// How long the unit took when it was last found; long ones are best begun early.
    pub fn pace(&mut self, unit: &str) -> Option<f64> {
        let query = "SELECT seconds FROM pace WHERE unit = ?1";
        self.with(|d| d.query_row(query, [unit], |row| row.get(0)).optional())?
    }

    /// The symbols of a file with this text.
    pub fn symbols(&mut self, text: &str) -> Option<Symbols> {
        let query = "SELECT symbols FROM symbols WHERE text = ?1";
        let found: Option<String> =
            self.with(|d| d.query_row(query, [text], |row| row.get(0)).optional())?;
        // Sound because a damaged row is not used: the link graph hangs on symbols, and no checker
        // sees them again.
        let found = found?;
        let (seal, json) = found.split_once('\n')?;
        if report::sha256(json.as_bytes()) != seal {
            return None;
        }
        serde_json::from_str(json).ok()
    }

    /// Remembers symbols of files, in one transaction.
    pub fn remember_symbols(&mut self, all: &[(&str, &Symbols)]) {
        self.with(|d| {
            let t = d.transaction()?;
            for (text, symbols) in all {
                let json = serde_json::to_string(symbols).unwrap_or_default();
                let sealed = format!("{}\n{json}", report::sha256(json.as_bytes()));
                let insert = "INSERT OR REPLACE INTO symbols VALUES (?1, ?2)";
                t.execute(insert, params![text, sealed])?;
            }
            t.commit()
        });
    }
}

/// What is known of units, from the main database into `other`.
fn copy_rows(d: &mut Connection, units: &[&str]) -> rusqlite::Result<()> {
    let t = d.transaction()?;
    t.execute_batch("CREATE TEMP TABLE wanted (unit TEXT PRIMARY KEY) WITHOUT ROWID")?;
    for unit in units {
        t.execute("INSERT OR IGNORE INTO wanted VALUES (?1)", [unit])?;
    }
    t.execute_batch(
        "INSERT INTO other.latest SELECT l.* FROM main.latest l JOIN wanted USING (unit);
         INSERT INTO other.evidence SELECT * FROM main.evidence
           WHERE program IN (SELECT program FROM other.latest);
         INSERT INTO other.open SELECT o.* FROM main.open o JOIN wanted USING (unit);
         INSERT INTO other.pace SELECT p.* FROM main.pace p JOIN wanted USING (unit);",
    )?;
    t.commit()
}

/// How long a run waits for another run that writes.
const PATIENCE: Duration = Duration::from_secs(30);

fn connect(path: &Path) -> rusqlite::Result<Connection> {
    let database = Connection::open(path)?;
    database.busy_timeout(PATIENCE)?;
    database.pragma_update(None, "journal_mode", "WAL")?;
    database.pragma_update(None, "synchronous", "NORMAL")?;
    database.execute_batch(TABLES)?;
    Ok(database)
}
