//! Certificates: a proof written down so that others can check it (see `docs/certificates.md`).
//!
//! A certificate is a JSON object. It names the program by the hash of its text form, gives the
//! assertions and contracts as SMT-LIB text, and states every obligation as a script on which any
//! SMT-LIB solver must answer `unsat` to each `check-sat`. Reading one back gives a [`Proof`] that
//! goes through the checker like an engine's; the scripts are for other solvers only.

use crate::checked::{describe, subject};
use crate::obligations::{Obligation, Sink, walk};
use crate::{Contract, Proof, Reason, Rest, Scope};
use base::{Budget, FxHashMap};
use logic::{Pool, TermId, smtlib};
use program::passes::Detail;
use program::{LocId, Program, SourceMap, Span};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The name of the format, which every certificate states.
pub const FORMAT: &str = "craig-certificate";
/// Its version.
pub const VERSION: u64 = 1;

/// Obligations with common hypotheses, as one SMT-LIB script.
#[derive(Clone, Debug)]
pub struct Script {
    /// What each `check-sat` of the script shows, in order.
    pub shows: Vec<String>,
    /// The script.
    pub text: String,
}

/// Every obligation of a proof as SMT-LIB scripts.
pub fn scripts(pool: &mut Pool, program: &Program, proof: &Proof) -> Result<Vec<Script>, Reason> {
    let mut out = scripts_of_part(pool, &proof.own_part(program), proof)?;
    for rest in &proof.rest {
        out.extend(scripts(pool, &rest.part(program), &rest.proof)?);
    }
    Ok(out)
}

fn scripts_of_part(
    pool: &mut Pool,
    program: &Program,
    proof: &Proof,
) -> Result<Vec<Script>, Reason> {
    if proof.scope.is_executed() {
        return Ok(Vec::new());
    }
    let subject = subject(pool, program, proof, &Budget::unlimited())?;
    let target = subject.program(program);
    let mut writer = Writer {
        program: target,
        scripts: Vec::new(),
    };
    walk(pool, target, proof, &mut writer)?;
    Ok(writer.scripts)
}

struct Writer<'a> {
    program: &'a Program,
    scripts: Vec<Script>,
}

impl Sink for Writer<'_> {
    fn group(
        &mut self,
        pool: &mut Pool,
        hypotheses: &[TermId],
        obligations: &[Obligation],
    ) -> Result<(), Reason> {
        let mut roots = hypotheses.to_vec();
        roots.extend(obligations.iter().map(|o| o.violation));
        let mut text = String::from("(set-logic ALL)\n");
        text.push_str(&smtlib::prelude(pool, &roots));
        text.push_str(&smtlib::declarations(pool, &roots));
        let hypothesis = pool.and(hypotheses);
        for part in pool.conjuncts(hypothesis) {
            let _ = writeln!(text, "(assert {})", smtlib::print_term(pool, part));
        }
        let mut shows = Vec::new();
        for o in obligations {
            let what = describe(self.program, o.duty);
            let _ = writeln!(
                text,
                "; {what}\n(push 1)\n(assert {})\n(check-sat)\n(pop 1)",
                smtlib::print_term(pool, o.violation)
            );
            shows.push(what);
        }
        self.scripts.push(Script { shows, text });
        Ok(())
    }
}

/// What the certificate says about its program besides the proof.
pub struct Heading<'a> {
    /// SHA-256 of the program's text form.
    pub program_hash: &'a str,
    /// The files that places belong to.
    pub sources: &'a SourceMap,
    /// How to get the program again: options of the front end.
    pub options: Json,
}

/// The certificate of a proof.
pub fn write(
    pool: &mut Pool,
    program: &Program,
    proof: &Proof,
    heading: &Heading<'_>,
) -> Result<Json, Reason> {
    let scripts = scripts(pool, program, proof)?;
    let mut certificate = write_proof(pool, program, proof, heading)?;
    certificate["obligations"] = scripts
        .iter()
        .map(|s| json!({ "shows": s.shows, "script": s.text }))
        .collect();
    Ok(certificate)
}

/// The certificate of a proof without scripts for other solvers, which [`read`] does not need.
pub fn write_proof(
    pool: &mut Pool,
    program: &Program,
    proof: &Proof,
    heading: &Heading<'_>,
) -> Result<Json, Reason> {
    let mut out = write_part(pool, &proof.own_part(program), proof, heading)?;
    let mut parts = Vec::new();
    for rest in &proof.rest {
        let errors: Vec<usize> = rest.errors.iter().map(|l| base::Id::index(*l)).collect();
        let proof = write_proof(pool, &rest.part(program), &rest.proof, heading)?;
        parts.push(json!({ "errors": errors, "proof": proof }));
    }
    if !parts.is_empty() {
        out["rest"] = Json::from(parts);
    }
    Ok(out)
}

fn write_part(
    pool: &mut Pool,
    program: &Program,
    proof: &Proof,
    heading: &Heading<'_>,
) -> Result<Json, Reason> {
    let subject = subject(pool, program, proof, &Budget::unlimited())?;
    let target = subject.program(program);
    let invariants: Vec<Json> = proof
        .invariants
        .iter()
        .map(|(&loc, &formula)| {
            let location = &target.locations[loc];
            let mut entry = place(heading.sources, location.span);
            entry["location"] = json!(base::Id::index(loc));
            entry["function"] = json!(target.functions[location.func].name);
            entry["formula"] = json!(smtlib::print_term(pool, formula));
            entry
        })
        .collect();
    let contracts: Vec<Json> = proof
        .contracts
        .iter()
        .map(|(&f, c)| {
            json!({
                "function": target.functions[f].name,
                "requires": smtlib::print_term(pool, c.requires),
                "ensures": smtlib::print_term(pool, c.ensures),
            })
        })
        .collect();
    let assumptions: Vec<&str> = program
        .assumptions
        .iter()
        .map(|n| n.message.as_str())
        .collect();
    let mut out = json!({
        "format": FORMAT,
        "version": VERSION,
        "program": { "sha256": heading.program_hash, "options": heading.options },
        "scope": proof.scope.as_str(),
        "assumptions": assumptions,
        "invariants": invariants,
        "contracts": contracts,
    });
    if let Some(detail) = proof.cone {
        out["cone"] = Json::from(detail.as_str());
    }
    Ok(out)
}

