//! `craig lsp`: from arguments to a server on standard input and output.

use super::args::LspArgs;
use super::config::Config;
use super::options::seconds;
use craig::Error;
use std::path::Path;

/// Serves until the editor says goodbye; the result is the exit status.
pub fn serve(args: &LspArgs) -> Result<u8, Error> {
    let time = seconds(args.time, "--time")?;
    let source = &args.source;
    let options = |file: &Path| {
        let files = [file.to_path_buf()];
        let config = Config::of(&files, source.config.as_deref(), !source.no_config)?;
        source.options(&config)
    };
    craig::lsp::serve(time, &options)?;
    Ok(0)
}
