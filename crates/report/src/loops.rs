//! The assertions of a proof at the loops of the source.
//!
//! A proof about the inlined program has an assertion per copy of a loop; at the loop in the source
//! their disjunction holds. Each copy is first weakened to what a reader at that loop can see:
//! conjuncts over variables of other functions, shadowed or not yet declared names, and memory
//! regions are dropped.

use crate::c_expr::{Named, Style, c_conjunction};
use crate::tidy::tidy;
use crate::{Subject, acsl};
use base::{FxHashMap, Id};
use evidence::{Proof, Subject as About};
use logic::TermId;
use program::{FuncId, LocId, Program, Span, VarId, VarKind};
use std::collections::{BTreeMap, BTreeSet};

/// What holds whenever control is at a loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoopInvariant {
    /// The keyword of the loop statement.
    pub span: Span,
    pub function: String,
    /// For people; every variable that has a name in the source.
    pub text: String,
    /// Facts about memory that have no words.
    pub unsaid: usize,
    /// A C expression that validators accept, if one is left.
    pub strict: Option<String>,
}

/// Invariants of all loops that have a place in the source, in order of place.
pub fn loop_invariants(subject: &Subject<'_>, proof: &Proof) -> Vec<LoopInvariant> {
    let program = subject.program;
    let about = &subject.verdict.record().subject;
    let target = about.program(program);
    let owners = owners(program);
    let shadowed = shadowed_names(program);
    let mut var_of: FxHashMap<TermId, VarId> = FxHashMap::default();
    for (id, var) in target.vars.iter_enumerated() {
        let original = match about {
            About::Inlined(i) => i.back.var(id).unwrap_or(id),
            _ => id,
        };
        // The cone of a program has a few variables and locations of its own.
        if original.index() < program.vars.len() || matches!(about, About::LoopFree(_)) {
            var_of.insert(var.term, original);
        }
    }
    let mut formulas: Vec<(LocId, TermId)> = Vec::new();
    match about {
        About::LoopFree(l) => {
            // What a loop function requires of its parameters holds whenever its head is reached.
            for (f, head) in &l.heads {
                let params = &l.program.functions[*f].params;
                for (&p, &v) in params.iter().zip(&head.variables) {
                    var_of.insert(l.program.vars[p].term, v);
                }
                if let Some(contract) = proof.contracts.get(f) {
                    formulas.push((head.head, contract.requires));
                }
            }
        }
        About::Inlined(i) => {
            let given = proof.invariants.iter();
            formulas.extend(given.filter_map(|(&l, &t)| Some((i.back.location(l)?, t))));
        }
        About::Original | About::Cone(_) => {
            formulas.extend(proof.invariants.iter().map(|(&l, &t)| (l, t)))
        }
    }
    formulas.retain(|(l, _)| l.index() < program.locations.len());
    let mut people: BTreeMap<LocId, (BTreeSet<String>, usize)> = BTreeMap::new();
    let mut strict: BTreeMap<LocId, Vec<Option<String>>> = BTreeMap::new();
    for (origin, formula) in formulas {
        let Some(span) = program.locations[origin].loop_head.filter(Span::is_known) else {
            continue;
        };
        if formula == subject.pool.ff() {
            // This copy of the loop is never reached.
            people.entry(origin).or_default();
            strict.entry(origin).or_default();
            continue;
        }
        let function = program.locations[origin].func;
        let visible = |t: TermId, check_place: bool| -> Option<Named> {
            let var = *var_of.get(&t)?;
            let data = program.vars.get(var)?;
            let name = data.source_name.clone()?;
            let here = data.kind == VarKind::Global || owners[&var] == function;
            let array = !subject.pool.is_arith(data.sort) && data.sort != subject.pool.bool_sort();
            // Addresses are numbers of our memory model only.
            let pointer = data.source_type.as_ref().is_some_and(|t| t.contains('*'));
            let unsaid = array || pointer || !declared_before(data.span, span);
            if !here || (check_place && unsaid) {
                return None;
            }
            if check_place && shadowed.contains(&(function, name.clone())) {
                return None;
            }
            Some(Named {
                text: name,
                range: data.range.clone(),
            })
        };
        let free = |t: TermId| program.vars.get(*var_of.get(&t)?)?.range.clone();
        let conjuncts = tidy(subject.pool, formula, &free);
        let named = |t: TermId| {
            visible(t, false).or_else(|| {
                let data = program.vars.get(*var_of.get(&t)?)?;
                let name = data.source_name.as_ref()?;
                let owner = program.functions[*owners.get(var_of.get(&t)?)?].written_name();
                (!owner.contains('.')).then(|| Named {
                    text: format!("{owner}::{name}"),
                    range: data.range.clone(),
                })
            })
        };
        let original = |t: TermId| var_of.get(&t).map_or(t, |v| program.vars[*v].term);
        let names = acsl::Names {
            name: &named,
            original: &original,
        };
        let (said, left) = acsl::people(subject, &conjuncts, &names);
        let entry = people.entry(origin).or_default();
        entry.0.insert(match said.is_empty() {
            true => "1".into(),
            false => said.join(" && "),
        });
        entry.1 += left;
        strict.entry(origin).or_default().push(c_conjunction(
            subject.pool,
            &conjuncts,
            Style::Strict,
            &|t| visible(t, true),
        ));
    }
    let mut out: Vec<LoopInvariant> = people
        .into_iter()
        .filter_map(|(loc, (texts, unsaid))| {
            let location = &program.locations[loc];
            Some(LoopInvariant {
                span: location.loop_head?,
                function: program.functions[location.func].written_name().to_string(),
                text: either(texts.into_iter().collect()),
                unsaid,
                // One copy that says nothing makes the disjunction say nothing.
                strict: strict
                    .remove(&loc)?
                    .into_iter()
                    .collect::<Option<BTreeSet<String>>>()
                    .map(|set| either(set.into_iter().collect())),
            })
        })
        .collect();
    out.sort_by_key(|l| l.span);
    out
}

fn either(texts: Vec<String>) -> String {
    match texts.as_slice() {
        [] => "0".into(),
        [single] => single.clone(),
        _ if texts.iter().any(|t| t == "1") => "1".into(),
        _ => texts
            .iter()
            .map(|t| format!("({t})"))
            .collect::<Vec<_>>()
            .join(" || "),
    }
}

fn declared_before(declaration: Span, place: Span) -> bool {
    declaration.is_known()
        && (declaration.file != place.file
            || (declaration.line, declaration.column) < (place.line, place.column))
}

/// The function each parameter, return and local belongs to.
fn owners(program: &Program) -> FxHashMap<VarId, FuncId> {
    let mut out = FxHashMap::default();
    for (id, f) in program.functions.iter_enumerated() {
        for &v in f.params.iter().chain(&f.returns).chain(&f.locals) {
            out.insert(v, id);
        }
    }
    // Globals have no owner; callers look at the kind first.
    for &g in &program.globals {
        out.insert(g, program.entry);
    }
    out
}

/// Names that mean two things in one function.
fn shadowed_names(program: &Program) -> BTreeSet<(FuncId, String)> {
    let globals: BTreeSet<&str> = program
        .globals
        .iter()
        .filter_map(|&g| program.vars[g].source_name.as_deref())
        .collect();
    let mut out = BTreeSet::new();
    for (id, f) in program.functions.iter_enumerated() {
        let mut seen = globals.clone();
        for &v in f.params.iter().chain(&f.locals) {
            if let Some(name) = program.vars[v].source_name.as_deref()
                && !seen.insert(name)
            {
                out.insert((id, name.to_string()));
            }
        }
    }
    out
}
