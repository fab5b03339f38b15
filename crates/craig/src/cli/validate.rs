//! `craig validate`: a certificate or a witness, judged again.

use super::args::ValidateArgs;
use super::config::Config;
use super::{conclude, read, say};
use craig::{Error, Verdict};

/// Runs the command; the result is the exit status.
pub fn validate(args: &ValidateArgs) -> Result<u8, Error> {
    let config = Config::of(
        &args.files,
        args.source.config.as_deref(),
        !args.source.no_config,
    )?;
    let options = args.source.options(&config)?;
    let budget = args.budget.or(&config).budget();
    if let Some(path) = &args.witness {
        let text = read(path)?;
        let open = craig::witness::Open {
            property: args.source.property.is_none() && config.property.is_none(),
            data_model: !args.source.b32 && !args.source.b64 && config.data_model.is_none(),
        };
        let name = path.display().to_string();
        if args.strict {
            craig::witness::hold_to_rules(&name, &text)?;
        }
        let end = craig::on_deep_stack(|| {
            craig::witness::validate(&args.files, &options, open, (&name, &text), &budget)
        })?;
        say(&end.account);
        return Ok(conclude(end.verdict.get().kind()));
    }
    let Some(path) = &args.certificate else {
        return Err(Error::Message(
            "validate needs --certificate F or --witness F.yml".into(),
        ));
    };
    let text = read(path)?;
    let (kind, account) = craig::on_deep_stack(|| {
        let mut loaded = craig::load(&args.files, &options)?;
        let checked = craig::validate::check_certificate(&mut loaded, &text, &budget)?;
        let account = match checked.get() {
            Verdict::Unknown(reason) => format!(
                "The certificate was rejected.\n  why: {}\n",
                report::reason_text(reason, &loaded.sources)
            ),
            _ => format!(
                "The certificate was accepted: {} obligations hold.\n",
                checked.record().obligations
            ),
        };
        Ok((checked.get().kind(), account))
    })?;
    say(&account);
    Ok(conclude(kind))
}
