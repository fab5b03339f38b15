//! The meter of memory in use that budgets look at.
//!
//! A thread reads `/proc/self/statm` a few times a second. Where a limit on address space is set
//! (`ulimit -v`), coming close to it counts as using too much, for a failed allocation would end the
//! process without a verdict. On systems without `/proc` there is no meter and no memory limit.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

const PAGE: u64 = 4096;

/// Starts the meter; it runs until the process ends or nobody else holds it.
pub fn start_meter() -> Arc<AtomicU64> {
    let meter = Arc::new(AtomicU64::new(0));
    let weak = Arc::downgrade(&meter);
    let ceiling = address_space_limit().map(|l| l - l / 8);
    std::thread::spawn(move || {
        while let Some(meter) = weak.upgrade() {
            let Some((size, resident)) = usage() else {
                return;
            };
            let close = ceiling.is_some_and(|c| size > c);
            meter.store(if close { u64::MAX } else { resident }, Ordering::Relaxed);
            drop(meter);
            std::thread::sleep(Duration::from_millis(50));
        }
    });
    meter
}

/// Bytes of address space and of memory in use.
pub fn usage() -> Option<(u64, u64)> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let mut numbers = text.split_whitespace().map(|w| w.parse::<u64>());
    let size = numbers.next()?.ok()?;
    let resident = numbers.next()?.ok()?;
    Some((size * PAGE, resident * PAGE))
}

/// What `ulimit -v` allows, if anything is set.
pub fn address_space_limit() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/limits").ok()?;
    let line = text.lines().find(|l| l.starts_with("Max address space"))?;
    line.split_whitespace().nth(3)?.parse().ok()
}

/// The limit when the user names none: three quarters of the machine's memory.
pub fn default_limit() -> Option<u64> {
    Some(of_machine("MemTotal:")? / 4 * 3)
}

/// Bytes that the machine can give without taking them from others.
pub fn available() -> Option<u64> {
    of_machine("MemAvailable:")
}

fn of_machine(what: &str) -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find(|l| l.starts_with(what))?;
    let kib: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kib * 1024)
}
