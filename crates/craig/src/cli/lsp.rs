//! `craig lsp`.
use super::args::LspArgs;
use craig::Error;

pub fn serve(_args: &LspArgs) -> Result<u8, Error> {
    Ok(0)
}
