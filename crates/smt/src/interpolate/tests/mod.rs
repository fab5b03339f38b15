//! Property tests of the proof checker and of interpolation.
#![allow(clippy::unwrap_used)]

mod arrays;
mod generate;
mod long;
mod mixed;
mod producer;
mod programs;
mod proofs;
mod residues;
mod solver;
