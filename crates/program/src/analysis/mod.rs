//! What is known of a program without changing it: shapes of functions, live variables, what functions
//! read and write.

pub mod liveness;
pub mod modref;
pub mod reads;
pub mod shape;
