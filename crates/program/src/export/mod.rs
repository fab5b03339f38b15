//! Programs as others read them: Horn clauses and graphs.

pub mod chc;
pub mod dot;
