//! The text of a proof: only steps that the last one needs, in order; terms that are used more than once get a name.

use super::steps::{StepId, Steps};
use super::terms::AletheId;
use base::{FxHashMap, Id};
use std::fmt::Write;

/// Terms of fewer symbols are repeated.
const SMALL: usize = 6;

pub(super) fn print(steps: &Steps, root: StepId) -> String {
    let mut needed = vec![false; root.index() + 1];
    needed[root.index()] = true;
    for i in (0..=root.index()).rev() {
        if needed[i] {
            for p in &steps.steps[StepId::from_index(i)].premises {
                needed[p.index()] = true;
            }
        }
    }
    let mut order: Vec<StepId> = (0..=root.index())
        .filter(|&i| needed[i])
        .map(StepId::from_index)
        .collect();
    order.sort_by_key(|&id| steps.steps[id].rule != "assume");
    let mut printer = Printer {
        steps,
        uses: vec![0; steps.terms.len()],
        sizes: vec![0; steps.terms.len()],
        named: FxHashMap::default(),
        out: String::new(),
    };
    for &id in &order {
        let step = &steps.steps[id];
        for &a in step.conclusion.iter().chain(&step.args) {
            printer.count(a);
        }
    }
    let mut names: FxHashMap<StepId, String> = FxHashMap::default();
    for (n, &id) in order.iter().enumerate() {
        let step = &steps.steps[id];
        let assumed = step.rule == "assume";
        let name = format!("{}{}", if assumed { 'h' } else { 't' }, n + 1);
        if assumed {
            let _ = write!(printer.out, "(assume {name} ");
            printer.term(step.conclusion[0]);
        } else {
            let _ = write!(printer.out, "(step {name} (cl");
            for &a in &step.conclusion {
                printer.out.push(' ');
                printer.term(a);
            }
            let _ = write!(printer.out, ") :rule {}", step.rule);
            if !step.premises.is_empty() {
                let list: Vec<&str> = step.premises.iter().map(|p| &*names[p]).collect();
                let _ = write!(printer.out, " :premises ({})", list.join(" "));
            }
            if !step.args.is_empty() {
                printer.out.push_str(" :args (");
                for (i, &a) in step.args.iter().enumerate() {
                    printer.out.push_str(if i > 0 { " " } else { "" });
                    printer.term(a);
                }
                printer.out.push(')');
            }
        }
        printer.out.push_str(")\n");
        names.insert(id, name);
    }
    printer.out
}

struct Printer<'s> {
    steps: &'s Steps,
    uses: Vec<u32>,
    /// Symbols in a term, 0 if not counted yet.
    sizes: Vec<usize>,
    named: FxHashMap<AletheId, usize>,
    out: String,
}

impl Printer<'_> {
    /// Counts a use, and the first time those of the arguments.
    fn count(&mut self, root: AletheId) {
        let mut stack = vec![(root, false)];
        while let Some((a, done)) = stack.pop() {
            let args = &self.steps.terms[a].args;
            if done {
                let sum: usize = args.iter().map(|x| self.sizes[x.index()]).sum();
                self.sizes[a.index()] = sum.saturating_add(1);
                continue;
            }
            self.uses[a.index()] += 1;
            if self.uses[a.index()] == 1 {
                stack.push((a, true));
                stack.extend(args.iter().map(|&x| (x, false)));
            }
        }
    }

    fn term(&mut self, root: AletheId) {
        enum Piece {
            Term(AletheId),
            Close(Option<AletheId>),
        }
        let mut stack = vec![Piece::Term(root)];
        while let Some(piece) = stack.pop() {
            match piece {
                Piece::Close(name) => {
                    self.out.push(')');
                    if let Some(a) = name {
                        let n = self.named.len() + 1;
                        self.named.insert(a, n);
                        let _ = write!(self.out, " :named @p{n})");
                    }
                }
                Piece::Term(a) => {
                    if let Some(n) = self.named.get(&a).copied() {
                        self.space();
                        let _ = write!(self.out, "@p{n}");
                        continue;
                    }
                    self.space();
                    let node = &self.steps.terms[a];
                    if node.args.is_empty() {
                        self.out.push_str(&node.head);
                        continue;
                    }
                    let shared = self.uses[a.index()] > 1 && self.sizes[a.index()] >= SMALL;
                    self.out.push_str(if shared { "(! (" } else { "(" });
                    self.out.push_str(&node.head);
                    stack.push(Piece::Close(shared.then_some(a)));
                    stack.extend(node.args.iter().rev().map(|&x| Piece::Term(x)));
                }
            }
        }
    }

    /// A space, unless one is there or a parenthesis was just opened.
    fn space(&mut self) {
        if !self.out.ends_with([' ', '(']) {
            self.out.push(' ');
        }
    }
}
