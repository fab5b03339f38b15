//! All cores: as many workers as jobs, each takes the next unit when it is done with one, callees
//! before callers and long ones (as far as the store knows) first. Each result is remembered at once.
//!
//! Memory is divided: a worker may use its share. A unit that runs out of it is tried again at the
//! end, alone, with all of it; so nothing is killed and nothing is open for want of memory that there
//! was.

use super::plan::{Plan, Unit, UnitKind};
use super::process::{Known, Knows, Launcher, Worker};
use super::protocol::{Job, JobText};
use super::results::{Origin, UnitResult};
use super::store::{Store, Tried};
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// How a run works.
pub struct Schedule<'a> {
    /// How to start a worker.
    pub launcher: &'a Launcher,
    /// Workers at a time.
    pub jobs: usize,
    /// Seconds a unit.
    pub time: f64,
    /// Bytes for all workers.
    pub memory: u64,
    /// What an open unit depends on besides its texts: options and the build.
    pub settings: &'a str,
    /// The folder for the units' pages.
    pub pages: Option<PathBuf>,
    /// Results keep their evidence when the store has it.
    pub keeps_evidence: bool,
    /// Ends the run when somebody raises it.
    pub cancelled: &'a AtomicBool,
}

/// What happens in a run.
pub enum Event<'a> {
    /// A worker begins with a unit.
    Begins(&'a str),
    /// A unit has a result.
    Ends(&'a UnitResult),
}

/// Who hears of events.
pub type OnEvent<'a> = dyn Fn(&Event<'_>) + Sync + 'a;

struct Shared<'a, 's> {
    store: Mutex<&'s mut Store>,
    schedule: &'a Schedule<'a>,
    plan: &'a Plan,
    on_event: &'a OnEvent<'a>,
}

impl Knows for Shared<'_, '_> {
    fn known(&self, job: &Job, program: &str) -> Known {
        let Ok(mut store) = self.store.lock() else {
            return Known::Evidence(None, None);
        };
        let tried = Tried {
            time: job.time,
            memory: job.memory >> 20,
        };
        let key = program_key(program, self.schedule.settings);
        match store.open_result(&job.unit, &key, tried) {
            Some(mut result) => {
                result.origin = Origin::Remembered;
                Known::Open(Box::new(result))
            }
            None => match store.evidence(program) {
                Some(evidence) => Known::Evidence(Some(evidence), None),
                None => Known::Evidence(None, store.earlier(&job.unit)),
            },
        }
    }

    fn rejected(&self, program: &str) {
        if let Ok(mut store) = self.store.lock() {
            store.forget(program);
        }
    }
}

/// Checks the chosen units of the plan. Results are in the order of the units; units that a
/// cancelled run did not get to are missing.
pub fn run(
    plan: &Plan,
    chosen: &[usize],
    schedule: &Schedule<'_>,
    store: &mut Store,
    on_event: &OnEvent<'_>,
) -> Vec<UnitResult> {
    let order = order(plan, chosen, store);
    let shared = Shared {
        store: Mutex::new(store),
        schedule,
        plan,
        on_event,
    };
    let share = schedule.memory / schedule.jobs.max(1) as u64;
    let mut results = shared.round(&order, schedule.jobs, share);
    if schedule.jobs > 1 {
        let short = |(unit, r): &(usize, UnitResult)| r.out_of_memory.then_some(*unit);
        let again: Vec<usize> = results.iter().filter_map(short).collect();
        for (unit, result) in shared.round(&again, 1, schedule.memory) {
            if let Some(old) = results.iter_mut().find(|(u, _)| *u == unit) {
                old.1 = result;
            }
        }
    }
    results.sort_by_key(|(unit, _)| *unit);
    results.into_iter().map(|(_, r)| r).collect()
}