fn place(sources: &SourceMap, span: Span) -> Json {
    match sources.files.get(span.file) {
        Some(file) if span.is_known() => {
            json!({ "file": file.name, "line": span.line, "column": span.column })
        }
        _ => json!({}),
    }
}

/// Reads a proof back. The caller compares the hash (see [`program_hash`]) and runs the checker.
pub fn read(pool: &mut Pool, program: &Program, certificate: &Json) -> Result<Proof, String> {
    let location = |n: &Json| {
        let index = n.as_u64().and_then(|n| usize::try_from(n).ok());
        let index = index.filter(|&n| n < program.locations.len());
        index
            .map(base::Id::from_index)
            .ok_or("`rest` names no location of the program")
    };
    let mut rest = Vec::new();
    for part in certificate["rest"].as_array().into_iter().flatten() {
        let errors = list(&part["errors"], "errors")?.iter().map(location);
        let mut read_so_far = Rest {
            errors: errors.collect::<Result<_, _>>()?,
            proof: Proof::by(Scope::Modular),
        };
        read_so_far.proof = read(pool, &read_so_far.part(program), &part["proof"])?;
        rest.push(read_so_far);
    }
    let mut proof = Proof {
        rest,
        ..Proof::by(Scope::Modular)
    };
    let own = read_part(pool, &proof.own_part(program), certificate)?;
    proof.scope = own.scope;
    proof.cone = own.cone;
    proof.invariants = own.invariants;
    proof.contracts = own.contracts;
    Ok(proof)
}

fn read_part(pool: &mut Pool, program: &Program, certificate: &Json) -> Result<Proof, String> {
    if certificate["format"] != FORMAT || certificate["version"] != VERSION {
        return Err(format!("this is no {FORMAT} of version {VERSION}"));
    }
    let scope = match certificate["scope"].as_str() {
        Some("modular") => Scope::Modular,
        Some("inlined") => Scope::Inlined,
        Some("recursive") => Scope::Recursive,
        Some("executed") => Scope::Executed,
        Some("shapes") => Scope::Shapes,
        Some("sites") => Scope::Sites,
        Some("tables") => Scope::Tables,
        Some("unrolled") => Scope::Unrolled,
        _ => return Err("`scope` is none of `modular`, `inlined`, `recursive`, `executed`, `shapes`, `tables`, `unrolled`".into()),
    };
    let mut proof = Proof {
        rest: Vec::new(),
        cone: certificate["cone"].as_str().and_then(Detail::named),
        scope,
        invariants: BTreeMap::new(),
        contracts: BTreeMap::new(),
    };
    let subject = match subject(pool, program, &proof, &Budget::unlimited()) {
        Ok(subject) => subject,
        Err(_) => return Err("the program cannot be inlined".into()),
    };
    let target = subject.program(program);
    for entry in list(&certificate["invariants"], "invariants")? {
        let index = entry["location"]
            .as_u64()
            .and_then(|n| usize::try_from(n).ok())
            .filter(|&n| n < target.locations.len())
            .ok_or("an invariant names no location of the program")?;
        let loc: LocId = base::Id::from_index(index);
        let formula = formula(pool, target, &entry["formula"])?;
        proof.invariants.insert(loc, formula);
    }
    for entry in list(&certificate["contracts"], "contracts")? {
        let name = entry["function"].as_str().unwrap_or_default();
        let function = target
            .functions
            .iter_enumerated()
            .find(|(_, f)| f.name == name)
            .map(|(id, _)| id)
            .ok_or(format!("there is no function `{name}`"))?;
        let requires = formula(pool, target, &entry["requires"])?;
        let ensures = formula(pool, target, &entry["ensures"])?;
        proof
            .contracts
            .insert(function, Contract { requires, ensures });
    }
    Ok(proof)
}

/// The hash of the program that a certificate speaks of.
pub fn program_hash(certificate: &Json) -> Option<&str> {
    certificate["program"]["sha256"].as_str()
}

fn list<'a>(json: &'a Json, what: &str) -> Result<&'a [Json], String> {
    json.as_array()
        .map(Vec::as_slice)
        .ok_or(format!("`{what}` is no list"))
}

fn formula(pool: &mut Pool, program: &Program, json: &Json) -> Result<TermId, String> {
    let text = json.as_str().ok_or("a formula is no string")?;
    // Old values are declared here, for no engine has run.
    let mut names: FxHashMap<String, TermId> = FxHashMap::default();
    for (id, var) in program.vars.iter_enumerated() {
        names.insert(var.name.clone(), var.term);
        let old = program::old_term(pool, program, id);
        names.insert(format!("old({})", var.name), old);
    }
    for number in 0..program::MOST_ANY {
        names.insert(program::any_name(number), program::any_term(pool, number));
    }
    let term = smtlib::parse_term(pool, text, &|name| names.get(name).copied())
        .map_err(|e| format!("{e}"))?;
    if pool.sort_of(term) == pool.bool_sort() {
        Ok(term)
    } else {
        Err("a formula is not Boolean".into())
    }
}
