//! Values that a path chooses freely, chosen where they are first used.
//!
//! `m = nondet(); x = ctr; …; assume x == m` mentions `m` in its first part, as the value that was chosen and as one in
//! the range of its type. So `m` is common to both sides of every cut in between, and interpolants may speak of
//! it where nothing is known of it. BLAST's figures have it as a variable without a value: there the first part says
//! nothing. So the equation with the chosen value goes, and what the part says of the variable alone goes to
//! the next part that mentions it.
//!
//! Sound because ranges hold of a variable wherever it is (programs mean that), so a fact that needs one at a later part
//! is as good as before; and interpolants are checked on the parts as they are here.

use base::{FxHashMap, FxHashSet};
use logic::{Model, Op, Pool, TermId, eval};

/// The parts of a path with choices made late.
pub struct Late {
    pub parts: Vec<TermId>,
    /// A chosen value and the constant that now stands for it.
    chosen: Vec<(TermId, TermId)>,
}

/// Moves choices to where they are used.
pub fn choose_late(pool: &mut Pool, parts: &[TermId]) -> Late {
    let mut late = Late {
        parts: parts.to_vec(),
        chosen: Vec::new(),
    };
    let mut mentions: FxHashMap<TermId, FxHashSet<usize>> = FxHashMap::default();
    for (at, &part) in parts.iter().enumerate() {
        for c in constants(pool, part) {
            mentions.entry(c).or_default().insert(at);
        }
    }
    for at in 0..parts.len() {
        let mut conjuncts = pool.conjuncts(late.parts[at]);
        let Some((x, value)) = conjuncts.iter().find_map(|&c| choice(pool, c, &mentions)) else {
            continue;
        };
        let pairs = [(value, x)];
        let mut stays = Vec::new();
        let mut moves = Vec::new();
        for c in conjuncts.drain(..) {
            let c = pool.substitute(c, &pairs);
            match constants(pool, c)[..] {
                [only] if only == x => moves.push(c),
                _ => stays.push(c),
            }
        }
        // Something else of the part speaks of it: then it is no mere choice.
        if stays.iter().any(|&c| constants(pool, c).contains(&x)) {
            continue;
        }
        late.chosen.push((value, x));
        late.parts[at] = pool.and(&stays);
        let next = (at + 1..parts.len()).find(|i| mentions[&x].contains(i));
        let to = next.unwrap_or(at);
        moves.push(late.parts[to]);
        late.parts[to] = pool.and(&moves);
    }
    late
}

/// `x = value`, where no other part knows the value.
fn choice(
    pool: &Pool,
    conjunct: TermId,
    mentions: &FxHashMap<TermId, FxHashSet<usize>>,
) -> Option<(TermId, TermId)> {
    if pool.op(conjunct) != Op::Eq {
        return None;
    }
    let [a, b] = *pool.args(conjunct) else {
        return None;
    };
    let is_constant = |t: TermId| pool.as_constant(t).is_some();
    let once = |t: TermId| mentions.get(&t).is_some_and(|parts| parts.len() == 1);
    match (is_constant(a), is_constant(b)) {
        (true, true) if once(b) => Some((a, b)),
        (true, true) if once(a) => Some((b, a)),
        _ => None,
    }
}

fn constants(pool: &Pool, term: TermId) -> Vec<TermId> {
    let all = pool.post_order(&[term]).into_iter();
    all.filter(|&t| pool.as_constant(t).is_some()).collect()
}

impl Late {
    /// Gives the chosen values to a model of the parts.
    pub fn complete(&self, pool: &mut Pool, model: &mut Model) {
        for &(value, x) in self.chosen.iter().rev() {
            let known = eval(pool, model, x);
            if let Some(symbol) = pool.as_constant(value) {
                model.constants.insert(symbol, known);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chosen_value_is_mentioned_where_it_is_used() {
        let mut pool = Pool::new();
        let int = pool.int_sort();
        let [m, any, x, c] = ["m@1", "any@0", "x@1", "ctr@0"].map(|n| pool.constant(n, int));
        let (choose, zero) = (pool.eq(m, any), pool.int(0));
        let range = pool.le(zero, any);
        let first = pool.and2(choose, range);
        let second = pool.eq(x, c);
        let third = pool.eq(x, m);
        let late = choose_late(&mut pool, &[first, second, third]);
        assert_eq!(late.parts[0], pool.tt());
        assert_eq!(late.parts[1], second);
        let of_m = pool.le(zero, m);
        assert!(pool.conjuncts(late.parts[2]).contains(&of_m));
        let mut model = Model::default();
        if let Some(symbol) = pool.as_constant(m) {
            model.constants.insert(symbol, logic::Value::Num(7.into()));
        }
        late.complete(&mut pool, &mut model);
        assert_eq!(eval(&pool, &model, any), logic::Value::Num(7.into()));
    }
}
