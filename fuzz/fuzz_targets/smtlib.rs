//! `cargo +nightly fuzz run smtlib`: any bytes as an SMT-LIB script.
#![no_main]

#[path = "../checks.rs"]
mod checks;

libfuzzer_sys::fuzz_target!(|data: &[u8]| checks::script(data));
