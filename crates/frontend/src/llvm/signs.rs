//! Which integers are signed.
//!
//! Types of LLVM have no sign, operations have. A value that is mostly compared, divided and widened as
//! a signed number is kept as one, so that few operations need to wrap. Values that flow into each
//! other form a class; operations and debug information vote.
//!
//! // Sound because every use converts to the sign that its operation asks for: classes decide only
//! // how numbers are kept.

use super::debug::{Debug, NumberKind};
use super::module::{Function, Module, Op, Ty, Type, Typed, Value, ValueId};
use base::FxHashMap;

type Node = usize;

/// Debug information outweighs all uses.
const DECLARED: i64 = 1_000_000;

pub struct Signs {
    parent: Vec<Node>,
    votes: Vec<i64>,
    bools: Vec<bool>,
    /// First node of the values of each function; the contents of their allocations follow.
    starts: Vec<Node>,
    returns: Vec<Node>,
    globals: FxHashMap<String, Node>,
    fields: FxHashMap<(Ty, u32), Node>,
    functions: FxHashMap<String, usize>,
    counts: Vec<usize>,
    default_signed: bool,
}

impl Signs {
    pub fn infer(module: &Module<'_>, debug: &Debug<'_, '_>) -> Signs {
        let rust = module
            .metadata
            .values()
            .any(|m| m.contains("!DICompileUnit") && m.contains("DW_LANG_Rust"));
        let mut signs = Signs {
            parent: Vec::new(),
            votes: Vec::new(),
            bools: Vec::new(),
            starts: Vec::new(),
            returns: Vec::new(),
            globals: FxHashMap::default(),
            fields: FxHashMap::default(),
            functions: FxHashMap::default(),
            counts: Vec::new(),
            default_signed: !rust,
        };
        for (i, f) in module.functions.iter().enumerate() {
            signs.starts.push(signs.parent.len());
            signs.counts.push(f.values.len());
            (0..2 * f.values.len()).for_each(|_| {
                signs.node();
            });
            let ret = signs.node();
            signs.returns.push(ret);
            signs.functions.insert(f.name.to_string(), i);
        }
        for g in &module.globals {
            let node = signs.node();
            signs.globals.insert(g.name.to_string(), node);
            if let Some(number) = g.debug {
                signs.declare(node, debug.number_kind(debug.variable_of(number)));
            }
        }
        signs.records(module, debug);
        for (i, f) in module.functions.iter().enumerate() {
            signs.function(module, debug, i, f);
        }
        signs
    }

    fn node(&mut self) -> Node {
        self.parent.push(self.parent.len());
        self.votes.push(0);
        self.bools.push(false);
        self.parent.len() - 1
    }

    fn root(&self, node: Node) -> Node {
        let mut n = node;
        while self.parent[n] != n {
            n = self.parent[n];
        }
        n
    }

    fn join(&mut self, a: Node, b: Node) {
        let (mut a, mut b) = (self.root(a), self.root(b));
        if a == b {
            return;
        }
        if a > b {
            std::mem::swap(&mut a, &mut b);
        }
        self.parent[b] = a;
        self.votes[a] += self.votes[b];
        self.bools[a] |= self.bools[b];
    }

    fn vote(&mut self, node: Node, weight: i64) {
        let root = self.root(node);
        self.votes[root] += weight;
    }

    fn declare(&mut self, node: Node, kind: Option<NumberKind>) {
        match kind {
            Some(NumberKind::Signed) => self.vote(node, DECLARED),
            Some(NumberKind::Unsigned) => self.vote(node, -DECLARED),
            Some(NumberKind::Bool) => {
                let root = self.root(node);
                self.bools[root] = true;
                self.vote(node, -DECLARED);
            }
            None => {}
        }
    }

    fn answer(&self, node: Node) -> bool {
        match self.votes[self.root(node)] {
            0 => self.default_signed,
            n => n > 0,
        }
    }

    pub fn value(&self, function: usize, v: ValueId) -> bool {
        self.answer(self.starts[function] + v.0 as usize)
    }

    /// The numbers inside an allocation.
    pub fn content(&self, function: usize, v: ValueId) -> bool {
        self.answer(self.content_node(function, v))
    }

    /// Does the allocation hold truth values of the source language?
    pub fn is_bool(&self, function: usize, v: ValueId) -> bool {
        self.bools[self.content_node(function, v)]
    }

    fn content_node(&self, function: usize, v: ValueId) -> Node {
        self.starts[function] + self.counts[function] + v.0 as usize
    }

    pub fn global(&self, name: &str) -> bool {
        self.globals
            .get(name)
            .map_or(self.default_signed, |&n| self.answer(n))
    }

    pub fn global_is_bool(&self, name: &str) -> bool {
        self.globals.get(name).is_some_and(|&n| self.bools[n])
    }

    pub fn result(&self, function: usize) -> bool {
        self.answer(self.returns[function])
    }

    pub fn field(&self, record: Ty, index: u32) -> bool {
        self.fields
            .get(&(record, index))
            .map_or(self.default_signed, |&n| self.answer(n))
    }

    pub fn default_signed(&self) -> bool {
        self.default_signed
    }