/// Callees first; within a level what took long first, then by name.
fn order(plan: &Plan, chosen: &[usize], store: &mut Store) -> Vec<usize> {
    let mut keyed: Vec<(usize, f64, usize)> = chosen
        .iter()
        .map(|&u| {
            let unit = &plan.units[u];
            (unit.level, store.pace(&unit.name).unwrap_or(f64::MAX), u)
        })
        .collect();
    keyed.sort_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)).then(a.2.cmp(&b.2)));
    keyed.into_iter().map(|(.., u)| u).collect()
}

impl Shared<'_, '_> {
    /// One pass over units with so many workers and so much memory for each.
    fn round(&self, units: &[usize], jobs: usize, memory: u64) -> Vec<(usize, UnitResult)> {
        let queue = Mutex::new(units.iter().copied());
        let done = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            for _ in 0..jobs.min(units.len()).max(1) {
                scope.spawn(|| {
                    let mut worker = Worker::new(self.schedule.launcher);
                    while !self.schedule.cancelled.load(Ordering::Relaxed) {
                        let Some(unit) = queue.lock().ok().and_then(|mut q| q.next()) else {
                            break;
                        };
                        let Some(result) = self.one(&mut worker, unit, memory) else {
                            break;
                        };
                        (self.on_event)(&Event::Ends(&result));
                        if let Ok(mut done) = done.lock() {
                            done.push((unit, result));
                        }
                    }
                });
            }
        });
        done.into_inner()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// One unit: from the store if it stayed open before, else by a worker.
    fn one(&self, worker: &mut Worker<'_>, unit: usize, memory: u64) -> Option<UnitResult> {
        let start = Instant::now();
        let tried = Tried {
            time: self.schedule.time,
            memory: memory >> 20,
        };
        let name = &self.plan.units[unit].name;
        let key = unit_key(self.plan, unit, self.schedule.settings);
        let open = self.store.lock().ok()?.open_result(name, &key, tried);
        if let Some(mut result) = open {
            result.origin = Origin::Remembered;
            result.seconds = start.elapsed().as_secs_f64();
            return Some(result);
        }
        (self.on_event)(&Event::Begins(name));
        let job = self.job(unit, memory);
        let mut result = worker.check(&job, self, self.schedule.cancelled)?;
        if result.origin.is_new()
            && !result.lost
            && let Ok(mut store) = self.store.lock()
        {
            let again = program_key(&result.program, self.schedule.settings);
            store.remember(&result, &[&key, &again], tried);
        } else if result.origin == Origin::Rechecked
            && let Ok(mut store) = self.store.lock()
        {
            store.seen(&result);
        }
        if result.origin == Origin::Remembered {
            result.seconds = start.elapsed().as_secs_f64();
        }
        if !self.schedule.keeps_evidence {
            (result.evidence, result.earlier) = (None, None);
        }
        Some(result)
    }

    fn job(&self, unit: usize, memory: u64) -> Job {
        let plan = self.plan;
        let unit = &plan.units[unit];
        let files = || unit.files.iter().map(|&f| &plan.files[f]);
        let (entry, function) = match &unit.kind {
            UnitKind::Program(entry) => (entry.clone(), None),
            UnitKind::Function(name) => (None, Some(name.clone())),
        };
        let text = |f: &super::plan::PlannedFile| JobText {
            name: f.name.clone(),
            text: f.text.clone(),
            preprocessed: f.preprocessed.clone(),
        };
        Job {
            unit: unit.name.clone(),
            texts: files().map(text).collect(),
            bits32: files().any(|f| f.bits32),
            entry,
            function,
            time: self.schedule.time,
            memory,
            page: self
                .schedule
                .pages
                .as_ref()
                .map(|p| p.join(page_name(&unit.name))),
        }
    }
}

/// What an open unit depends on: what it can reach of the texts that the front end sees, options and the build.
pub fn unit_key(plan: &Plan, unit: usize, settings: &str) -> String {
    let unit = &plan.units[unit];
    if unit.part.is_empty() {
        return whole_key(unit, plan, settings);
    }
    let key = format!("{settings}\n{:?}\n{}\n", unit.kind, unit.part);
    report::sha256(key.as_bytes())
}

