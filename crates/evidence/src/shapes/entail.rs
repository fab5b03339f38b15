//! Is one abstract state a case of another?
//!
//! A *matching* says which objects of the special state are which object of the general one; those of a
//! chain are a sequence of objects and chains. What a chain owns is matched once for each object of that
//! sequence, which is its *home*. How a matching is found is a heuristic; [`Matching::covers`] alone says
//! whether it is one.

use super::facts::{Fact, Form, Name};
use super::guesses::shared;
use super::state::{Cell, Kind, Links, ObjectId, State, address_of};
use super::value::{Base, End, Interval, Target, Val};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// A value of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slot {
    Var(program::VarId),
    Fixed(Cell),
    FixedDefault(program::VarId),
    Cell(ObjectId, Cell),
    Rest(ObjectId, program::VarId),
    /// A fact, by its number: it does not hold.
    Fact(usize),
    Mark(ObjectId, program::VarId),
    /// The name of a border: by table, segment and name.
    Border(usize, usize, usize),
}

/// No state has so many objects.
const AWAY: ObjectId = 1 << 30;

/// Numbers of the general state that would have to be larger intervals.
pub(super) type Loose = Vec<(Slot, Interval)>;

pub(super) struct Matching<'a> {
    pub special: &'a State,
    pub general: &'a State,
    /// By object of the special state.
    pub to: BTreeMap<ObjectId, ObjectId>,
    /// By object of the general state.
    pub from: BTreeMap<ObjectId, Vec<ObjectId>>,
    /// By object of the special state that is matched with an owned one: the object that it belongs to.
    home: BTreeMap<ObjectId, ObjectId>,
    /// What pointers met so far say about objects of the special state.
    pub announced: BTreeMap<ObjectId, ObjectId>,
    /// By chain of the general state: the object that pointers met so far say is its last.
    last: BTreeMap<ObjectId, ObjectId>,
    /// Tables of the general state that were looked at.
    pub tables: BTreeSet<usize>,
}

/// Is every concrete state of `special` one of `general`? `Some(Some(…))`: only if these numbers had the
/// intervals.
pub(super) fn covers(special: &State, general: &State) -> Option<Loose> {
    if !may_cover(special, general) {
        return None;
    }
    let mut matching = Matching::new(special, general);
    matching.find();
    matching.covers()
}

/// The same where `general` is known to be `special` with some objects become parts of the chain or tree `a`.
pub(super) fn covers_merged(
    special: &State,
    general: &State,
    (a, parts): (ObjectId, &[ObjectId]),
) -> Option<Loose> {
    let mut matching = Matching::new(special, general);
    for (&id, object) in &special.objects {
        let is_part = parts.contains(&id);
        matching.to.insert(id, if is_part { a } else { id });
        if let Some(owner) = object.owner {
            matching.home.insert(id, owner);
        }
        if !is_part {
            matching.from.insert(id, vec![id]);
        }
    }
    let all = std::iter::once(&a).chain(parts).copied();
    matching.from.insert(a, all.collect());
    matching.covers()
}

/// What the facts of two states have in common, in the words of the general one.
///
/// This only proposes: that the general state has them is checked by [`covers`] later.
pub(super) fn common_facts(special: &State, general: &State) -> Vec<Fact> {
    let mut matching = Matching::new(special, general);
    matching.find();
    let mut facts = matching.general_facts();
    // The special state by the names of the general one.
    let mut renamed = special.clone();
    let single = |x: &ObjectId| {
        let to = matching.to.get(x)?;
        Some(*to).filter(|t| matching.from.get(t).is_some_and(|c| c.len() == 1))
    };
    renamed.forget_object_facts(|x| single(&x).is_none());
    renamed.rename_facts(|n| match n.object().and_then(|x| single(&x)) {
        Some(to) => n.at(to),
        None => n,
    });
    renamed.objects = special
        .objects
        .iter()
        .filter_map(|(x, o)| Some((single(x)?, o.clone())))
        .collect();
    facts.retain(|f| {
        f.form.iter().all(|t| {
            t.0.object()
                .is_none_or(|o| renamed.objects.contains_key(&o))
        })
    });
    shared(general, &renamed, &facts)
}

