//! The theories: congruence closure, linear arithmetic, arrays.

pub mod arith;
pub(crate) mod arrays;
pub(crate) mod euf;
