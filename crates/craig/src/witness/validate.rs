//! `craig validate`: re-checks a certificate, or the verdict that a witness claims.

use crate::{Error, Loaded};
use base::Budget;
use evidence::{Checked, Reason, Verdict, certificate};
use logic::Pool;
use program::Program;
use serde_json::{Value as Json, json};

/// The hash that certificates name their program by.
pub fn program_hash(pool: &Pool, program: &Program) -> String {
    report::sha256(program::text::print(pool, program).as_bytes())
}

/// The certificate of a proof, as JSON.
pub fn write_certificate(outcome: &mut crate::Outcome) -> Result<Option<Json>, Reason> {
    let Verdict::Safe(proof) = outcome.verdict.get() else {
        return Ok(None);
    };
    let proof = proof.clone();
    let input = &mut outcome.input;
    let hash = program_hash(&input.pool, &input.program);
    let heading = certificate::Heading {
        program_hash: &hash,
        sources: &input.sources,
        options: json!({
            "data_model": input.options.data_model(),
            "wrapv": input.options.wrapv,
            "entry": input.options.entry,
            "specification": input.options.properties.specification,
        }),
    };
    certificate::write(&mut input.pool, &input.program, &proof, &heading).map(Some)
}

/// Checks a certificate against the program: the checker derives all obligations itself.
pub fn check_certificate(
    loaded: &mut Loaded,
    text: &str,
    budget: &Budget,
) -> Result<Checked<Verdict>, Error> {
    let json: Json =
        serde_json::from_str(text).map_err(|e| format!("the certificate is no JSON: {e}"))?;
    let hash = program_hash(&loaded.pool, &loaded.program);
    if certificate::program_hash(&json) != Some(hash.as_str()) {
        return Err(Error::Message(format!(
            "the certificate speaks of another program (other file, options or version); \
             this one has the sha256 {hash}"
        )));
    }
    let proof = certificate::read(&mut loaded.pool, &loaded.program, &json)
        .map_err(|e| format!("the certificate cannot be read: {e}"))?;
    Ok(evidence::check(
        &mut loaded.pool,
        &loaded.program,
        Verdict::Safe(proof),
        budget,
    ))
}