/// A quick look at what no matching can change: how many objects there are, which values are addresses, and
/// which of the variables point to the same object.
fn may_cover(special: &State, general: &State) -> bool {
    let chains = general.objects.values().any(|o| !o.is_single());
    let there = |id: &&ObjectId| !general.may_be_absent(**id);
    let few = general.objects.keys().filter(there).count();
    let many = special.objects.len();
    let kinds = |s: &State| s.tables.iter().map(|t| t.kind()).collect::<BTreeSet<_>>();
    if many < few || !chains && many != few || kinds(special) != kinds(general) {
        return false;
    }
    let loosens = general.facts.on;
    let mut known: Vec<(Target, ObjectId)> = Vec::new();
    let mut fits = |s: Val, g: Val| {
        if !alike(s, g, loosens) {
            return false;
        }
        let (Some(a), Some(b)) = (s.target(), g.target()) else {
            return true;
        };
        let clash = |&(t, x): &(Target, ObjectId)| {
            (t == b) != (x == a.object) && (t == b || t.object != b.object)
        };
        if known.iter().any(clash) {
            return false;
        }
        if known.contains(&(b, a.object)) {
            return true;
        }
        known.push((b, a.object));
        let (Some(x), Some(y)) = (
            special.objects.get(&a.object),
            general.objects.get(&b.object),
        ) else {
            return false;
        };
        // A single object is a single one, with the same addresses in it.
        let cells = y.cells.iter();
        !y.is_single()
            || x.is_single()
                && x.extent >= y.extent
                && cells
                    .into_iter()
                    .all(|(c, g)| alike(special.cell(a.object, *c), *g, loosens))
    };
    let var = |v| special.vars.get(v).copied().unwrap_or(Val::ANY);
    let mut vars = general.vars.iter();
    vars.all(|(v, g)| fits(var(v), *g)) && special.fixed_beside(general).all(|(s, g)| fits(s, g))
}

/// Could the one be a case of the other, whatever objects they point to?
fn alike(special: Val, general: Val, loosens: bool) -> bool {
    match (special.base, general.base) {
        (_, None) if general == Val::ANY => true,
        (None, None) => true,
        (Some(Base::Address(_)), Some(Base::Address(_)))
        | (Some(Base::Number(_)), Some(Base::Number(_))) => {
            loosens || general.offset.contains(special.offset)
        }
        _ => false,
    }
}

impl<'a> Matching<'a> {
    fn new(special: &'a State, general: &'a State) -> Self {
        Matching {
            special,
            general,
            to: BTreeMap::new(),
            from: BTreeMap::new(),
            home: BTreeMap::new(),
            announced: BTreeMap::new(),
            last: BTreeMap::new(),
            tables: BTreeSet::new(),
        }
    }
}

