//! Calls: a callee sees what its arguments and globals lead to; the rest of the caller's state waits.
//!
//! ```text
//!   t -> [ node ] -> left: [ tree ]        before    left = insert(t->left)
//!                \-> right: [ tree ]
//!   the callee begins with     t' -> [ tree ], old t' -> [ tree ]
//!   what waits is              t -> [ node ] -> left: old t', right: [ tree ]
//! ```
//! Recursive functions are executed once for every state that they are entered with (as general as at a loop head), and
//! end in a set of states; a call goes on with each of these, put together with what waits (`joined`). Pointers that
//! wait and lead to the object that an argument pointed to are found again by that argument's value at the entry (`old`), which the
//! callee's states keep; others are any number afterwards.
//!
//! Source: Rinetzky, Bauer, Reps, Sagiv, Wilhelm, "A semantics for procedure local heaps and its abstractions" (POPL 2005);
//! Berdine, Calcagno, O'Hearn, "Smallfoot" (FMCO 2005), the frame rule.
//!
//! Sound because a statement writes only to objects that its state lists (a state in which a write may go elsewhere is given up:
//! `State::broken`), so what waits stays as it is; because a state that lists a part of memory only (`framed`) does not claim anything about
//! all of it; and because a callee's final states are checked to be all there are (`closed`).

use super::facts::{Facts, Name};
use super::state::{Object, ObjectId, State, single};
use super::terms::{Need, Terms};
use super::value::{Base, End, Interval, Target, Val};
use base::Id;
use logic::{Pool, Sort};
use program::{FuncId, Program, VarId};
use std::rc::Rc;

/// A call in a state.
pub(super) struct Call {
    /// What the callee begins with.
    pub entry: State,
    /// What waits for it; pointers to what the callee sees are none.
    frame: State,
    /// Pointers that wait and are found again by an argument: where they are, which, and how far from it.
    again: Vec<(Holder, Again)>,
    callee: FuncId,
}

/// Where a pointer is.
#[derive(Clone, Copy)]
enum Holder {
    Var(VarId),
    Cell(ObjectId, super::state::Cell),
}

#[derive(Clone, Copy)]
struct Again {
    argument: usize,
    /// It is the number of the object's block.
    number: bool,
    /// From the object's start on.
    offset: Interval,
}