    /// Members of records that debug information describes.
    fn records(&mut self, module: &Module<'_>, debug: &Debug<'_, '_>) {
        for (number, member) in record_members(module, debug) {
            let node = self.field_node(number.0, number.1);
            self.declare(node, debug.number_kind(member));
        }
    }

    fn field_node(&mut self, record: Ty, index: u32) -> Node {
        if let Some(&n) = self.fields.get(&(record, index)) {
            return n;
        }
        let n = self.node();
        self.fields.insert((record, index), n);
        n
    }

    fn function(&mut self, module: &Module<'_>, debug: &Debug<'_, '_>, i: usize, f: &Function<'_>) {
        if let Some(subprogram) = f.subprogram {
            let signature = debug.signature(subprogram);
            let ret = self.returns[i];
            if let Some(Some(t)) = signature.first() {
                self.declare(ret, debug.number_kind(*t));
            }
            // Parameters that the calling convention did not change.
            if signature.len() == f.params.len() + 1 {
                for (p, t) in f.params.iter().zip(&signature[1..]) {
                    if let (Some(v), Some(t)) = (p.value, t) {
                        let node = self.starts[i] + v.0 as usize;
                        self.declare(node, debug.number_kind(*t));
                    }
                }
            }
        }
        let defs = definitions(f);
        for block in &f.blocks {
            for inst in &block.instructions {
                let result = inst.result.map(|r| self.starts[i] + r.0 as usize);
                let mut walk = Walk {
                    signs: self,
                    module,
                    debug,
                    function: i,
                    f,
                    defs: &defs,
                };
                walk.instruction(&inst.op, result);
            }
        }
    }
}

/// (record type, member index) and the number of the member's metadata.
pub fn record_members(module: &Module<'_>, debug: &Debug<'_, '_>) -> Vec<((Ty, u32), u32)> {
    let mut out = Vec::new();
    let mut numbers: Vec<u32> = module.metadata.keys().copied().collect();
    numbers.sort_unstable();
    for number in numbers {
        let text = module.metadata[&number];
        if !text.contains("!DICompositeType") {
            continue;
        }
        let Some(name) = super::debug::field(text, "name") else {
            continue;
        };
        for prefix in ["struct.", "class."] {
            let Some((&named, &body)) = module
                .named
                .get_key_value(format!("{prefix}{name}").as_str())
            else {
                continue;
            };
            let Some(&id) = module.type_ids.get(&Type::Named(named)) else {
                continue;
            };
            let offsets = super::layout::offsets(module, body);
            for (_, bit, member) in debug.members(text) {
                if let Some(k) = offsets.iter().position(|&o| o * 8 == bit) {
                    out.push(((id, k as u32), member));
                }
            }
        }
    }
    out
}

/// The instruction that defines each value.
pub fn definitions<'f, 't>(f: &'f Function<'t>) -> Vec<Option<&'f Op<'t>>> {
    let mut defs = vec![None; f.values.len()];
    for block in &f.blocks {
        for inst in &block.instructions {
            if let Some(r) = inst.result {
                defs[r.0 as usize] = Some(&inst.op);
            }
        }
    }
    defs
}

struct Walk<'a, 'm, 't> {
    signs: &'a mut Signs,
    module: &'a Module<'t>,
    debug: &'a Debug<'m, 't>,
    function: usize,
    f: &'a Function<'t>,
    defs: &'a [Option<&'a Op<'t>>],
}

impl<'t> Walk<'_, '_, 't> {
    fn of(&self, v: &Value<'t>) -> Option<Node> {
        match v {
            Value::Local(id) => Some(self.signs.starts[self.function] + id.0 as usize),
            _ => None,
        }
    }

    fn vote(&mut self, v: &Value<'t>, weight: i64) {
        if let Some(n) = self.of(v) {
            self.signs.vote(n, weight);
        }
    }

    fn join(&mut self, a: Option<Node>, b: Option<Node>) {
        if let (Some(a), Some(b)) = (a, b) {
            self.signs.join(a, b);
        }
    }

    /// The content that a pointer points to.
    fn target(&mut self, p: &Value<'t>, depth: u32) -> Option<Node> {
        if depth > 16 {
            return None;
        }
        match p {
            Value::Global(name) => self.signs.globals.get(*name).copied(),
            Value::Local(id) => match self.defs[id.0 as usize]? {
                Op::Alloca(ty, _) => match self.module.get(*ty) {
                    Type::Struct { .. } => Some(self.signs.field_node(*ty, 0)),
                    _ => Some(self.signs.content_node(self.function, *id)),
                },
                Op::Gep { base, args, .. } => self.part(*base, args, depth),
                Op::Cast("bitcast", _, v, _) => self.target(&v.value, depth + 1),
                _ => None,
            },
            Value::Expr(e) => match &**e {
                super::module::ConstExpr::Gep { base, args } => self.part(*base, args, depth),
                super::module::ConstExpr::Cast("bitcast", v, _) => self.target(&v.value, depth + 1),
                _ => None,
            },
            _ => None,
        }
    }

