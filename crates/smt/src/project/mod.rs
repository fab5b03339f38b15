//! Projection: formulas over fewer variables.

pub mod bounds;
pub mod elimination;
pub mod implicant;
pub mod projection;