impl Terms<'_> {
    /// The variable that keeps the value that an argument had when the function was entered.
    pub fn old(&self, argument: usize) -> VarId {
        VarId::from_index(self.program.vars.len() + argument)
    }

    pub fn is_old(&self, var: VarId) -> bool {
        var.index() >= self.program.vars.len()
    }

    /// Divides a state at a call; nothing if an argument leaves its range.
    pub fn call(
        &self,
        state: &State,
        callee: FuncId,
        args: &[logic::TermId],
    ) -> Result<Option<Call>, Need> {
        let function = &self.program.functions[callee];
        let mut values = Vec::new();
        for (&param, &arg) in function.params.iter().zip(args) {
            let mut value = self.value(state, arg)?;
            if value.base.is_none() {
                value.offset = value.offset.meet(self.range(param));
                if value.offset.is_empty() {
                    return Ok(None);
                }
            }
            values.push((param, value));
        }
        let is_global = |v: &VarId| self.globals.contains(v);
        let mut entry = State {
            vars: state.vars.clone(),
            facts: Facts::default(),
            framed: true,
            ..state.clone()
        };
        entry.facts.on = state.facts.on;
        entry.facts.ranges = state.facts.ranges.clone();
        entry.vars.retain(|v, _| is_global(v));
        for (n, &(param, value)) in values.iter().enumerate() {
            entry.vars.insert(param, value);
            if argument(value).is_some() {
                entry.vars.insert(self.old(n), value);
            }
        }
        let mut seen = entry.reachable(entry.fresh.into_iter());
        for id in seen.clone() {
            seen.extend(state.owned(id));
        }
        entry.objects.retain(|id, _| seen.contains(id));
        // What the callee sees waits for nobody.
        let mut frame = state.clone();
        frame.vars.retain(|v, _| !is_global(v));
        frame.objects.retain(|id, _| !seen.contains(id));
        frame.forget_object_facts(|id| seen.contains(&id));
        let var = |n| matches!(n, Name::Var(v) if is_global(&v));
        frame.forget_names(|n| var(n) || matches!(n, Name::Fixed(_)));
        let arguments: Vec<(usize, ObjectId, i128)> = values
            .iter()
            .enumerate()
            .filter_map(|(n, (_, v))| argument(*v).map(|(id, at)| (n, id, at)))
            .collect();
        let (mut again, mut changed) = (Vec::new(), Vec::new());
        let mut found = |value: &mut Val, holder: Holder| {
            let Some(base) = value.base.filter(|b| seen.contains(&b.target().object)) else {
                return;
            };
            changed.push(match holder {
                Holder::Var(v) => Name::Var(v),
                Holder::Cell(id, cell) => Name::Cell(id, cell),
            });
            let target = base.target();
            let known = arguments.iter().find(|a| single(a.1) == target);
            if let Some(&(argument, ..)) = known {
                let number = matches!(base, Base::Number(_));
                let offset = value.offset;
                again.push((
                    holder,
                    Again {
                        argument,
                        number,
                        offset,
                    },
                ));
            }
            *value = Val::ANY;
        };
        for (var, value) in &mut frame.vars {
            found(value, Holder::Var(*var));
        }
        for (id, object) in &mut frame.objects {
            let points = |v: &Val| v.target().is_some_and(|t| seen.contains(&t.object));
            if !object.values().any(points) {
                continue;
            }
            let object = Rc::make_mut(object);
            for (cell, value) in &mut object.cells {
                found(value, Holder::Cell(*id, *cell));
            }
            object
                .rest
                .values_mut()
                .filter(|v| points(v))
                .for_each(|v| *v = Val::ANY);
        }
        frame.forget_names(|n| changed.contains(&n));
        Ok(Some(Call {
            entry,
            frame,
            again,
            callee,
        }))
    }

    /// The caller's state after the call, if the callee ended so; nothing if a result leaves its range.
    pub fn joined(&self, call: &Call, exit: &State, results: &[VarId]) -> Option<State> {
        let shift = call
            .frame
            .next_id
            .max(call.frame.objects.keys().max().map_or(0, |m| m + 1));
        let moved = |value: Val| match value.base {
            Some(base) => {
                let t = base.target();
                let target = Target {
                    object: t.object + shift,
                    ..t
                };
                Val {
                    base: Some(base.at(target)),
                    ..value
                }
            }
            None => value,
        };
        let mut state = call.frame.clone();
        state.defaults = exit.defaults.clone();
        state.statics = exit.statics.iter().map(|(c, v)| (*c, moved(*v))).collect();
        let fixed = exit.static_defaults.iter().map(|(a, v)| (*a, moved(*v)));
        state.static_defaults = fixed.collect();
        for (&id, object) in &exit.objects {
            let object = Object {
                owner: object.owner.map(|o| o + shift),
                cells: object.cells.iter().map(|(c, v)| (*c, moved(*v))).collect(),
                rest: object.rest.iter().map(|(a, v)| (*a, moved(*v))).collect(),
                ..Object::clone(object)
            };
            state.objects.insert(id + shift, Rc::new(object));
        }
        state.fresh = exit.fresh.map(|f| f + shift);
        state.next_id = exit.next_id + shift;
        let globals = exit.vars.iter().filter(|(v, _)| self.globals.contains(v));
        state.vars.extend(globals.map(|(v, x)| (*v, moved(*x))));
        for &(holder, again) in &call.again {
            let old = exit.vars.get(&self.old(again.argument)).copied().map(moved);
            let entry = call.entry.vars.get(&self.old(again.argument)).copied();
            let value = old
                .zip(entry)
                .and_then(|(old, entry)| found_again(old, entry, again));
            let Some(value) = value else { continue };
            match holder {
                Holder::Var(v) => drop(state.vars.insert(v, value)),
                Holder::Cell(id, cell) => super::state::set(&mut state, id, cell, value),
            }
        }
        let returns = &self.program.functions[call.callee].returns;
        for (&result, &from) in results.iter().zip(returns) {
            state.forget_name(Name::Var(result));
            let value = moved(self.var(exit, from));
            let range = self.range(result);
            let value = match value.base {
                None => Val::int(value.offset.meet(range)),
                Some(_) => value,
            };
            if value.base.is_none() && value.offset.is_empty() {
                return None;
            }
            match value == Val::int(range) {
                true => drop(state.vars.remove(&result)),
                false => drop(state.vars.insert(result, value)),
            }
        }
        Some(state)
    }
}

/// Have the functions that are called no arrays of their own, and steps to their ends?
///
/// Memory is global: an array of one call that a state listed would be taken for that of another.
pub(super) fn calls_are_plain(pool: &Pool, program: &Program) -> bool {
    let is_array = |v: &VarId| matches!(pool.sort_kind(program.vars[*v].sort), Sort::Array(..));
    program.functions.iter_enumerated().all(|(id, f)| {
        let mut own = f.params.iter().chain(&f.returns).chain(&f.locals);
        id == program.entry || f.entry != f.exit && !own.any(is_array)
    })
}

/// The object that an argument points into, and where: only such can be found again.
fn argument(value: Val) -> Option<(ObjectId, i128)> {
    let Some(Base::Address(t)) = value.base else {
        return None;
    };
    (t.end == End::First).then_some((t.object, value.offset.exact()?))
}

/// A pointer that waited, by what the argument's old value is now.
///
/// Sound because the old value is the same number as at the entry: if it was `offset` from the start of an object then, and is
/// `now` from the start of one, these are the same object if the offsets are, wherever the object stands in the state.
fn found_again(old: Val, entry: Val, again: Again) -> Option<Val> {
    let Some(Base::Address(target)) = old.base else {
        return None;
    };
    let (now, then) = (old.offset.exact()?, entry.offset.exact()?);
    (now == then).then_some(())?;
    let base = match again.number {
        true => Base::Number(target),
        false => Base::Address(target),
    };
    Some(Val {
        base: Some(base),
        offset: again.offset,
    })
}
