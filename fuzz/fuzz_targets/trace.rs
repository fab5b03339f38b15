//! `cargo +nightly fuzz run trace`: any bytes as calls of the solver.
#![no_main]

#[path = "../checks.rs"]
mod checks;

libfuzzer_sys::fuzz_target!(|data: &[u8]| checks::trace(data));
