//! What is known of a program without changing it: shapes of functions, calls, live variables, what
//! functions read and write.

pub mod addresses;
pub mod boxes;
pub mod call_graph;
pub mod cells;
pub mod environment;
pub mod features;
pub mod liveness;
pub mod modref;
pub mod reads;
pub mod shape;
