//! Property tests of the proof checker and of interpolation.
#![allow(clippy::unwrap_used)]

mod generate;
mod producer;
mod proofs;
