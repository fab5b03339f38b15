//! Text to syntax tree: tokens ([`lexer`]), the tree ([`ast`]), the parser.

pub mod ast;
pub mod encoding;
pub mod lexer;
pub mod parser;
