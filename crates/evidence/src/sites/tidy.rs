//! States as they are kept where paths meet: without what nobody reads any more, objects by their usual names.

use super::names::{Cell, FIRST_OF_CELLS, FIRST_OF_STEP, Name, Obj};
use super::state::{Object, State};
use base::Id;
use program::VarId;
use std::rc::Rc;

impl State {
    /// Drops what nobody reads any more.
    ///
    /// Sound because that only forgets.
    pub fn drop_idle(&mut self, is_live: impl Fn(VarId) -> bool) {
        let idle = |n: Name| match n {
            Name::Var(v) => !is_live(v),
            _ => n.is_in(|a| !is_live(a)),
        };
        self.rename_factors(|f| idle(f.name()));
        self.forget_products(|f| idle(f.name()));
        self.forget_names(idle);
        self.ghosts.retain(|n, _| !idle(*n));
        self.vars.retain(|v, _| is_live(*v));
        self.defaults.retain(|a, _| is_live(*a));
        for object in self.objects.values_mut() {
            let idle = |o: &Object| {
                o.cells.keys().any(|c| !is_live(c.0))
                    || o.rest.keys().any(|a| !is_live(*a))
                    || o.segments.keys().any(|a| !is_live(*a))
                    || o.marks.iter().any(|m| !is_live(m.0))
            };
            if idle(object) {
                let object = Rc::make_mut(object);
                object.cells.retain(|c, _| is_live(c.0));
                object.rest.retain(|a, _| is_live(*a));
                object.segments.retain(|a, _| is_live(*a));
                object.marks.retain(|m| is_live(m.0));
            }
        }
    }

    /// Gives objects their usual names.
    ///
    /// Sound because an object by another name is the same.
    pub fn tidy(&mut self) {
        self.name_held();
        self.tighten();
    }

    /// An object that is held is named by the first variable that points to it and nowhere else, or by the order of
    /// the cell of memory that does; or it is not held.
    fn name_held(&mut self) {
        let held: Vec<Obj> = self.objects.keys().copied().collect();
        let mut held: Vec<Obj> = held
            .into_iter()
            .filter(|o| matches!(o, Obj::Held(_)))
            .collect();
        if held.is_empty() {
            return;
        }
        let mut moves: Vec<(Obj, Obj)> = Vec::new();
        held.retain(|&object| {
            let holder = self.vars.iter().find(|(_, value)| value.is_only(object));
            let name = holder.map(|(v, _)| Obj::Held(v.index() as u32));
            moves.extend(name.map(|name| (object, name)));
            name.is_none()
        });
        for (n, (object, _, _)) in self.holding_cells(&held).into_iter().enumerate() {
            held.retain(|o| *o != object);
            moves.push((object, Obj::Held(FIRST_OF_CELLS + n as u32)));
        }
        for object in held {
            match self.is_lost(object) {
                true => self.forget_object(object),
                false => self.put_back(object),
            }
        }
        moves.retain(|(from, to)| from != to);
        // By way of names that nobody has.
        let between = |n: usize| Obj::Held(FIRST_OF_STEP * 2 + n as u32);
        for (n, (from, _)) in moves.iter().enumerate() {
            self.rename_object(*from, between(n));
        }
        for (n, (_, to)) in moves.iter().enumerate() {
            self.rename_object(between(n), *to);
        }
    }

    /// Cells of single objects that point to one of these and nowhere else: the first for each.
    pub fn holding_cells(&self, held: &[Obj]) -> Vec<(Obj, Obj, Cell)> {
        let mut out: Vec<(Obj, Obj, Cell)> = Vec::new();
        for (&id, object) in &self.objects {
            if !matches!(id, Obj::Static(_) | Obj::Recent(_)) {
                continue;
            }
            for (&cell, value) in &object.cells {
                let to = value.single().and_then(|a| a.base);
                if let Some(to) = to.filter(|o| held.contains(o))
                    && out.len() < self.frame.kept
                    && out.iter().all(|k| k.0 != to)
                {
                    out.push((to, id, cell));
                }
            }
        }
        out
    }
}
