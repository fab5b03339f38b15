//! Instructions.

use super::super::lex::{Token, plain};
use super::super::module::{BlockId, Flags, Instruction, Op, Ty, Type, Typed, Value};
use super::{Parser, Result};

impl<'t> Parser<'t> {
    pub(super) fn instruction(&mut self) -> Result<Instruction<'t>> {
        let at = self.lex.start as u32;
        let mut name = None;
        if self.at(Token::Local) {
            name = Some(plain(self.lex.slice()));
            self.lex.advance();
            self.expect(Token::Equals, "`=`")?;
        }
        if self.at(Token::DebugRecord) {
            let (op, location) = self.debug_record()?;
            return Ok(Instruction {
                result: None,
                op,
                at,
                location,
                align: None,
            });
        }
        let (op, ty) = self.operation()?;
        let void = ty.is_none_or(|t| matches!(self.module.types[t.0 as usize], Type::Void));
        let result = match (name, void) {
            (Some(name), _) => {
                if name.parse::<u32>().is_ok() {
                    self.counter += 1;
                }
                let id = self.local(name);
                let local = &mut self.function_mut().values[id.0 as usize];
                if std::mem::replace(&mut local.defined, true) {
                    return self.error(format!("value `%{name}` is defined twice"));
                }
                local.ty = ty;
                Some(id)
            }
            _ => None,
        };
        let (location, align) = self.instruction_trailers()?;
        Ok(Instruction {
            result,
            op,
            at,
            location,
            align,
        })
    }

    /// `, align 4, !dbg !5, !tbaa !7`; returns the location and the alignment.
    fn instruction_trailers(&mut self) -> Result<(Option<u32>, Option<u64>)> {
        let (mut location, mut align) = (None, None);
        while self.eat(Token::Comma) {
            match self.lex.token {
                Token::Metadata => {
                    let dbg = self.lex.slice() == "!dbg";
                    self.lex.advance();
                    let number = plain(self.lex.slice()).parse().ok();
                    match self.lex.token {
                        Token::Metadata | Token::Bang => {
                            self.metadata()?;
                        }
                        _ => return self.unexpected("metadata"),
                    }
                    if dbg {
                        location = number;
                    }
                }
                Token::Word => align = self.attribute_with_value()?.or(align),
                _ => return self.unexpected("what belongs to the instruction"),
            }
        }
        Ok((location, align))
    }

    fn metadata(&mut self) -> Result<Value<'t>> {
        let ty = self.module.intern(Type::Metadata);
        self.value(ty)
    }

    /// `#dbg_declare(ptr %x, !12, !DIExpression(), !14)`
    fn debug_record(&mut self) -> Result<(Op<'t>, Option<u32>)> {
        let kind = self.lex.slice();
        self.lex.advance();
        self.expect(Token::Open, "`(`")?;
        let mut values = Vec::new();
        let mut names = Vec::new();
        while !self.at(Token::Close) {
            if self.at_type() {
                values.push(self.typed()?);
            } else {
                let name = self.lex.slice();
                self.metadata()?;
                names.push(name);
            }
            if !self.eat(Token::Comma) {
                break;
            }
        }
        self.expect(Token::Close, "`)`")?;
        let location = names.last().and_then(|n| plain(n).parse().ok());
        let ty = self.module.intern(Type::Other);
        let none = Typed {
            ty,
            value: Value::Undef,
        };
        let value = values.into_iter().next().unwrap_or(none);
        let variable = names.first().copied().unwrap_or("");
        Ok((Op::Debug(kind, value, variable), location))
    }

    pub(super) fn flags(&mut self) -> Result<Flags> {
        let mut flags = Flags::default();
        while let Some(word) = self.flag_word()? {
            match word {
                "nuw" => flags.nuw = true,
                "nsw" => flags.nsw = true,
                "exact" => flags.exact = true,
                "inbounds" => flags.inbounds = true,
                "disjoint" => flags.disjoint = true,
                "nneg" => flags.nneg = true,
                _ => {}
            }
        }
        Ok(flags)
    }

    fn comma(&mut self) -> Result<()> {
        self.expect(Token::Comma, "`,`")
    }

    fn two(&mut self) -> Result<(Ty, Value<'t>, Value<'t>)> {
        let a = self.typed()?;
        self.comma()?;
        let b = self.value(a.ty)?;
        Ok((a.ty, a.value, b))
    }

    fn label(&mut self) -> Result<BlockId> {
        self.expect_word("label")?;
        self.block_name()
    }

    fn block_name(&mut self) -> Result<BlockId> {
        let name = plain(self.lex.slice());
        self.expect(Token::Local, "a block")?;
        Ok(self.block(name))
    }

    fn bool_type(&mut self) -> Ty {
        self.module.intern(Type::Int(1))
    }

    /// The type of a comparison: `i1`, or a vector of it.
    fn truth_type(&mut self, of: Ty) -> Ty {
        let bit = self.bool_type();
        match *self.module.get(of) {
            Type::Vector(n, _) => self.module.intern(Type::Vector(n, bit)),
            _ => bit,
        }
    }

    /// The operation and the type of its result.
    fn operation(&mut self) -> Result<(Op<'t>, Option<Ty>)> {
        let word = self.word("an instruction")?;
        Ok(match word {
            "add" | "sub" | "mul" | "udiv" | "sdiv" | "urem" | "srem" | "shl" | "lshr" | "ashr"
            | "and" | "or" | "xor" | "fadd" | "fsub" | "fmul" | "fdiv" | "frem" => {
                let flags = self.flags()?;
                let (ty, a, b) = self.two()?;
                (Op::Binary(word, flags, ty, a, b), Some(ty))
            }
            "fneg" => {
                self.flags()?;
                let a = self.typed()?;
                (Op::FNeg(a.ty, a.value), Some(a.ty))
            }
            "icmp" | "fcmp" => {
                self.flags()?;
                let how = self.word("a comparison")?;
                self.flags()?;
                let (ty, a, b) = self.two()?;
                let truth = self.truth_type(ty);
                let op = match word {
                    "icmp" => Op::ICmp(how, ty, a, b),
                    _ => Op::FCmp(how, ty, a, b),
                };
                (op, Some(truth))
            }
            "trunc" | "zext" | "sext" | "fptrunc" | "fpext" | "uitofp" | "sitofp" | "fptoui"
            | "fptosi" | "inttoptr" | "ptrtoint" | "ptrtoaddr" | "bitcast" | "addrspacecast" => {
                let flags = self.flags()?;
                let value = self.typed()?;
                self.expect_word("to")?;
                let to = self.ty()?;
                (Op::Cast(word, flags, value, to), Some(to))
            }
            "select" => {
                self.flags()?;
                let c = self.typed()?;
                self.comma()?;
                let a = self.typed()?;
                self.comma()?;
                let b = self.typed()?;
                let ty = a.ty;
                (Op::Select(c, a, b), Some(ty))
            }
            "phi" => {
                self.flags()?;
                let ty = self.ty()?;
                let mut list = Vec::new();
                loop {
                    self.expect(Token::OpenSquare, "`[`")?;
                    let value = self.value(ty)?;
                    self.comma()?;
                    let block = self.block_name()?;
                    self.expect(Token::CloseSquare, "`]`")?;
                    list.push((value, block));
                    if !(self.at(Token::Comma) && self.ahead_is_square()) {
                        break;
                    }
                    self.lex.advance();
                }
                (Op::Phi(ty, list), Some(ty))
            }
            "alloca" => self.alloca()?,
            "load" => {
                self.memory_words();
                let ty = self.ty()?;
                self.comma()?;
                let pointer = self.typed()?;
                self.ordering();
                (Op::Load(ty, pointer.value), Some(ty))
            }
            "store" => {
                self.memory_words();
                let value = self.typed()?;
                self.comma()?;
                let pointer = self.typed()?;
                self.ordering();
                (Op::Store(value, pointer.value), None)
            }
            "getelementptr" => {
                let flags = self.flags()?;
                let base = self.ty()?;
                let mut args = Vec::new();
                while self.at(Token::Comma) && !self.ahead_is_metadata() {
                    self.lex.advance();
                    self.flags()?;
                    args.push(self.typed()?);
                }
                let mut ty = self.module.intern(Type::Pointer);
                for a in &args {
                    if let Type::Vector(n, _) = *self.module.get(a.ty) {
                        ty = self.module.intern(Type::Vector(n, ty));
                        break;
                    }
                }
                (Op::Gep { base, flags, args }, Some(ty))
            }
            "tail" | "musttail" | "notail" => {
                self.expect_word("call")?;
                self.call()?
            }
            "call" => self.call()?,
            "invoke" => {
                let (op, ty) = self.call()?;
                self.expect_word("to")?;
                let normal = self.label()?;
                self.expect_word("unwind")?;
                let unwind = self.label()?;
                match op {
                    Op::Call(call) => (Op::Invoke(call, normal, unwind), ty),
                    other => (other, ty),
                }
            }
            "extractvalue" => {
                let a = self.typed()?;
                let path = self.indices()?;
                let ty = self.part(a.ty, &path);
                (Op::ExtractValue(a, path), Some(ty))
            }
            "insertvalue" => {
                let a = self.typed()?;
                self.comma()?;
                let b = self.typed()?;
                let path = self.indices()?;
                let ty = a.ty;
                (Op::InsertValue(a, b, path), Some(ty))
            }
            "extractelement" => {
                let a = self.typed()?;
                self.comma()?;
                let i = self.typed()?;
                let ty = self.part(a.ty, &[0]);
                (Op::ExtractElement(a, i), Some(ty))
            }
            "insertelement" => {
                let a = self.typed()?;
                self.comma()?;
                let b = self.typed()?;
                self.comma()?;
                let i = self.typed()?;
                let ty = a.ty;
                (Op::InsertElement(a, b, i), Some(ty))
            }
            "shufflevector" => {
                let a = self.typed()?;
                self.comma()?;
                let b = self.typed()?;
                self.comma()?;
                let mask = self.typed()?;
                let element = self.part(a.ty, &[0]);
                let n = match *self.module.get(mask.ty) {
                    Type::Vector(n, _) => n,
                    _ => 0,
                };
                let ty = self.module.intern(Type::Vector(n, element));
                (Op::Shuffle(a, b, mask), Some(ty))
            }
            "freeze" => {
                let a = self.typed()?;
                let ty = a.ty;
                (Op::Freeze(a), Some(ty))
            }
            "va_arg" => {
                let list = self.typed()?;
                self.comma()?;
                let ty = self.ty()?;
                (Op::VaArg(list, ty), Some(ty))
            }
            "landingpad" => self.landing_pad()?,
            "resume" => (Op::Resume(self.typed()?), None),
            "ret" => {
                let ty = self.ty()?;
                if matches!(self.module.types[ty.0 as usize], Type::Void) {
                    (Op::Return(None), None)
                } else {
                    let value = self.value(ty)?;
                    (Op::Return(Some(Typed { ty, value })), None)
                }
            }
            "br" => {
                if self.at_word("label") {
                    (Op::Branch(self.label()?), None)
                } else {
                    let cond = self.typed()?;
                    self.comma()?;
                    let yes = self.label()?;
                    self.comma()?;
                    let no = self.label()?;
                    (Op::CondBranch(cond.value, yes, no), None)
                }
            }
            "switch" => self.switch()?,
            "indirectbr" => {
                let address = self.typed()?;
                self.comma()?;
                let list = self.label_list()?;
                (Op::IndirectBranch(address.value, list), None)
            }
            "unreachable" => (Op::Unreachable, None),
            "fence" => {
                self.ordering();
                (Op::Fence, None)
            }
            "cmpxchg" => {
                self.memory_words();
                let p = self.typed()?;
                self.comma()?;
                let old = self.typed()?;
                self.comma()?;
                let new = self.typed()?;
                self.ordering();
                self.ordering();
                let bit = self.bool_type();
                let ty = self.module.intern(Type::Struct {
                    fields: vec![old.ty, bit],
                    packed: false,
                });
                (Op::CompareExchange(p.value, old, new), Some(ty))
            }
            "atomicrmw" => {
                self.memory_words();
                let how = self.word("an operation")?;
                let p = self.typed()?;
                self.comma()?;
                let value = self.typed()?;
                self.ordering();
                let ty = value.ty;
                (Op::AtomicRmw(how, p.value, value), Some(ty))
            }
            "callbr" => {
                let (_, ty) = self.call()?;
                self.expect_word("to")?;
                let mut list = vec![self.label()?];
                list.extend(self.label_list()?);
                (Op::Unsupported(word, list), ty)
            }
            "catchswitch" | "catchpad" | "cleanuppad" | "catchret" | "cleanupret" => {
                return self.error("exceptions of Windows are not supported");
            }
            _ => return self.error(format!("unknown instruction `{word}`")),
        })
    }

    fn alloca(&mut self) -> Result<(Op<'t>, Option<Ty>)> {
        self.eat_word("inalloca");
        self.eat_word("swifterror");
        let ty = self.ty()?;
        let mut count = None;
        if self.at(Token::Comma) && !self.ahead_is_metadata() {
            // `, align 4` and `, addrspace(5)` are left to the trailers.
            let ahead = self.lex.ahead()[1..].trim_start();
            if !ahead.starts_with("align ") && !ahead.starts_with("addrspace") {
                self.lex.advance();
                count = Some(self.typed()?);
            }
        }
        let pointer = self.module.intern(Type::Pointer);
        Ok((Op::Alloca(ty, count), Some(pointer)))
    }

    fn landing_pad(&mut self) -> Result<(Op<'t>, Option<Ty>)> {
        let ty = self.ty()?;
        let cleanup = self.eat_word("cleanup");
        let mut clauses = Vec::new();
        loop {
            if self.eat_word("catch") {
                clauses.push((true, self.typed()?));
            } else if self.eat_word("filter") {
                clauses.push((false, self.typed()?));
            } else {
                break;
            }
        }
        let op = Op::LandingPad {
            ty,
            cleanup,
            clauses,
        };
        Ok((op, Some(ty)))
    }

    fn switch(&mut self) -> Result<(Op<'t>, Option<Ty>)> {
        let value = self.typed()?;
        self.comma()?;
        let default = self.label()?;
        self.expect(Token::OpenSquare, "`[`")?;
        let mut cases = Vec::new();
        while !self.at(Token::CloseSquare) {
            let case = self.typed()?;
            self.comma()?;
            let target = self.label()?;
            let Value::Int(n) = case.value else {
                return self.error("a case is a number");
            };
            cases.push((n, target));
        }
        self.lex.advance();
        Ok((Op::Switch(value, default, cases), None))
    }

    fn label_list(&mut self) -> Result<Vec<BlockId>> {
        self.expect(Token::OpenSquare, "`[`")?;
        let mut list = Vec::new();
        while !self.at(Token::CloseSquare) {
            list.push(self.label()?);
            if !self.eat(Token::Comma) {
                break;
            }
        }
        self.expect(Token::CloseSquare, "`]`")?;
        Ok(list)
    }

    fn ahead_is_square(&self) -> bool {
        self.lex.ahead()[1..].trim_start().starts_with('[')
    }

    fn ahead_is_metadata(&self) -> bool {
        self.lex.ahead()[1..].trim_start().starts_with('!')
    }

    fn memory_words(&mut self) {
        while self.at(Token::Word) && matches!(self.lex.slice(), "volatile" | "atomic" | "weak") {
            self.lex.advance();
        }
    }

    /// `syncscope("x") seq_cst`
    fn ordering(&mut self) {
        if self.at_word("syncscope") {
            self.lex.advance();
            let _ = self.skip_parentheses();
        }
        if self.at(Token::Word)
            && matches!(
                self.lex.slice(),
                "unordered" | "monotonic" | "acquire" | "release" | "acq_rel" | "seq_cst"
            )
        {
            self.lex.advance();
        }
    }

    fn indices(&mut self) -> Result<Vec<u64>> {
        let mut out = Vec::new();
        while self.at(Token::Comma) && !self.ahead_is_metadata() {
            self.lex.advance();
            out.push(self.unsigned()?);
        }
        Ok(out)
    }

    /// The type of a part of an aggregate.
    fn part(&mut self, ty: Ty, path: &[u64]) -> Ty {
        let mut ty = ty;
        for &i in path {
            ty = match self.module.get(ty) {
                Type::Struct { fields, .. } => match fields.get(i as usize) {
                    Some(&f) => f,
                    None => return ty,
                },
                Type::Array(_, e) | Type::Vector(_, e) => *e,
                _ => return ty,
            };
        }
        ty
    }
}
