//! The reader of LLVM assembly: what clang 14 and later and rustc write.
//!
//! What the translation does not need (attributes, alignments, comdats, linkage details) is read over.
//! A text that is no assembly gives one error with its place.

mod call;
mod constant;
mod function;
mod instruction;
mod types;

use super::lex::{Lexer, Token, plain};
use super::module::{Function, Global, Module, Type, Value, ValueId};
use base::FxHashMap;

/// What is wrong with the text, and where (byte offsets).
#[derive(Clone, Debug)]
pub struct SyntaxError {
    pub start: usize,
    pub end: usize,
    pub message: String,
}

pub(super) type Result<T> = std::result::Result<T, SyntaxError>;

pub struct Parser<'t> {
    pub(super) lex: Lexer<'t>,
    pub(super) module: Module<'t>,
    /// Names of the function being read.
    pub(super) values: FxHashMap<&'t str, ValueId>,
    pub(super) blocks: FxHashMap<&'t str, super::module::BlockId>,
    pub(super) current: Option<Function<'t>>,
    /// The next number of an unnamed value or block.
    pub(super) counter: u32,
}

/// Reads a module.
pub fn parse(text: &str) -> Result<Module<'_>> {
    let mut p = Parser {
        lex: Lexer::new(text),
        module: Module::default(),
        values: FxHashMap::default(),
        blocks: FxHashMap::default(),
        current: None,
        counter: 0,
    };
    while p.lex.token != Token::End {
        p.item()?;
    }
    p.finish_attributes();
    Ok(p.module)
}

const GLOBAL_WORDS: &[&str] = &[
    "private",
    "internal",
    "available_externally",
    "linkonce",
    "weak",
    "common",
    "appending",
    "extern_weak",
    "linkonce_odr",
    "weak_odr",
    "external",
    "dso_local",
    "dso_preemptable",
    "default",
    "hidden",
    "protected",
    "dllimport",
    "dllexport",
    "thread_local",
    "unnamed_addr",
    "local_unnamed_addr",
    "externally_initialized",
];

impl<'t> Parser<'t> {
    pub(super) fn error<T>(&self, message: impl Into<String>) -> Result<T> {
        Err(SyntaxError {
            start: self.lex.start,
            end: self.lex.end,
            message: message.into(),
        })
    }

    pub(super) fn unexpected<T>(&self, wanted: &str) -> Result<T> {
        let found = match self.lex.token {
            Token::End => "the end of the text".to_string(),
            _ => format!("`{}`", self.lex.slice()),
        };
        self.error(format!("expected {wanted}, found {found}"))
    }

    pub(super) fn at(&self, token: Token) -> bool {
        self.lex.token == token
    }

    pub(super) fn at_word(&self, word: &str) -> bool {
        self.lex.token == Token::Word && self.lex.slice() == word
    }