impl Matching<'_> {
    /// Follows pointers from the variables on, objects before chains.
    fn find(&mut self) {
        let mut objects: VecDeque<(Target, Target)> = VecDeque::new();
        let mut chains: VecDeque<(Target, Target)> = VecDeque::new();
        let mut ends: Vec<(Target, Target)> = Vec::new();
        let (s, g) = (self.special, self.general);
        let mut pairs: Vec<(Val, Val)> = Vec::new();
        for (v, general) in &g.vars {
            if let Some(special) = s.vars.get(v) {
                pairs.push((*special, *general));
            }
        }
        pairs.extend(s.fixed_beside(g));
        loop {
            for (special, general) in pairs.drain(..) {
                if let (Some(a), Some(b)) = (special.target(), general.target())
                    && self.is_outer(a, b)
                {
                    self.announced.entry(a.object).or_insert(b.object);
                    match (g.is_many(b.object), b.end) {
                        (false, _) => objects.push_back((a, b)),
                        (true, End::First) => chains.push_back((a, b)),
                        (true, End::Last) => {
                            self.last.entry(b.object).or_insert(a.object);
                            ends.push((a, b));
                        }
                    }
                }
            }
            if let Some(more) = self.next_table() {
                pairs.extend(more);
            } else if let Some((a, b)) = objects.pop_front() {
                let new = !self.to.contains_key(&a.object) && !self.from.contains_key(&b.object);
                if new && s.objects.contains_key(&a.object) {
                    self.to.insert(a.object, b.object);
                    self.from.insert(b.object, vec![a.object]);
                    for (&cell, &value) in &g.objects[&b.object].cells {
                        pairs.push((s.cell(a.object, cell), value));
                    }
                }
            } else if let Some((a, b)) = chains.pop_front() {
                if self.to.contains_key(&a.object) || self.from.contains_key(&b.object) {
                    continue;
                }
                if let Some(tree) = g.objects[&b.object].tree() {
                    pairs.extend(self.note_tree(a.object, b.object, tree));
                    continue;
                }
                let chain = self.follow(a.object, b.object);
                pairs.extend(self.note_chain(chain, b.object));
            } else if let Some((a, b)) = ends.pop() {
                let known = self.to.contains_key(&a.object) || self.from.contains_key(&b.object);
                if known || !g.is_chain(b.object) {
                    continue;
                }
                let chain = self.follow_back(a.object, b.object);
                pairs.extend(self.note_chain(chain, b.object));
            } else {
                // Objects that nothing points to.
                let lost = |state: &State, taken: &dyn Fn(ObjectId) -> bool| {
                    let outer = state.objects.iter().filter(|(_, o)| o.owner.is_none());
                    let ids = outer.map(|(id, _)| *id);
                    // Tables go by their holders.
                    let cells = |id: &ObjectId| {
                        let mut all = state.tables.iter().flat_map(|t| &t.segments);
                        all.any(|s| s.cells == *id)
                    };
                    ids.filter(|id| !taken(*id) && !cells(id))
                        .collect::<Vec<ObjectId>>()
                };
                let left = lost(s, &|id| self.to.contains_key(&id));
                let right = lost(g, &|id| self.from.contains_key(&id));
                match (left.first(), right.first()) {
                    (Some(&a), Some(&b)) => {
                        let target = |object| Target {
                            object,
                            end: End::First,
                        };
                        match g.is_many(b) {
                            true => chains.push_back((target(a), target(b))),
                            false => objects.push_back((target(a), target(b))),
                        }
                    }
                    _ => return,
                }
            }
        }
    }

    fn note_chain(&mut self, chain: Vec<ObjectId>, general: ObjectId) -> Vec<(Val, Val)> {
        let (s, g) = (self.special, self.general);
        let mut pairs = Vec::new();
        let (Some(links), Some(&first), Some(&last)) =
            (g.objects[&general].links(), chain.first(), chain.last())
        else {
            return pairs;
        };
        for &x in &chain {
            self.to.insert(x, general);
            for (&cell, &value) in &g.objects[&general].cells {
                if !links.is_link(cell) && value.target().is_some_and(|t| t.object != general) {
                    pairs.push((s.cell(x, cell), value));
                }
            }
        }
        pairs.push((s.cell(last, links.next), g.cell(general, links.next)));
        if let Some((p, _)) = links.prev {
            pairs.push((s.cell(first, p), g.cell(general, p)));
        }
        for &x in &chain {
            pairs.extend(self.match_owned(x, general));
        }
        self.from.insert(general, chain);
        pairs
    }

    fn is_outer(&self, special: Target, general: Target) -> bool {
        let owned = |state: &State, t: Target| {
            let object = state.objects.get(&t.object);
            object.is_some_and(|o| o.owner.is_some())
        };
        !owned(self.special, special) && !owned(self.general, general)
    }

    /// Matches what a chain owns with what belongs to one object of it; pointers to other things.
    pub fn match_owned(&mut self, x: ObjectId, chain: ObjectId) -> Vec<(Val, Val)> {
        let (s, g) = (self.special, self.general);
        let mut pairs = Vec::new();
        let mut here: BTreeMap<ObjectId, ObjectId> = BTreeMap::from([(chain, x)]);
        let mut open = vec![(x, chain)];
        while let Some((mine, theirs)) = open.pop() {
            let links = g.objects[&theirs].links().filter(|_| theirs == chain);
            for (&cell, &value) in &g.objects[&theirs].cells {
                if links.is_some_and(|l| l.is_link(cell)) {
                    continue;
                }
                let own = s.cell(mine, cell);
                let (Some(a), Some(b)) = (own.target(), value.target()) else {
                    continue;
                };
                let Some(owner) = g.objects.get(&b.object).and_then(|o| o.owner) else {
                    if !here.contains_key(&b.object) {
                        pairs.push((own, value));
                    }
                    continue;
                };
                let Some(&home) = here.get(&owner) else {
                    continue;
                };
                if here.contains_key(&b.object) || self.to.contains_key(&a.object) {
                    continue;
                }
                here.insert(b.object, a.object);
                self.to.insert(a.object, b.object);
                self.home.insert(a.object, home);
                self.from.entry(b.object).or_default().push(a.object);
                open.push((a.object, b.object));
            }
        }
        pairs
    }

    /// Objects of the special state from one on that may be the chain.
    fn follow(&self, first: ObjectId, general: ObjectId) -> Vec<ObjectId> {
        let (s, g) = (self.special, self.general);
        let mut chain = vec![first];
        let Some(links) = g.objects[&general].links() else {
            return chain;
        };
        let end = g.cell(general, links.next);
        let mut at = first;
        loop {
            if self.last.get(&general) == Some(&at) {
                return chain;
            }
            let next = s.cell(at, links.next);
            let Some(t) = address_of(next).filter(|t| t.end == End::First) else {
                return self.without_last(chain, general, links);
            };
            let known = match address_of(end) {
                Some(e) if e.object == general => t.object == first,
                Some(e) => {
                    let from = self.from.get(&e.object);
                    from.is_some_and(|chain| chain.contains(&t.object))
                }
                None => false,
            };
            let named = self.announced.get(&t.object);
            let free = !self.to.contains_key(&t.object) && !chain.contains(&t.object);
            if known || named.is_some_and(|n| *n != general) || !free {
                return self.without_last(chain, general, links);
            }
            if !self.fits(t.object, general, links) {
                return chain;
            }
            chain.push(t.object);
            at = t.object;
        }
    }

    /// Leaves the last objects of a sequence to those that follow the chain and are not matched yet.
    fn without_last(
        &self,
        mut chain: Vec<ObjectId>,
        general: ObjectId,
        links: Links,
    ) -> Vec<ObjectId> {
        let g = self.general;
        let mut behind: Vec<ObjectId> = vec![general];
        let mut at = general;
        while let Some(t) = address_of(g.cell(at, links.next)) {
            let matched = self.from.contains_key(&t.object);
            let named = self.announced.values().any(|n| *n == t.object);
            if matched || named || behind.contains(&t.object) {
                break;
            }
            behind.push(t.object);
            at = t.object;
        }
        let kept = (chain.len() + 1).saturating_sub(behind.len()).max(1);
        chain.truncate(kept);
        chain
    }

    fn follow_back(&self, last: ObjectId, general: ObjectId) -> Vec<ObjectId> {
        let s = self.special;
        let mut chain = vec![last];
        let Some(links) = self.general.objects[&general].links() else {
            return chain;
        };
        let Some((prev, _)) = links.prev else {
            return chain;
        };
        let mut at = last;
        while let Some(t) = address_of(s.cell(at, prev)) {
            let free = !self.to.contains_key(&t.object) && !chain.contains(&t.object);
            if !free || !self.fits(t.object, general, links) {
                break;
            }
            chain.push(t.object);
            at = t.object;
        }
        chain.reverse();
        chain
    }

    /// Looks like an object of the chain.
    fn fits(&self, x: ObjectId, general: ObjectId, links: Links) -> bool {
        let (s, g) = (self.special, self.general);
        let Some(object) = s.objects.get(&x) else {
            return false;
        };
        let alike = |(cell, value): (&Cell, &Val)| {
            let own = s.cell(x, *cell);
            let optional = value.target().is_some_and(|t| g.may_be_absent(t.object));
            links.is_link(*cell)
                || *value == Val::ANY
                || optional && own == Val::int(Interval::number(0))
                || own.base.is_some() == value.base.is_some()
                    && (own.base.is_some() || value.offset.contains(own.offset))
        };
        (object.is_single() || object.links() == Some(links))
            && s.fresh != Some(x)
            && g.objects[&general].cells.iter().all(alike)
    }

    /// Whether the matching is one, and what numbers it would need.
    ///
    /// Sound because each condition of the meaning of the general state is looked at: all objects are
    /// accounted for, each single one by a single one, chains by sequences that hang together,
    /// all values are cases of the general ones.
    fn covers(&self) -> Option<Loose> {
        let (s, g) = (self.special, self.general);
        let mut loose = Loose::new();
        if s.framed && !g.framed {
            return None;
        }
        let same_fresh = match (s.fresh, g.fresh) {
            (Some(a), Some(b)) => self.to.get(&a) == Some(&b),
            (None, None) => true,
            _ => false,
        };
        if !same_fresh || s.objects.keys().any(|x| !self.to.contains_key(x)) {
            return None;
        }
        for (&general, object) in &g.objects {
            let chain = self.from.get(&general).map_or(&[][..], Vec::as_slice);
            if chain.is_empty() && !g.may_be_absent(general) {
                return None;
            }
            let distinct: BTreeSet<&ObjectId> = chain.iter().collect();
            let own = chain.iter().all(|x| self.to.get(x) == Some(&general));
            if distinct.len() != chain.len() || !own {
                return None;
            }
            if let Some(owner) = object.owner {
                self.owned(general, owner, chain, &mut loose)?;
                continue;
            }
            let outer = |x: &ObjectId| !self.home.contains_key(x) && s.objects[x].owner.is_none();
            chain.iter().all(outer).then_some(())?;
            for x in chain {
                let x = s.objects.get(x)?;
                let alike = match &object.kind {
                    Kind::Single => chain.len() == 1 && x.is_single(),
                    Kind::Chain(links) => x.is_single() || x.links() == Some(*links),
                    Kind::Tree(tree) => x.is_single() || x.tree().is_some_and(|t| t.is_like(tree)),
                    Kind::Row => x.is_single() || x.kind == Kind::Row,
                };
                if !alike || x.extent < object.extent || x.align % object.align != 0 {
                    return None;
                }
            }
            match object.tree() {
                Some(tree) => self.tree(general, tree, chain, &mut loose)?,
                None => self.cells(general, chain, &mut loose)?,
            }
        }
        for (array, &default) in &g.defaults {
            // What is in no object is as the default says, exactly.
            if s.defaults.get(array) != Some(&default) || default.base.is_some() {
                return None;
            }
        }
        for (&var, &general) in &g.vars {
            let special = s.vars.get(&var).copied().unwrap_or(Val::ANY);
            self.value(special, general, Slot::Var(var), None, &mut loose)?;
        }
        for (&array, &general) in &g.static_defaults {
            let special = s.static_defaults.get(&array).copied();
            let special = special.unwrap_or(Val::ANY);
            let slot = Slot::FixedDefault(array);
            self.value(special, general, slot, None, &mut loose)?;
        }
        if s.statics.keys().eq(g.statics.keys()) {
            for ((&cell, &special), &general) in s.statics.iter().zip(g.statics.values()) {
                self.value(special, general, Slot::Fixed(cell), None, &mut loose)?;
            }
        } else {
            let mut fixed: BTreeSet<Cell> = g.statics.keys().copied().collect();
            let known = |c: &&Cell| g.static_defaults.contains_key(&c.0);
            fixed.extend(s.statics.keys().filter(known));
            for cell in fixed {
                let slot = Slot::Fixed(cell);
                self.value(s.fixed(cell), g.fixed(cell), slot, None, &mut loose)?;
            }
        }
        self.segments(&mut loose)?;
        self.facts(&mut loose)?;
        Some(loose)
    }

    /// Facts of the general state, for whichever objects its names are taken of, and known zeros.
    fn facts(&self, loose: &mut Loose) -> Option<()> {
        let (s, g) = (self.special, self.general);
        for (&(object, array), &at) in &g.facts.marks {
            let [x] = self.from.get(&object)?.as_slice() else {
                return None;
            };
            let own = s.facts.marks.get(&(*x, array))?;
            if g.is_many(object) || g.objects.get(&object)?.owner.is_some() {
                return None;
            }
            if !at.contains(*own) {
                loose.push((Slot::Mark(object, array), *own));
            }
        }
        for (number, fact) in g.facts.all.iter().enumerate() {
            let holds = |form: &Form| s.upper(form).is_some_and(|u| u <= fact.bound);
            let forms = self.special_forms(&fact.form);
            if !forms.is_some_and(|f| f.iter().all(holds)) {
                loose.push((Slot::Fact(number), Interval::ALL));
            }
        }
        Some(())
    }

    /// What a form of the general state means in the special one.
    fn special_forms(&self, form: &Form) -> Option<Vec<Form>> {
        let (s, g) = (self.special, self.general);
        let mut objects: Vec<ObjectId> = form.iter().filter_map(|t| t.0.object()).collect();
        objects.sort_unstable();
        objects.dedup();
        let mut out: Vec<Form> = vec![form.clone()];
        // First to names that no state has, so that no object is taken for another.
        let away = |o: ObjectId| o ^ AWAY;
        for term in &mut out[0] {
            if let Some(o) = term.0.object() {
                term.0 = term.0.at(away(o));
            }
        }
        for object in objects {
            let owned = g.objects.get(&object)?.owner.is_some();
            let elements = self.from.get(&object).filter(|_| !owned)?;
            let mut next = Vec::new();
            for form in &out {
                for &x in elements {
                    let own = |t: &(Name, i128)| match t.0.object() == Some(away(object)) {
                        true => (t.0.at(x), t.1),
                        false => *t,
                    };
                    next.push(form.iter().map(own).collect());
                }
            }
            out = next;
        }
        // The same name has to mean the same: a number, or what is added to an address.
        for special in &mut out {
            let mut pairs = form.iter().zip(special.iter());
            if pairs.any(|(a, b)| g.has_base(a.0) != s.has_base(b.0)) {
                return None;
            }
            special.sort_unstable();
        }
        Some(out)
    }

    /// The special state's facts in the words of the general one, where each name is the only one of its kind.
    fn general_facts(&self) -> Vec<Fact> {
        let mut out = Vec::new();
        'facts: for fact in &self.special.facts.all {
            let mut form = fact.form.clone();
            for term in &mut form {
                let Some(x) = term.0.object() else { continue };
                let Some(&to) = self.to.get(&x) else {
                    continue 'facts;
                };
                if self.from.get(&to).is_none_or(|c| c.len() != 1) {
                    continue 'facts;
                }
                term.0 = term.0.at(to);
            }
            form.sort_unstable();
            out.push(Fact {
                form,
                bound: fact.bound,
            });
        }
        out
    }

    /// What a chain owns: each of the chain's objects has one of its own.
    ///
    /// Sound because, in the special state, each object of the sequence has exactly one that is matched, nothing
    /// but that object and what belongs to it points there, and what pointers mean is what they mean there.
    fn owned(
        &self,
        general: ObjectId,
        owner: ObjectId,
        all: &[ObjectId],
        loose: &mut Loose,
    ) -> Option<()> {
        let (s, g) = (self.special, self.general);
        let object = &g.objects[&general];
        let owners = self.from.get(&owner).map_or(&[][..], Vec::as_slice);
        let homes: BTreeSet<ObjectId> = all
            .iter()
            .filter_map(|x| self.home.get(x).copied())
            .collect();
        let each = match object.optional {
            true => homes.iter().all(|h| owners.contains(h)),
            false => owners.len() == all.len() && owners.iter().all(|e| homes.contains(e)),
        };
        if homes.len() != all.len() || !each {
            return None;
        }
        for &x in all {
            let home = *self.home.get(&x)?;
            let own = s.objects.get(&x)?;
            // What belongs to a single object that is owned is its own, or of the same owner if that one is always there.
            let its = s.objects.get(&home)?;
            let owners = match s.is_chain(home) || s.is_row(home) {
                true => own.owner == Some(home),
                false => {
                    own.owner == its.owner && !its.optional
                        || its.owner.is_some() && own.owner == Some(home)
                }
            };
            let alike = match object.kind {
                Kind::Single => own.is_single(),
                Kind::Chain(links) => own.is_single() || own.links() == Some(links),
                // Nothing owns trees.
                Kind::Tree(_) | Kind::Row => false,
            };
            let fits = own.extent >= object.extent && own.align % object.align == 0;
            let absent = own.optional && !object.optional;
            if absent || !owners || !alike || !fits || !self.is_private(x, home) {
                return None;
            }
            self.cells(general, &[x], loose)?;
        }
        Some(())
    }

    /// Does only the object that another belongs to, and what belongs to it too, point to that other?
    fn is_private(&self, x: ObjectId, home: ObjectId) -> bool {
        let s = self.special;
        let points = |v: &Val| v.target().is_some_and(|t| t.object == x);
        let names = s.vars.values().chain(s.statics.values());
        let mut names = names
            .chain(s.defaults.values())
            .chain(s.static_defaults.values());
        if names.any(points) {
            return false;
        }
        let belongs = |id: ObjectId| {
            let mut at = Some(id);
            while let Some(id) = at {
                if id == home {
                    return true;
                }
                at = self.home.get(&id).copied();
            }
            false
        };
        s.objects.iter().all(|(&id, o)| {
            let mut values = o.cells.values().chain(o.rest.values());
            belongs(id) || !values.any(points)
        })
    }

    /// The object of the special state that stands for an object which owns the holder, or is it.
    fn climb(&self, holder: (ObjectId, ObjectId), to: ObjectId) -> Option<ObjectId> {
        let (mut mine, mut theirs) = holder;
        while theirs != to {
            mine = *self.home.get(&mine)?;
            theirs = self.general.objects.get(&theirs)?.owner?;
        }
        Some(mine)
    }

    /// The cells of the objects that one object of the general state stands for.
    fn cells(&self, general: ObjectId, chain: &[ObjectId], loose: &mut Loose) -> Option<()> {
        let (s, g) = (self.special, self.general);
        let object = &g.objects[&general];
        let links = object.links();
        for (at, &x) in chain.iter().enumerate() {
            let own = &s.objects[&x];
            let mut cells: BTreeSet<Cell> = object.cells.keys().copied().collect();
            cells.extend(own.cells.keys());
            for cell in cells {
                let (mine, theirs) = (s.cell(x, cell), g.cell(general, cell));
                let slot = Slot::Cell(general, cell);
                match links {
                    Some(l) if cell == l.next && at + 1 < chain.len() => {
                        let to = Target {
                            object: chain[at + 1],
                            end: End::First,
                        };
                        let linked = Val::address(to, Interval::number(l.to));
                        (mine == linked).then_some(())?;
                    }
                    Some(l) if at > 0 && l.prev.is_some_and(|(p, _)| p == cell) => {
                        let before = chain[at - 1];
                        let end = match s.is_chain(before) {
                            true => End::Last,
                            false => End::First,
                        };
                        let to = Target {
                            object: before,
                            end,
                        };
                        let back = l.prev.map(|(_, at)| Val::address(to, Interval::number(at)));
                        (Some(mine) == back).then_some(())?;
                    }
                    Some(l)
                        if !l.is_link(cell)
                            && theirs.target().is_some_and(|t| t.object == general) =>
                    {
                        is_own(mine, theirs, x).then_some(())?;
                    }
                    _ => self.value(mine, theirs, slot, Some((x, general)), loose)?,
                }
            }
            self.rests(general, x, loose)?;
        }
        // A chain's links are cells of all its objects.
        if let Some(l) = links {
            let linked = |x: &ObjectId| s.objects[x].cells.contains_key(&l.next);
            (chain.len() == 1 || chain.iter().all(linked)).then_some(())?;
            if let Some((p, _)) = l.prev {
                let back = |x: &ObjectId| s.objects[x].cells.contains_key(&p);
                chain[1..].iter().all(back).then_some(())?;
            }
        }
        Some(())
    }

    /// Other cells of an object that the general one stands for.
    pub fn rests(&self, general: ObjectId, x: ObjectId, loose: &mut Loose) -> Option<()> {
        let (s, g) = (self.special, self.general);
        let mut arrays: BTreeSet<program::VarId> = BTreeSet::new();
        arrays.extend(g.objects[&general].rest.keys());
        arrays.extend(s.objects[&x].rest.keys());
        for array in arrays {
            let (mine, theirs) = (s.rest(x, array), g.rest(general, array));
            let slot = Slot::Rest(general, array);
            self.value(mine, theirs, slot, Some((x, general)), loose)?;
        }
        Some(())
    }

    /// Is a value a case of another? `holder`: the two objects that hold them.
    pub fn value(
        &self,
        special: Val,
        general: Val,
        slot: Slot,
        holder: Option<(ObjectId, ObjectId)>,
        loose: &mut Loose,
    ) -> Option<()> {
        match (special.base, general.base) {
            (_, None) if general == Val::ANY => Some(()),
            (None, None) => {
                if !general.offset.contains(special.offset) {
                    loose.push((slot, special.offset));
                }
                Some(())
            }
            (Some(a), Some(b)) => {
                let same = match (a, b) {
                    (Base::Address(a), Base::Address(b)) | (Base::Number(a), Base::Number(b)) => {
                        self.target(a, b, holder)
                    }
                    _ => false,
                };
                if same && self.general.facts.on && !general.offset.contains(special.offset) {
                    loose.push((slot, special.offset));
                    return Some(());
                }
                (same && general.offset.contains(special.offset)).then_some(())
            }
            (None, Some(b)) => {
                let zero = special == Val::int(Interval::number(0));
                (zero && self.is_absent(b.target().object, holder)).then_some(())
            }
            _ => None,
        }
    }

    /// Is it an optional object that the one the holder belongs to does not have?
    ///
    /// Sound because then nothing that belongs to that one is matched with it, so that every pointer to it has to be
    /// zero there.
    fn is_absent(&self, general: ObjectId, holder: Option<(ObjectId, ObjectId)>) -> bool {
        let object = self.general.objects.get(&general);
        let owner = object.filter(|o| o.optional).and_then(|o| o.owner);
        let home = owner.and_then(|owner| self.climb(holder?, owner));
        let has = |home: ObjectId| {
            let mut all = self.from.get(&general).into_iter().flatten();
            all.any(|x| self.home.get(x) == Some(&home))
        };
        home.is_some_and(|home| !has(home))
    }

    /// Is the one the object that the other names?
    fn target(
        &self,
        special: Target,
        general: Target,
        holder: Option<(ObjectId, ObjectId)>,
    ) -> bool {
        let g = self.general;
        let owner = g.objects.get(&general.object).and_then(|o| o.owner);
        if let Some(owner) = owner {
            let home = holder.and_then(|h| self.climb(h, owner));
            let same = self.to.get(&special.object) == Some(&general.object);
            let ends = !g.is_chain(general.object)
                || !self.special.is_chain(special.object)
                || special.end == general.end;
            return home.is_some()
                && self.home.get(&special.object).copied() == home
                && same
                && ends;
        }
        if let Some(holder) = holder
            && holder.1 != general.object
            && let Some(home) = self.climb(holder, general.object)
        {
            // The address of the object that the holder belongs to.
            let first = special.end == End::First && general.end == End::First;
            return special.object == home && first;
        }
        if self.to.get(&special.object) != Some(&general.object) {
            return false;
        }
        if !self.general.is_many(general.object) {
            return true;
        }
        let Some(chain) = self.from.get(&general.object) else {
            return false;
        };
        let single = !self.special.is_many(special.object);
        let tree = g.objects.get(&general.object).and_then(|o| o.tree());
        if let (Some(tree), End::Last) = (tree, general.end) {
            // The object with the hole.
            let ports = self.ports(general.object, tree, chain);
            let holder = ports.and_then(|p| Some(p.hole?.0));
            return holder == Some(special.object) && (single || special.end == End::Last);
        }
        match general.end {
            End::First => {
                chain.first() == Some(&special.object) && (single || special.end == End::First)
            }
            End::Last => {
                chain.last() == Some(&special.object) && (single || special.end == End::Last)
            }
        }
    }
}

/// Is a value of an object the address in that object itself that the general one says it is?
pub(super) fn is_own(mine: Val, theirs: Val, x: ObjectId) -> bool {
    let here = mine.target().is_some_and(|t| t.object == x);
    let kind = |v: Val| matches!(v.base, Some(Base::Address(_)));
    here && kind(mine) == kind(theirs) && theirs.offset.contains(mine.offset)
}
