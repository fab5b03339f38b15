//! What the modular engines (trace, whale) share: programs whose functions interact by values only,
//! function bodies as formulas, and contracts.

pub mod bodies;
pub mod contracts;
pub mod given;
pub mod guess;
#[cfg(test)]
mod tests;
pub mod values;