/// What a unit and its reports depend on: all of its texts, options and the build.
pub fn whole_key(unit: &Unit, plan: &Plan, settings: &str) -> String {
    let mut key = format!("{settings}\n{:?}\n", unit.kind);
    for &f in &unit.files {
        key += &plan.files[f].hash;
        key.push('\n');
    }
    report::sha256(key.as_bytes())
}

/// What an open unit depends on, whatever else its files hold: its program, options and the build.
pub fn program_key(program: &str, settings: &str) -> String {
    report::sha256(format!("program\n{settings}\n{program}\n").as_bytes())
}

/// The file of a unit's page.
pub fn page_name(unit: &str) -> String {
    let plain = |c: char| {
        if c.is_ascii_alphanumeric() || "._-".contains(c) {
            c
        } else {
            '_'
        }
    };
    let hash = &report::sha256(unit.as_bytes())[..8];
    format!(
        "{}-{hash}.html",
        unit.chars().map(plain).collect::<String>()
    )
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// A worker that answers by itself: units named `big` need more than 100 bytes.
    const WORKER: &str = r#"while read -r line; do
        unit=${line#*\"unit\":\"}; unit=${unit%%\"*}; memory=${line##*\"memory\":}; memory=${memory%%,*}
        short=false; case $unit in big*) [ "$memory" -gt 100 ] || short=true;; esac
        verdict=safe; if $short; then verdict=unknown; fi
        echo "{\"result\":{\"unit\":\"$unit\",\"files\":[],\"verdict\":\"$verdict\",\"origin\":\"found\",\"seconds\":0,\"memory_mib\":0,\"program\":\"\",\"out_of_memory\":$short}}"
    done"#;

    fn plan(units: &[(&str, usize)]) -> Plan {
        let unit = |(name, level): &(&str, usize)| Unit {
            name: (*name).to_string(),
            kind: UnitKind::Function((*name).to_string()),
            files: Vec::new(),
            level: *level,
            part: String::new(),
        };
        Plan {
            units: units.iter().map(unit).collect(),
            ..Plan::default()
        }
    }

    #[test]
    fn callees_come_first_and_memory_is_shared() {
        let plan = plan(&[("a", 2), ("big", 0), ("c", 1), ("d", 1)]);
        let launcher = Launcher {
            program: "sh".into(),
            arguments: vec!["-c".into(), WORKER.into()],
        };
        for jobs in [1, 2] {
            let schedule = Schedule {
                launcher: &launcher,
                jobs,
                time: 60.0,
                memory: 150 * jobs as u64 / 2,
                settings: "",
                pages: None,
                keeps_evidence: false,
                cancelled: &AtomicBool::new(false),
            };
            let events = Mutex::new(Vec::new());
            let hear = |event: &Event<'_>| {
                if let Event::Begins(unit) = event {
                    events.lock().unwrap().push((*unit).to_string());
                }
            };
            let chosen = [0, 1, 2, 3];
            let results = run(&plan, &chosen, &schedule, &mut Store::none(), &hear);
            let verdicts: Vec<_> = results.iter().map(|r| r.verdict.as_str()).collect();
            let order = events.into_inner().unwrap().join(" ");
            match jobs {
                // There is no more memory than it had.
                1 => {
                    assert_eq!(verdicts, ["safe", "unknown", "safe", "safe"]);
                    assert_eq!(order, "big c d a");
                }
                // Half of it was too little: again at the end, alone, with all.
                _ => {
                    assert_eq!(verdicts, ["safe"; 4]);
                    assert!(
                        order.starts_with("big c ") && order.ends_with(" big"),
                        "{order}"
                    );
                }
            }
        }
    }
}