    pub(super) fn eat(&mut self, token: Token) -> bool {
        let found = self.lex.token == token;
        if found {
            self.lex.advance();
        }
        found
    }

    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        let found = self.at_word(word);
        if found {
            self.lex.advance();
        }
        found
    }

    pub(super) fn expect(&mut self, token: Token, what: &str) -> Result<()> {
        if self.eat(token) {
            Ok(())
        } else {
            self.unexpected(what)
        }
    }

    pub(super) fn expect_word(&mut self, word: &str) -> Result<()> {
        if self.eat_word(word) {
            Ok(())
        } else {
            self.unexpected(&format!("`{word}`"))
        }
    }

    pub(super) fn word(&mut self, what: &str) -> Result<&'t str> {
        if self.lex.token != Token::Word {
            return self.unexpected(what);
        }
        let word = self.lex.slice();
        self.lex.advance();
        Ok(word)
    }

    /// Skips `( … )` with everything inside.
    pub(super) fn skip_parentheses(&mut self) -> Result<()> {
        self.expect(Token::Open, "`(`")?;
        let mut depth = 1;
        while depth > 0 {
            match self.lex.token {
                Token::Open => depth += 1,
                Token::Close => depth -= 1,
                Token::End => return self.unexpected("`)`"),
                _ => {}
            }
            self.lex.advance();
        }
        Ok(())
    }

    pub(super) fn unsigned(&mut self) -> Result<u64> {
        let value = match self.lex.token {
            Token::Int => self.lex.slice().parse().ok(),
            _ => None,
        };
        match value {
            Some(n) => {
                self.lex.advance();
                Ok(n)
            }
            None => self.unexpected("a number"),
        }
    }

    fn item(&mut self) -> Result<()> {
        match self.lex.token {
            Token::Local => self.named_type(),
            Token::Global => self.global(),
            Token::Metadata => {
                self.metadata_definition();
                Ok(())
            }
            Token::Comdat | Token::Summary => {
                self.lex.rest_of_line();
                Ok(())
            }
            Token::Word => match self.lex.slice() {
                "define" => self.function(true),
                "declare" => self.function(false),
                "source_filename" | "module" | "uselistorder" | "uselistorder_bb" => {
                    self.lex.rest_of_line();
                    Ok(())
                }
                "attributes" => {
                    self.lex.advance();
                    let group = self.lex.slice();
                    let line = self.lex.rest_of_line();
                    self.module.groups.insert(group, line);
                    Ok(())
                }
                "target" => {
                    self.lex.advance();
                    let which = self.word("`datalayout` or `triple`")?;
                    self.expect(Token::Equals, "`=`")?;
                    let value = plain(self.lex.slice());
                    self.expect(Token::String, "a string")?;
                    match which {
                        "triple" => self.module.triple = value,
                        _ => self.module.layout = value,
                    }
                    Ok(())
                }
                _ => self.unexpected("a definition"),
            },
            _ => self.unexpected("a definition"),
        }
    }

    /// `!0 = …`, `!llvm.module.flags = …`
    fn metadata_definition(&mut self) {
        let name = plain(self.lex.slice());
        self.lex.advance();
        if self.lex.token == Token::Equals {
            self.lex.advance();
        }
        let text = self.lex.rest_of_line();
        match name.parse() {
            Ok(number) => {
                self.module.metadata.insert(number, text);
            }
            Err(_) => {
                self.module.named_metadata.insert(name, text);
            }
        }
    }

    fn named_type(&mut self) -> Result<()> {
        let name = plain(self.lex.slice());
        self.lex.advance();
        self.expect(Token::Equals, "`=`")?;
        self.expect_word("type")?;
        if self.eat_word("opaque") {
            return Ok(());
        }
        let ty = self.ty()?;
        self.module.named.insert(name, ty);
        Ok(())
    }

    fn global(&mut self) -> Result<()> {
        let at = self.lex.start as u32;
        let name = plain(self.lex.slice());
        self.lex.advance();
        self.expect(Token::Equals, "`=`")?;
        let (mut internal, mut external, mut thread_local) = (false, false, false);
        while self.lex.token == Token::Word {
            let word = self.lex.slice();
            if word == "addrspace" {
                self.lex.advance();
                self.skip_parentheses()?;
                continue;
            }
            if !GLOBAL_WORDS.contains(&word) {
                break;
            }
            internal |= matches!(word, "private" | "internal");
            external |= matches!(word, "external" | "extern_weak" | "available_externally");
            thread_local |= word == "thread_local";
            self.lex.advance();
            if word == "thread_local" && self.at(Token::Open) {
                self.skip_parentheses()?;
            }
        }
        match self.word("`global`, `constant` or `alias`")? {
            "alias" | "ifunc" => {
                self.ty()?;
                self.expect(Token::Comma, "`,`")?;
                let target = self.aliasee()?;
                self.module.aliases.push((name, target));
                self.trailers()?;
                return Ok(());
            }
            kind @ ("global" | "constant") => {
                let ty = self.ty()?;
                let starts = !(self.at(Token::Comma) || self.at_item());
                let init = if starts && !external {
                    Some(self.value(ty)?)
                } else if starts {
                    // `available_externally` has one.
                    Some(self.value(ty)?)
                } else {
                    None
                };
                let (debug, align) = self.trailers()?;
                self.module.globals.push(Global {
                    name,
                    at,
                    ty,
                    constant: kind == "constant",
                    internal,
                    thread_local,
                    init,
                    debug,
                    align,
                });
            }
            _ => return self.unexpected("`global`, `constant` or `alias`"),
        }
        Ok(())
    }

    fn aliasee(&mut self) -> Result<super::module::Typed<'t>> {
        if self.at(Token::Word)
            && matches!(
                self.lex.slice(),
                "getelementptr" | "bitcast" | "addrspacecast" | "inttoptr"
            )
        {
            let ty = self.module.intern(Type::Pointer);
            let value: Value<'t> = self.value(ty)?;
            return Ok(super::module::Typed { ty, value });
        }
        self.typed()
    }

    /// Does a new top-level item begin here?
    fn at_item(&self) -> bool {
        match self.lex.token {
            Token::Global | Token::Metadata | Token::Comdat | Token::End | Token::Local => {
                self.lex.token != Token::Global || self.begins_definition()
            }
            Token::Word => matches!(
                self.lex.slice(),
                "define" | "declare" | "attributes" | "target" | "source_filename" | "module"
            ),
            _ => false,
        }
    }

    /// Is the global name followed by `=`?
    fn begins_definition(&self) -> bool {
        let ahead = &self.lex.ahead()[self.lex.slice().len()..];
        ahead.trim_start_matches([' ', '\t']).starts_with('=')
    }

    /// `align 4`, `section "x"`, `addrspace(5)`; returns an alignment.
    fn attribute_with_value(&mut self) -> Result<Option<u64>> {
        let align = self.lex.slice() == "align";
        self.lex.advance();
        let mut found = None;
        match self.lex.token {
            Token::Open => self.skip_parentheses()?,
            Token::Int | Token::String => {
                found = self.lex.slice().parse().ok().filter(|_| align);
                self.lex.advance();
            }
            _ => {}
        }
        Ok(found)
    }

    /// `, align 4, section "x", !dbg !7` after a global: its debug information and its alignment.
    fn trailers(&mut self) -> Result<(Option<u32>, Option<u64>)> {
        let (mut debug, mut align) = (None, None);
        while self.eat(Token::Comma) {
            match self.lex.token {
                Token::Metadata => {
                    let name = plain(self.lex.slice());
                    self.lex.advance();
                    let number = plain(self.lex.slice()).parse().ok();
                    self.lex.advance();
                    if name == "dbg" {
                        debug = debug.or(number);
                    }
                }
                Token::Word => align = self.attribute_with_value()?.or(align),
                _ => return self.unexpected("an attribute of the global"),
            }
        }
        // `#0` and `comdat` may follow without a comma.
        while self.at(Token::Attributes) || self.at_word("comdat") {
            self.lex.advance();
            if self.at(Token::Open) {
                self.skip_parentheses()?;
            }
        }
        Ok((debug, align))
    }

    /// Attribute groups come last in the text.
    fn finish_attributes(&mut self) {
        let groups = &self.module.groups;
        let has = |list: &[&str], word: &str| {
            list.iter().any(|a| {
                *a == word
                    || groups
                        .get(a)
                        .is_some_and(|g| g.split([' ', '{']).any(|w| w == word))
            })
        };
        for f in &mut self.module.functions {
            f.noreturn = has(&f.attributes, "noreturn");
            f.nounwind = has(&f.attributes, "nounwind");
            for block in &mut f.blocks {
                for i in &mut block.instructions {
                    if let super::module::Op::Call(call) | super::module::Op::Invoke(call, ..) =
                        &mut i.op
                    {
                        call.noreturn = has(&call.attributes, "noreturn");
                        call.nounwind = has(&call.attributes, "nounwind");
                    }
                }
            }
        }
    }
}
