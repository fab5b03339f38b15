//! What every crate of Craig stands on and what knows nothing of logic or programs: typed ids and
//! vectors indexed by them, budgets of time and work, turns between threads, random numbers, hash maps, maps that copies
//! share, deep stacks.

#![forbid(unsafe_code)]

mod budget;
mod index;
mod random;
mod stack;
mod trie;
mod turns;
mod work;

pub use budget::{Budget, Stop};
pub use index::{Id, IndexVec};
pub use random::Random;
pub use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
pub use stack::{deep_stack, deep_thread};
pub use trie::Trie;
pub use turns::{Turn, Turns, Worker};
pub use work::Work;
