//! Memory: which pointers may point where, and how the cells they reach are represented.
//!
//! ```text
//! typed tree ─constraints→ Graph (classes of objects, folded labels) ─regions→ Regions
//! ```
//! A region is a set of cells that no pointer of another region can reach. Cells of one size
//! become either plain variables (few, at fixed addresses) or one array from address to value;
//! cells accessed with different sizes are kept byte by byte.

mod calls;
pub mod constraints;
mod flow;
pub mod regions;
pub mod unify;
