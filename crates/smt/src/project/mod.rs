//! Projection: formulas over fewer variables.

pub mod elimination;
