//! Functions: headers, blocks, names of values.

use super::super::lex::{Token, plain};
use super::super::module::{Block, BlockId, Function, LocalValue, Op, Param, Ty, ValueId};
use super::{Parser, Result};
use base::FxHashMap;

/// Attributes of one parameter or result that matter.
#[derive(Default)]
pub(super) struct ValueAttributes {
    pub byval: Option<Ty>,
    pub sign: Option<bool>,
}

impl<'t> Parser<'t> {
    pub(super) fn function(&mut self, body: bool) -> Result<()> {
        let at = self.lex.start as u32;
        self.lex.advance();
        let mut subprogram = None;
        // A declaration may begin with its metadata.
        while self.at(Token::Metadata) {
            let name = plain(self.lex.slice());
            self.lex.advance();
            let number = plain(self.lex.slice()).parse().ok();
            if name == "dbg" {
                subprogram = number;
            }
            self.lex.advance();
        }
        let (mut internal, mut weak) = (false, false);
        while self.at(Token::Word) && !self.at_type() {
            let word = self.lex.slice();
            let known = super::GLOBAL_WORDS.contains(&word);
            if !known && !is_calling_convention(word) {
                break;
            }
            internal |= matches!(word, "internal" | "private");
            weak |=
                word.starts_with("weak") || word.starts_with("linkonce") || word == "extern_weak";
            self.lex.advance();
            if word == "cc" && self.at(Token::Int) {
                self.lex.advance();
            }
        }
        let ret_sign = self.value_attributes()?.sign;
        let ret = self.ty()?;
        let name = plain(self.lex.slice());
        self.expect(Token::Global, "the name of a function")?;
        self.current = Some(Function {
            name,
            at,
            ret,
            ret_sign,
            params: Vec::new(),
            variadic: false,
            internal,
            weak,
            attributes: Vec::new(),
            noreturn: false,
            nounwind: false,
            subprogram,
            values: Vec::new(),
            blocks: Vec::new(),
        });
        self.values = FxHashMap::default();
        self.blocks = FxHashMap::default();
        self.counter = 0;
        self.parameters(body)?;
        self.function_attributes(body)?;
        if body {
            self.body()?;
        }
        let function = self.current.take().expect("the function being read");
        self.module.functions.push(function);
        Ok(())
    }

