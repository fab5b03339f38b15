//! SMT-LIB 2.6: reading scripts and terms, printing terms, models and declarations.
//!
//! ```text
//! text --Reader--> Tree of SExpr --TermParser/ScriptReader--> terms, commands --print--> text
//! ```
//!
//! Errors are values with positions; after one, reading goes on with the next command. Nothing
//! here recurses over the input, and time is linear in it.

mod builtin;
mod model;
mod name;
mod partitions;
mod prelude;
mod print;
mod scope;
mod script;
mod sexpr;
mod source;
mod term;
mod words;

pub use model::{print_definition, print_model, print_value};
pub use name::{decode_symbol, print_symbol};
pub use partitions::Partitions;
pub use prelude::{declaration, declarations, prelude, prelude_with};
pub use print::{Printer, print_sort, print_term};
pub use scope::{Mark, Scope};
pub use script::{Command, CommandKind, Script, ScriptReader, SyntaxErrors, parse_script};
pub use sexpr::{Children, Kind, Position, Reader, SExpr, SyntaxError, Tree};
pub use source::{Source, SourceId, Sources};
pub use term::{Hooks, NoHooks, TermParser, parse_term};
