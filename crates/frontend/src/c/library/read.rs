//! The models read once: their tokens and their tree are the same for every program.
//!
//! Symbols of the models come first in every interner that begins as a copy of [`Read::names`], so a tree that was
//! made once fits all of them.

use super::models;
use crate::c::syntax::ast::File;
use crate::c::syntax::lexer::{self, Interner, Lexed};
use crate::c::syntax::parser::{self, SyntaxError};
use std::sync::OnceLock;

pub(in crate::c) struct Read {
    pub text: &'static str,
    pub names: Interner<'static>,
    pub lexed: Lexed,
    pub tree: File,
    pub errors: Vec<SyntaxError>,
}

pub(in crate::c) fn read() -> &'static Read {
    static READ: OnceLock<Read> = OnceLock::new();
    READ.get_or_init(|| {
        let text = models::text();
        let mut names = Interner::new();
        let lexed = lexer::lex(text, &mut names);
        let (tree, errors) = parser::parse(&lexed, &names);
        Read {
            text,
            names,
            lexed,
            tree,
            errors,
        }
    })
}