    pub(super) fn function_mut(&mut self) -> &mut Function<'t> {
        self.current
            .as_mut()
            .expect("names of values occur in functions only")
    }

    /// The value of this name, perhaps defined later.
    pub(super) fn local(&mut self, name: &'t str) -> ValueId {
        if self.current.is_none() {
            return ValueId(0);
        }
        if let Some(&id) = self.values.get(name) {
            return id;
        }
        let values = &mut self.function_mut().values;
        let id = ValueId(values.len() as u32);
        values.push(LocalValue {
            name,
            ty: None,
            defined: false,
        });
        self.values.insert(name, id);
        id
    }

    fn unnamed(&mut self) -> ValueId {
        // Numbers are names: the text of later uses is the key.
        let name: &'t str = number_name(self.counter);
        self.counter += 1;
        self.local(name)
    }

    pub(super) fn block(&mut self, name: &'t str) -> BlockId {
        if let Some(&id) = self.blocks.get(name) {
            return id;
        }
        let blocks = &mut self.function_mut().blocks;
        let id = BlockId(blocks.len() as u32);
        blocks.push(Block {
            name,
            ..Block::default()
        });
        self.blocks.insert(name, id);
        id
    }

    fn parameters(&mut self, body: bool) -> Result<()> {
        self.expect(Token::Open, "`(`")?;
        while !self.at(Token::Close) {
            if self.eat(Token::Dots) {
                self.function_mut().variadic = true;
                break;
            }
            let ty = self.ty()?;
            let attributes = self.value_attributes()?;
            let value = if self.at(Token::Local) {
                let name = plain(self.lex.slice());
                self.lex.advance();
                if name.parse::<u32>().is_ok() {
                    self.counter += 1;
                }
                Some(self.local(name))
            } else if body {
                Some(self.unnamed())
            } else {
                None
            };
            if let Some(v) = value {
                let local = &mut self.function_mut().values[v.0 as usize];
                local.ty = Some(ty);
                local.defined = true;
            }
            self.function_mut().params.push(Param {
                value,
                ty,
                byval: attributes.byval,
                sign: attributes.sign,
            });
            if !self.eat(Token::Comma) {
                break;
            }
        }
        self.expect(Token::Close, "`)`")
    }

    /// Attributes before a value: `noundef align 8 byval(%struct.S)`.
    pub(super) fn value_attributes(&mut self) -> Result<ValueAttributes> {
        let mut out = ValueAttributes::default();
        loop {
            match self.lex.token {
                Token::String => {
                    self.lex.advance();
                    if self.eat(Token::Equals) {
                        self.expect(Token::String, "a string")?;
                    }
                }
                Token::Word if !self.at_type() && !is_value_word(self.lex.slice()) => {
                    let word = self.lex.slice();
                    self.lex.advance();
                    match word {
                        "signext" => out.sign = Some(true),
                        "zeroext" => out.sign = Some(false),
                        "align" if self.at(Token::Int) => self.lex.advance(),
                        "byval" | "byref" | "inalloca" | "preallocated" if self.at(Token::Open) => {
                            self.lex.advance();
                            let ty = self.ty()?;
                            self.expect(Token::Close, "`)`")?;
                            if word == "byval" {
                                out.byval = Some(ty);
                            }
                        }
                        _ if self.at(Token::Open) => self.skip_parentheses()?,
                        _ => {}
                    }
                }
                _ => return Ok(out),
            }
        }
    }

    fn function_attributes(&mut self, body: bool) -> Result<()> {
        loop {
            match self.lex.token {
                Token::OpenBrace if body => {
                    self.lex.advance();
                    return Ok(());
                }
                Token::Attributes => {
                    let group = self.lex.slice();
                    self.function_mut().attributes.push(group);
                    self.lex.advance();
                }
                Token::String => {
                    self.lex.advance();
                    if self.eat(Token::Equals) {
                        self.expect(Token::String, "a string")?;
                    }
                }
                Token::Metadata if body => {
                    let name = plain(self.lex.slice());
                    self.lex.advance();
                    let number = plain(self.lex.slice()).parse().ok();
                    self.lex.advance();
                    if name == "dbg" {
                        self.function_mut().subprogram = number;
                    }
                }
                Token::Word
                    if matches!(self.lex.slice(), "personality" | "prefix" | "prologue") =>
                {
                    self.lex.advance();
                    self.typed()?;
                }
                Token::Word
                    if !body
                        && matches!(
                            self.lex.slice(),
                            "declare"
                                | "define"
                                | "attributes"
                                | "target"
                                | "source_filename"
                                | "module"
                        ) =>
                {
                    return Ok(());
                }
                Token::Word => {
                    let word = self.lex.slice();
                    self.function_mut().attributes.push(word);
                    self.lex.advance();
                    match self.lex.token {
                        Token::Open => self.skip_parentheses()?,
                        Token::Int => self.lex.advance(),
                        Token::Equals => {
                            self.lex.advance();
                            self.lex.advance();
                        }
                        Token::String if matches!(word, "section" | "partition" | "gc") => {
                            self.lex.advance();
                        }
                        _ => {}
                    }
                }
                _ if !body => return Ok(()),
                _ => return self.unexpected("`{`"),
            }
        }
    }

    fn body(&mut self) -> Result<()> {
        let mut open = None;
        let mut order = Vec::new();
        loop {
            match self.lex.token {
                Token::CloseBrace => {
                    self.lex.advance();
                    break;
                }
                Token::Label => {
                    let name = plain(self.lex.slice());
                    if name.parse::<u32>().is_ok_and(|n| n == self.counter) {
                        self.counter += 1;
                    }
                    self.lex.advance();
                    open = Some(self.open_block(name, &mut order)?);
                }
                Token::Word if matches!(self.lex.slice(), "uselistorder" | "uselistorder_bb") => {
                    self.lex.rest_of_line();
                }
                _ => {
                    let block = match open {
                        Some(b) => b,
                        None => {
                            let name = number_name(self.counter);
                            self.counter += 1;
                            self.open_block(name, &mut order)?
                        }
                    };
                    open = Some(block);
                    let instruction = self.instruction()?;
                    let ends = instruction.op.is_terminator();
                    self.function_mut().blocks[block.0 as usize]
                        .instructions
                        .push(instruction);
                    if ends {
                        open = None;
                    }
                }
            }
        }
        self.finish_body(order)
    }

    fn open_block(&mut self, name: &'t str, order: &mut Vec<BlockId>) -> Result<BlockId> {
        let id = self.block(name);
        let block = &mut self.function_mut().blocks[id.0 as usize];
        if std::mem::replace(&mut block.defined, true) {
            return self.error(format!("block `{name}` is defined twice"));
        }
        order.push(id);
        Ok(id)
    }

    /// Blocks get the order of the text; every name must be defined.
    fn finish_body(&mut self, order: Vec<BlockId>) -> Result<()> {
        let function = self.function_mut();
        if let Some(b) = function.blocks.iter().find(|b| !b.defined) {
            let message = format!("block `{}` is not defined", b.name);
            return self.error(message);
        }
        if let Some(v) = function.values.iter().find(|v| !v.defined) {
            let message = format!("value `%{}` is not defined", v.name);
            return self.error(message);
        }
        let mut place = vec![BlockId(0); order.len()];
        for (new, old) in order.iter().enumerate() {
            place[old.0 as usize] = BlockId(new as u32);
        }
        let mut old: Vec<Option<Block<'t>>> = std::mem::take(&mut function.blocks)
            .into_iter()
            .map(Some)
            .collect();
        for id in &order {
            if let Some(mut block) = old[id.0 as usize].take() {
                for i in &mut block.instructions {
                    i.op.targets_mut(&mut |b| *b = place[b.0 as usize]);
                }
                function.blocks.push(block);
            }
        }
        Ok(())
    }
}