    fn part(&mut self, base: Ty, args: &[Typed<'t>], depth: u32) -> Option<Node> {
        let mut ty = base;
        let mut member = None;
        for a in args.iter().skip(2) {
            match self.module.get(ty) {
                Type::Struct { fields, .. } => {
                    let Value::Int(k) = a.value else { return None };
                    member = Some((ty, k as u32));
                    ty = *fields.get(k as usize)?;
                }
                Type::Array(_, e) | Type::Vector(_, e) => ty = *e,
                _ => return None,
            }
        }
        match member {
            Some((record, k)) => Some(self.signs.field_node(record, k)),
            None => self.target(&args.first()?.value, depth + 1),
        }
    }

    fn instruction(&mut self, op: &Op<'t>, result: Option<Node>) {
        match op {
            Op::Binary(name, flags, _, a, b) => {
                let (x, y) = (self.of(a), self.of(b));
                let weight = match *name {
                    "sdiv" | "srem" | "ashr" => 3,
                    "udiv" | "urem" | "lshr" => -3,
                    _ if flags.nsw && !flags.nuw => 3,
                    _ if flags.nuw && !flags.nsw => -1,
                    _ => 0,
                };
                self.join(x, result);
                if !matches!(*name, "shl" | "lshr" | "ashr") {
                    self.join(y, result);
                }
                if let Some(r) = result {
                    self.signs.vote(r, weight);
                }
            }
            Op::ICmp(how, _, a, b) => {
                let weight = match how.as_bytes()[0] {
                    b's' => 3,
                    b'u' => -3,
                    _ => 0,
                };
                self.vote(a, weight);
                self.vote(b, weight);
                let negative = |v: &Value<'t>| matches!(v, Value::Int(n) if *n < 0);
                if weight == 0 && (negative(a) || negative(b)) {
                    self.vote(a, 1);
                    self.vote(b, 1);
                }
            }
            Op::Cast("sext", _, v, _) => {
                self.vote(&v.value, 3);
                if let Some(r) = result {
                    self.signs.vote(r, 1);
                }
            }
            Op::Cast("zext", _, v, _) => self.vote(&v.value, -3),
            Op::Cast("sitofp", _, v, _) => self.vote(&v.value, 3),
            Op::Cast("uitofp", _, v, _) => self.vote(&v.value, -3),
            Op::Select(_, a, b) => {
                let (x, y) = (self.of(&a.value), self.of(&b.value));
                self.join(x, result);
                self.join(y, result);
            }
            Op::Phi(_, list) => {
                for (v, _) in list {
                    let n = self.of(v);
                    self.join(n, result);
                }
            }
            Op::Freeze(v) => {
                let n = self.of(&v.value);
                self.join(n, result);
            }
            Op::Load(_, p) => {
                let n = self.target(p, 0);
                self.join(n, result);
            }
            Op::Store(v, p) => {
                let (n, x) = (self.target(p, 0), self.of(&v.value));
                self.join(n, x);
            }
            Op::Call(call) | Op::Invoke(call, ..) => self.call(call, result),
            Op::Return(Some(v)) => {
                let ret = Some(self.signs.returns[self.function]);
                let n = self.of(&v.value);
                self.join(n, ret);
            }
            Op::Debug(kind, v, variable) => {
                self.variable(&v.value, variable, kind.contains("declare"));
            }
            _ => {}
        }
    }

    fn call(&mut self, call: &super::module::Call<'t>, result: Option<Node>) {
        let Value::Global(name) = &call.callee else {
            return;
        };
        if name.starts_with("llvm.dbg.") {
            if let [
                v,
                Typed {
                    value: Value::Metadata(variable),
                    ..
                },
                ..,
            ] = call.args.as_slice()
            {
                self.variable(&v.value, variable, name.starts_with("llvm.dbg.declare"));
            }
            return;
        }
        let Some(&callee) = self.signs.functions.get(*name) else {
            return;
        };
        let function = &self.module.functions[callee];
        if function.blocks.is_empty() {
            return;
        }
        let ret = Some(self.signs.returns[callee]);
        self.join(result, ret);
        for (p, a) in function.params.iter().zip(&call.args) {
            let param = p.value.map(|v| self.signs.starts[callee] + v.0 as usize);
            let n = self.of(&a.value);
            self.join(n, param);
        }
    }

    fn variable(&mut self, v: &Value<'t>, variable: &str, address: bool) {
        let Some(number) = super::debug::reference(variable) else {
            return;
        };
        let Value::Local(id) = v else { return };
        let kind = self.debug.number_kind(number);
        if !address {
            let node = self.signs.starts[self.function] + id.0 as usize;
            let int = self.f.values[id.0 as usize]
                .ty
                .is_some_and(|t| self.module.int_bits(t).is_some());
            if int {
                self.signs.declare(node, kind);
            }
            return;
        }
        if matches!(self.defs[id.0 as usize], Some(Op::Alloca(..))) {
            let node = self.signs.content_node(self.function, *id);
            // Debug information speaks of the object itself, also where values join it.
            if kind == Some(NumberKind::Bool) {
                self.signs.bools[node] = true;
            }
            self.signs.declare(node, kind);
        }
    }
}
