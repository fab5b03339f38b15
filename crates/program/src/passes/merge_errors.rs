//! One error location per function: all edges into error locations lead to the first of them, so that
//! the loop-free region before them is encoded once and not once per assertion. All ids stay. Which
//! assertion failed is the replay's to say.

use super::Transformed;
use super::back_translation::{Leg, Place};
use crate::{FuncId, LocId, Program};
use base::FxHashMap;

/// Leads all edges into error locations of a function to one of them.
pub fn merge_errors(mut program: Program) -> Transformed {
    let mut leg = Leg::of(&program);
    let mut target: FxHashMap<FuncId, LocId> = FxHashMap::default();
    for loc in program.error_locations() {
        let first = *target.entry(program.locations[loc].func).or_insert(loc);
        if first != loc {
            // Never reached any more: what holds here says nothing of the error.
            leg.set_location(loc, Place::Within(loc));
        }
    }
    for edge in program.edges.iter_mut() {
        let to = &program.locations[edge.to];
        if to.error.is_some() {
            edge.to = target[&to.func];
        }
    }
    Transformed::new(program, leg)
}