impl Op<'_> {
    pub fn is_terminator(&self) -> bool {
        match self {
            Op::Return(_)
            | Op::Branch(_)
            | Op::CondBranch(..)
            | Op::Switch(..)
            | Op::IndirectBranch(..)
            | Op::Unreachable
            | Op::Resume(_)
            | Op::Invoke(..) => true,
            Op::Unsupported(word, _) => {
                matches!(*word, "callbr" | "cleanupret" | "catchret" | "catchswitch")
            }
            _ => false,
        }
    }

    /// Visits the blocks that the instruction names.
    pub fn targets_mut(&mut self, f: &mut dyn FnMut(&mut BlockId)) {
        match self {
            Op::Branch(b) => f(b),
            Op::CondBranch(_, a, b) | Op::Invoke(_, a, b) => {
                f(a);
                f(b);
            }
            Op::Switch(_, default, cases) => {
                f(default);
                cases.iter_mut().for_each(|(_, b)| f(b));
            }
            Op::IndirectBranch(_, list) | Op::Unsupported(_, list) => list.iter_mut().for_each(f),
            Op::Phi(_, list) => list.iter_mut().for_each(|(_, b)| f(b)),
            _ => {}
        }
    }
}

fn is_calling_convention(word: &str) -> bool {
    word.ends_with("cc")
        || word.contains("_cc")
        || word.ends_with("call")
        || word == "webkit_jscc"
        || word.ends_with("_kernel")
        || word.ends_with("_device")
}

pub(super) fn skip_convention(word: &str) -> bool {
    is_calling_convention(word) && word != "call"
}

/// Words that are values, where attributes end.
fn is_value_word(word: &str) -> bool {
    matches!(
        word,
        "true"
            | "false"
            | "null"
            | "none"
            | "undef"
            | "poison"
            | "zeroinitializer"
            | "splat"
            | "asm"
            | "blockaddress"
            | "dso_local_equivalent"
            | "no_cfi"
            | "trunc"
            | "zext"
            | "sext"
            | "fptrunc"
            | "fpext"
            | "uitofp"
            | "sitofp"
            | "fptoui"
            | "fptosi"
            | "inttoptr"
            | "ptrtoint"
            | "ptrtoaddr"
            | "bitcast"
            | "addrspacecast"
            | "getelementptr"
            | "add"
            | "sub"
            | "mul"
            | "udiv"
            | "sdiv"
            | "urem"
            | "srem"
            | "shl"
            | "lshr"
            | "ashr"
            | "and"
            | "or"
            | "xor"
            | "icmp"
            | "fcmp"
            | "select"
            | "extractelement"
            | "insertelement"
            | "shufflevector"
            | "extractvalue"
            | "insertvalue"
            | "ptrauth"
    )
}

/// Texts of small numbers, alive as long as the program.
fn number_name(n: u32) -> &'static str {
    use std::sync::OnceLock;
    static NAMES: OnceLock<Vec<String>> = OnceLock::new();
    let names = NAMES.get_or_init(|| (0..4096).map(|n| n.to_string()).collect());
    // Parameters and first blocks only: a function has few of them.
    names.get(n as usize).map_or("4096", |s| s.as_str())
}
