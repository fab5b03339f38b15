//! From the formulas as the user wrote them to the solver's: the clauses that say that both are the same.
//!
//! Terms bottom up: a term as written is equal to the solver's (`Writer::equations`) by congruence or arithmetic, a
//! formula as written is equivalent to the solver's (`Writer::equivalences`, one clause a direction) by the
//! structure of both, or for an atom by arithmetic and congruence. Simplifications of the term pool need no rule of
//! their own: whatever they did to a connective is found by propagation over one or two levels.

use super::terms::{AletheId, Kind, Literal, kind_of};
use super::{StepId, Trouble, Writer};
use logic::smtlib::{SourceId, Sources};
use logic::{Op, TermId};

impl Writer<'_> {
    /// The formula as written, after everything below it was related to the solver's terms.
    pub(super) fn relate(
        &mut self,
        sources: &Sources,
        root: SourceId,
    ) -> Result<AletheId, Trouble> {
        for id in sources.post_order(&[root]) {
            if self.written.contains_key(&id) {
                continue;
            }
            let source = &sources[id];
            let args: Vec<AletheId> = source.args.iter().map(|a| self.written[a]).collect();
            let kind = kind_of(self.pool, self.pool.sort_of(source.term));
            let known = self.pool.as_constant(source.term).is_some();
            let a = match self.pool.op(source.term) {
                // One way to write a name.
                Op::App(_) if args.is_empty() && known => {
                    self.name_of(&source.head, source.term)?
                }
                _ if args.is_empty() && !is_value(&source.head) => {
                    let what = format!("`{}`, which was defined in the script", source.head);
                    return Err(Trouble::Unsupported(what));
                }
                _ => self.steps.terms.node(&source.head, &args, kind),
            };
            self.written.insert(id, a);
            self.relate_one(a, source.term)?;
        }
        Ok(self.written[&root])
    }

    /// The solver's name for a constant; scripts that declare a name twice are not written.
    fn name_of(&mut self, head: &str, term: TermId) -> Result<AletheId, Trouble> {
        let a = self.term(term)?;
        let plain = |text: &str| text.trim_matches('|').to_string();
        match plain(&self.steps.terms[a].head) == plain(head) {
            true => Ok(a),
            false => Err(Trouble::Unsupported(format!(
                "`{head}`, which is declared twice"
            ))),
        }
    }

    /// Relates a term as written, whose arguments are related, to the solver's.
    fn relate_one(&mut self, a: AletheId, term: TermId) -> Result<(), Trouble> {
        let image = self.term(term)?;
        self.images.insert(a, image);
        self.terms_of.insert(a, term);
        if image == a {
            return Ok(());
        }
        match self.steps.terms[a].kind {
            Kind::Bool => self.relate_formula(a, term),
            _ => {
                let step = self.equal_terms(a, image)?;
                self.equations.insert(a, (step, image));
                Ok(())
            }
        }
    }

    /// `(= a image)` of terms that are no formulas.
    fn equal_terms(&mut self, a: AletheId, image: AletheId) -> Result<StepId, Trouble> {
        let node = self.steps.terms[a].clone();
        let arithmetic = matches!(&*node.head, "+" | "-" | "*" | "/") || node.args.is_empty();
        if node.kind.is_number() && arithmetic {
            return self
                .equality(a, image, &[])
                .map_err(|_| Trouble::Unsupported(format!("this use of `{}`", node.head)));
        }
        let (step, with) = self.congruent(a)?;
        if with == image {
            return Ok(step);
        }
        let simplified = self.simplified_ite(with, image)?;
        let equal = self.steps.terms.formula("=", &[a, image]);
        match with == a {
            true => Ok(simplified),
            false => Ok(self
                .steps
                .add("trans", vec![equal], vec![step, simplified], Vec::new())),
        }
    }

    /// `(= ite image)` where the pool made something else of an `ite`: one of its branches, or with its condition turned.
    fn simplified_ite(&mut self, ite: AletheId, image: AletheId) -> Result<StepId, Trouble> {
        let node = self.steps.terms[ite].clone();
        let unsupported = || Trouble::Unsupported(format!("the simplification of `{}`", node.head));
        let ("ite", &[c, x, y]) = (&*node.head, &*node.args) else {
            return Err(unsupported());
        };
        let equal = self.steps.terms.formula("=", &[ite, image]);
        if image == x || image == y {
            let (mut premises, _) = self.cases_of(ite).ok_or_else(unsupported)?;
            premises.extend(self.steps.structure_below(&[c], 0));
            return self.steps.combine(&[(equal, true)], &premises);
        }
        if &*self.steps.terms[c].head == "not" {
            let inner = self.steps.terms[c].args[0];
            // (ite (not c) x y) is kept as (ite c y x).
            if self.steps.terms.node("ite", &[inner, y, x], node.kind) == image {
                return Ok(self
                    .steps
                    .add("ite_simplify", vec![equal], Vec::new(), Vec::new()));
            }
        }
        Err(unsupported())
    }

    /// The application to the solver's arguments, and that it is equal.
    fn congruent(&mut self, a: AletheId) -> Result<(StepId, AletheId), Trouble> {
        let node = self.steps.terms[a].clone();
        let mut premises = Vec::new();
        let mut args = Vec::new();
        for &x in &node.args {
            let image = self.images.get(&x).copied().unwrap_or(x);
            args.push(image);
            if image != x {
                premises.push(self.same(x, image)?);
            }
        }
        let with = self.steps.terms.node(&node.head, &args, node.kind);
        let equal = self.steps.terms.formula("=", &[a, with]);
        let step = match premises.is_empty() {
            true => self.steps.add("refl", vec![equal], Vec::new(), Vec::new()),
            false => self.steps.add("cong", vec![equal], premises, Vec::new()),
        };
        Ok((step, with))
    }

    /// `(= x image)` for any term that was related.
    fn same(&mut self, x: AletheId, image: AletheId) -> Result<StepId, Trouble> {
        if let Some(&(step, _)) = self.equations.get(&x) {
            return Ok(step);
        }
        let equal = self.steps.terms.formula("=", &[x, image]);
        let mut premises = self.steps.structure(equal);
        premises.extend(self.equivalences(x));
        self.steps.combine(&[(equal, true)], &premises)
    }

    /// The two directions between a formula as written and the solver's.
    fn equivalences(&self, x: AletheId) -> Vec<StepId> {
        self.equivalences.get(&x).cloned().unwrap_or_default()
    }

    fn relate_formula(&mut self, a: AletheId, term: TermId) -> Result<(), Trouble> {
        let node = self.steps.terms[a].clone();
        let boolean = node
            .args
            .iter()
            .all(|&x| self.steps.terms[x].kind == Kind::Bool);
        let connective = matches!(
            &*node.head,
            "not" | "and" | "or" | "=>" | "xor" | "=" | "ite" | "true" | "false"
        );
        let steps = match &*node.head {
            _ if connective && boolean => self.relate_connective(a)?,
            "distinct" => self.relate_distinct(a)?,
            _ if self.is_comparison(a) => self.relate_comparison(a)?,
            "<=" | "<" | ">=" | ">" | "=" if node.args.len() > 2 => {
                return Err(Trouble::Unsupported(format!(
                    "`{}` of more than two terms",
                    node.head
                )));
            }
            "=" => self.relate_equality(a, term)?,
            _ => {
                let (step, with) = self.congruent(a)?;
                self.by_equivalence(a, with, step)?
            }
        };
        self.equivalences.insert(a, steps);
        Ok(())
    }

    /// The directions between a formula and its image that hold not by themselves.
    fn directions(&self, a: AletheId) -> [[Literal; 2]; 2] {
        let (atom, positive) = self.steps.terms.literal(a);
        let (other, sign) = self.steps.terms.literal(self.images[&a]);
        [
            [(atom, !positive), (other, sign)],
            [(atom, positive), (other, !sign)],
        ]
    }

    fn both(&mut self, a: AletheId, premises: &[StepId]) -> Result<Vec<StepId>, Trouble> {
        let mut out = Vec::new();
        for target in self.directions(a) {
            if target[0].0 == target[1].0 && target[0].1 != target[1].1 {
                continue;
            }
            out.push(self.steps.combine(&target, premises)?);
        }
        Ok(out)
    }

    fn relate_connective(&mut self, a: AletheId) -> Result<Vec<StepId>, Trouble> {
        let image = self.images[&a];
        let args = self.steps.terms[a].args.clone();
        let mut roots = vec![a, image];
        let mut premises = Vec::new();
        for &x in &args {
            roots.push(self.images.get(&x).copied().unwrap_or(x));
            let (atom, _) = self.steps.terms.literal(x);
            premises.extend(self.equivalences(x));
            premises.extend(self.equivalences(atom));
        }
        let mut trouble = None;
        for depth in [0, 1, 3] {
            let mut all = self.steps.structure_below(&roots, depth);
            all.extend(&premises);
            match self.both(a, &all) {
                Ok(steps) => return Ok(steps),
                Err(t) => trouble = Some(t),
            }
        }
        let head = &self.steps.terms[a].head;
        Err(match trouble {
            Some(Trouble::Unsupported(what)) => Trouble::Unsupported(what),
            _ => Trouble::Unsupported(format!("the simplification of `{head}`")),
        })
    }

    /// `distinct` as its definition by equalities, which are related in its place.
    fn relate_distinct(&mut self, a: AletheId) -> Result<Vec<StepId>, Trouble> {
        let args = self.steps.terms[a].args.clone();
        let mut parts = Vec::new();
        let mut premises = Vec::new();
        for (i, &x) in args.iter().enumerate() {
            for &y in &args[i + 1..] {
                let equal = self.steps.terms.formula("=", &[x, y]);
                let [p, q] = [x, y].map(|t| self.terms_of.get(&t).copied());
                let (Some(p), Some(q)) = (p, q) else {
                    return Err(Trouble::Unsupported("`distinct` of formulas".into()));
                };
                if self.steps.terms[x].kind == Kind::Bool {
                    return Err(Trouble::Unsupported("`distinct` of formulas".into()));
                }
                let term = self.pool.eq(p, q);
                self.relate_one(equal, term)?;
                premises.extend(self.equivalences(equal));
                parts.push(self.steps.terms.not(equal));
            }
        }
        let meaning = match parts[..] {
            [one] => one,
            _ => self.steps.terms.formula("and", &parts),
        };
        let defined = self.steps.terms.formula("=", &[a, meaning]);
        premises.push(
            self.steps
                .add("distinct_elim", vec![defined], Vec::new(), Vec::new()),
        );
        premises.extend(self.steps.structure(defined));
        let image = self.images[&a];
        premises.extend(self.steps.structure_below(&[meaning, image], 1));
        self.both(a, &premises)
    }

    /// A comparison of numbers and the solver's normal form of it.
    fn relate_comparison(&mut self, a: AletheId) -> Result<Vec<StepId>, Trouble> {
        let (image, sign) = self.steps.terms.literal(self.images[&a]);
        let constant = match &*self.steps.terms[image].head {
            "true" => Some(sign),
            "false" => Some(!sign),
            _ => None,
        };
        if let Some(value) = constant {
            let step = match self.literal_or((a, value), None) {
                Ok(step) => step,
                Err(_) => self.no_integers(a)?,
            };
            let mut premises = vec![step];
            premises.extend(self.steps.structure(image));
            return self.both(a, &premises);
        }
        let mut out = Vec::new();
        for [(x, p), (y, q)] in self.directions(a) {
            if x == y && p != q {
                continue;
            }
            // The side that is a positive equality is derived from the other.
            let (wanted, given) = match (p && self.is_equality(x), q && self.is_equality(y)) {
                (true, _) => ((x, p), (y, q)),
                _ => ((y, q), (x, p)),
            };
            out.push(self.literal_or(wanted, Some(given))?);
        }
        Ok(out)
    }

    /// That an equation over integers is false because of a common divisor of its coefficients: it is cut in two.
    fn no_integers(&mut self, a: AletheId) -> Result<StepId, Trouble> {
        let unsupported = || Trouble::Unsupported("an equation without integer solutions".into());
        let (x, y) = self.steps.terms.binary(a, &["="]).ok_or_else(unsupported)?;
        let cut = self.middle(x, y).ok_or_else(unsupported)?;
        let one_way = self.linear(&[(cut, true), (a, false)])?;
        let other_way = self.linear(&[(cut, false), (a, false)])?;
        self.steps.combine(&[(a, false)], &[one_way, other_way])
    }

    fn is_equality(&self, a: AletheId) -> bool {
        &*self.steps.terms[a].head == "="
    }

    /// A comparison, or another one.
    fn literal_or(&mut self, wanted: Literal, given: Option<Literal>) -> Result<StepId, Trouble> {
        let others: Vec<Literal> = given.into_iter().collect();
        if let (true, Some((x, y))) = (wanted.1, self.steps.terms.binary(wanted.0, &["="])) {
            return self.equality(x, y, &others);
        }
        let mut clause = vec![wanted];
        clause.extend(others);
        self.linear(&clause)
    }

    /// An equality of terms that are no numbers.
    fn relate_equality(&mut self, a: AletheId, term: TermId) -> Result<Vec<StepId>, Trouble> {
        if self.pool.op(term) != Op::True {
            let (step, _) = self.congruent(a)?;
            let with = self.images[&a];
            // Checkers take both orders of the sides here.
            let equal = self.steps.terms.formula("=", &[a, with]);
            let premises = self.steps.steps[step].premises.clone();
            let step = match premises.is_empty() {
                true => return self.exchanged(a, with),
                false => self.steps.add("cong", vec![equal], premises, Vec::new()),
            };
            return self.by_equivalence(a, with, step);
        }
        // Both sides are one term to the solver.
        let args = self.steps.terms[a].args.clone();
        let mut premises = Vec::new();
        for &x in &args {
            let image = self.images.get(&x).copied().unwrap_or(x);
            if image != x {
                premises.push(self.same(x, image)?);
            }
        }
        let step = match premises.len() {
            0 => self.steps.add("refl", vec![a], Vec::new(), Vec::new()),
            1 => {
                let same = self.steps.terms.formula("=", &[args[0], args[0]]);
                premises.push(self.steps.add("refl", vec![same], Vec::new(), Vec::new()));
                self.steps.add("trans", vec![a], premises, Vec::new())
            }
            _ => self.steps.add("trans", vec![a], premises, Vec::new()),
        };
        let mut all = vec![step];
        all.extend(self.steps.structure(self.images[&a]));
        self.both(a, &all)
    }

    /// The same equality with its sides in the other order.
    fn exchanged(&mut self, a: AletheId, image: AletheId) -> Result<Vec<StepId>, Trouble> {
        let mut out = Vec::new();
        for (from, to) in [(a, image), (image, a)] {
            out.push(self.turned(from, to)?);
        }
        Ok(out)
    }

    /// By an equivalence between the formula and another that is its image.
    fn by_equivalence(
        &mut self,
        a: AletheId,
        with: AletheId,
        step: StepId,
    ) -> Result<Vec<StepId>, Trouble> {
        let equal = self.steps.terms.formula("=", &[a, with]);
        let mut premises = self.steps.structure(equal);
        premises.push(step);
        if with != self.images[&a] {
            return Err(Trouble::Unsupported(format!(
                "the simplification of `{}`",
                self.steps.terms[a].head
            )));
        }
        self.both(a, &premises)
    }
}

/// Numerals and the two constants of Bool.
fn is_value(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit()) || matches!(text, "true" | "false")
}
