//! A plan as a file: made once, then read by every part of a run on other machines and by the merge. Parts neither
//! look for sources nor preprocess; each reads the units that are dealt to it, the texts of their files, and what is
//! remembered of them, and nothing else.
//!
//! The file is a database that nobody writes any more, so that a thousand parts can read it over a network file
//! system without locks. Units are rows by their place in the plan, which is also how they are dealt. The rows of the
//! store are in it under the store's own names ([`Store::snapshot`] opens them).
//!
//! Sound because a text that is not the one planned is refused: texts are held against their hashes, units against
//! their own.

use super::plan::{Plan, PlannedFile, Unit};
use super::shards::Shard;
use super::store::Store;
use super::{Prepared, Request};
use crate::Error;
use rusqlite::{Connection, OpenFlags, OptionalExtension, params};
use serde_json::json;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const FORMAT: &str = "craig-plan-1";

const TABLES: &str = "
CREATE TABLE head (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE units (place INTEGER PRIMARY KEY, unit TEXT NOT NULL, seal TEXT NOT NULL);
CREATE TABLE files (file INTEGER PRIMARY KEY, name TEXT NOT NULL, bits32 INTEGER NOT NULL,
  hash TEXT NOT NULL, text TEXT NOT NULL, preprocessed TEXT, seal TEXT NOT NULL);
";

/// Writes the plan and what the store knows of its units; the file is there whole or not at all.
pub fn write(path: &Path, prepared: &Prepared, store: &mut Store) -> Result<(), Error> {
    let mut unfinished = path.as_os_str().to_owned();
    unfinished.push(format!(".{}.part", std::process::id()));
    let unfinished = PathBuf::from(unfinished);
    let _ = std::fs::remove_file(&unfinished);
    let wrong = |e: &dyn std::fmt::Display| Error::Message(format!("{}: {e}", path.display()));
    written(&unfinished, prepared).map_err(|e| wrong(&e))?;
    let plan = &prepared.plan;
    let names: Vec<&str> = prepared
        .chosen
        .iter()
        .map(|&u| plan.units[u].name.as_str())
        .collect();
    // Without these rows parts look for themselves.
    store.copy_rows(&unfinished, &names);
    std::fs::rename(&unfinished, path).map_err(|e| wrong(&e))
}

fn written(path: &Path, prepared: &Prepared) -> rusqlite::Result<()> {
    let plan = &prepared.plan;
    let mut database = Connection::open(path)?;
    // A file that is not finished is of no use: nothing has to survive a crash.
    database.pragma_update(None, "journal_mode", "OFF")?;
    database.pragma_update(None, "synchronous", "OFF")?;
    database.execute_batch(TABLES)?;
    database.execute_batch(super::store::TABLES)?;
    let t = database.transaction()?;
    let problems = json!(plan.problems).to_string();
    let head = [
        ("format", FORMAT.to_string()),
        ("hash", prepared.hash.clone()),
        ("settings", report::sha256(prepared.settings.as_bytes())),
        ("count", prepared.chosen.len().to_string()),
        ("problems", problems),
    ];
    for (name, value) in head {
        t.execute("INSERT INTO head VALUES (?1, ?2)", params![name, value])?;
    }
    let mut used = vec![false; plan.files.len()];
    for (place, &u) in prepared.chosen.iter().enumerate() {
        let unit = &plan.units[u];
        unit.files.iter().for_each(|&f| used[f] = true);
        let text = serde_json::to_string(unit).unwrap_or_default();
        let seal = report::sha256(text.as_bytes());
        t.execute(
            "INSERT INTO units VALUES (?1, ?2, ?3)",
            params![place as i64, text, seal],
        )?;
    }
    for (f, file) in plan.files.iter().enumerate().filter(|(f, _)| used[*f]) {
        let insert = "INSERT INTO files VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
        let row = params![
            f as i64,
            file.name,
            file.bits32,
            file.hash,
            file.text,
            file.preprocessed,
            seal(file)
        ];
        t.execute(insert, row)?;
    }
    t.commit()
}

fn seal(file: &PlannedFile) -> String {
    let seen = file.preprocessed.as_deref().unwrap_or_default();
    let all = format!(
        "{}\n{}\n{}\n{}\n{seen}",
        file.name, file.bits32, file.hash, file.text
    );
    report::sha256(all.as_bytes())
}

/// Reads the part of the plan that the request is for; without a part the units alone, for a merge.
pub fn read(path: &Path, request: &Request) -> Result<Prepared, Error> {
    let wrong = |e: &dyn std::fmt::Display| Error::Message(format!("{}: {e}", path.display()));
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
    let uri = format!("file:{}?immutable=1", path.display());
    let database = Connection::open_with_flags(uri, flags).map_err(|e| wrong(&e))?;
    let head = |name: &str| -> Result<String, Error> {
        let query = "SELECT value FROM head WHERE name = ?1";
        let found = database
            .query_row(query, [name], |row| row.get(0))
            .optional();
        found
            .map_err(|e| wrong(&e))?
            .ok_or_else(|| wrong(&format!("this is no {FORMAT}")))
    };
    if head("format")? != FORMAT {
        return Err(wrong(&format!("this is no {FORMAT}")));
    }
    let settings = super::settings(request);
    if head("settings")? != report::sha256(settings.as_bytes()) {
        return Err(wrong(
            &"this plan was made with other options or another build of Craig",
        ));
    }
    let count: usize = head("count")?.parse().map_err(|e| wrong(&e))?;
    let mut prepared = Prepared {
        plan: Plan::default(),
        chosen: Vec::new(),
        mine: Vec::new(),
        hash: head("hash")?,
        settings,
    };
    let problems = serde_json::from_str(&head("problems")?);
    prepared.plan.problems = problems.map_err(|e| wrong(&e))?;
    units(&database, &mut prepared.plan, count, request.shard).map_err(|e| wrong(&e))?;
    prepared.chosen = (0..prepared.plan.units.len()).collect();
    prepared.mine.clone_from(&prepared.chosen);
    Ok(prepared)
}

/// The units of a part and their files.
fn units(
    database: &Connection,
    plan: &mut Plan,
    count: usize,
    shard: Option<Shard>,
) -> Result<(), String> {
    let places: Vec<usize> = (0..count).collect();
    let places = shard.map_or_else(|| places.clone(), |s| s.choose(&places));
    let mut query = database
        .prepare("SELECT unit, seal FROM units WHERE place = ?1")
        .map_err(|e| e.to_string())?;
    let damaged = |what: &str| format!("a row is damaged: {what}");
    for place in places {
        let row = query.query_row([place as i64], |row| Ok((row.get(0)?, row.get(1)?)));
        let (text, seal): (String, String) = row.map_err(|e| e.to_string())?;
        if report::sha256(text.as_bytes()) != seal {
            return Err(damaged(&text));
        }
        let unit: Unit = serde_json::from_str(&text).map_err(|e| e.to_string())?;
        plan.units.push(unit);
    }
    // Files get numbers of their own.
    let mut number: BTreeMap<usize, usize> = BTreeMap::new();
    let columns = match shard {
        Some(_) => "text, preprocessed, seal",
        None => "'', NULL, ''",
    };
    let query = format!("SELECT name, bits32, hash, {columns} FROM files WHERE file = ?1");
    let mut query = database.prepare(&query).map_err(|e| e.to_string())?;
    for unit in &mut plan.units {
        for f in &mut unit.files {
            if let Some(known) = number.get(f) {
                *f = *known;
                continue;
            }
            let row = query.query_row([*f as i64], |row| {
                let file = PlannedFile {
                    name: row.get(0)?,
                    bits32: row.get(1)?,
                    hash: row.get(2)?,
                    text: row.get(3)?,
                    preprocessed: row.get(4)?,
                    ..PlannedFile::default()
                };
                Ok((file, row.get::<_, String>(5)?))
            });
            let (file, sealed) = row.map_err(|e| e.to_string())?;
            if shard.is_some() && seal(&file) != sealed {
                return Err(damaged(&file.name));
            }
            number.insert(*f, plan.files.len());
            *f = plan.files.len();
            plan.files.push(file);
        }
    }
    Ok(())
}
