//! Equality with uninterpreted functions: congruence closure with explanations.
//!
//! Terms are *nodes* in classes. Merging two classes re-signs the applications that use them;
//! applications of one signature are congruent. A proof forest keeps why nodes are equal
//! (Nieuwenhuis and Oliveras, *Fast congruence closure and extensions*, 2007). `Bool` terms are nodes too: true
//! ones are in the class of `TRUE`. An equality atom is an application of a symmetric function
//! that is true when its sides are in one class, so disequalities need no separate treatment.
//! Applications of more than three arguments are chained through hidden tuple nodes.
//!
//! Nodes may be made at any level. What was done for them above level 0 is undone by backtracking and
//! done again at the level left (`late`).
//!
//! Invariants: every application node is in the table under its signature or congruent to the one
//! that is; the path between two nodes in the proof forest never changes while they are equal.

use crate::Lit;
use crate::proof::Certificate;
use crate::sat::Conflict;
use logic::{FxHashMap, Id, IndexVec, Op, Pool, SortId, TermId, new_id};

new_id!(
    /// A node of the congruence closure.
    pub(crate) Node, "n");

const NONE: u32 = u32::MAX;
const LEAF: u32 = 0;
const EQ: u32 = 1;
const TUPLE: u32 = 2;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Why {
    Lit(Lit),
    /// Same function, equal arguments in order.
    Congruence(Node, Node),
    /// Equalities with equal sides, crosswise.
    Crossed(Node, Node),
    /// An equality whose sides are in one class.
    Reflexive(Node),
}

/// Function tag and argument classes.
type Signature = (u32, [u32; 3]);

#[derive(Clone, Debug)]
struct Data {
    tag: u32,
    args: [u32; 3],
    /// The literal that is true exactly if this Bool node is.
    lit: Option<Lit>,
    root: Node,
    next: Node,
    size: u32,
    /// For roots: the member with a fixed value (`TRUE`, `FALSE`, a numeral).
    constant: Option<Node>,
    /// For roots: applications over members, with repetitions.
    uses: Vec<Node>,
    proof: Option<(Node, Why)>,
    stamp: u32,
    edge_stamp: u32,
}

#[derive(Clone, Debug)]
enum Undo {
    Merge {
        small: Node,
        big: Node,
        uses: usize,
        constant: Option<Node>,
        /// The ends of the proof edge.
        edge: (Node, Node),
    },
    Insert(Signature),
    Remove(Signature, Node),
    Use(Node),
}

#[derive(Clone, Copy, Debug)]
enum Late {
    Node(Node),
    Lit(Lit, Node),
}

#[derive(Debug)]
pub(crate) struct Euf {
    nodes: IndexVec<Node, Data>,
    node_of: FxHashMap<TermId, Node>,
    tags: FxHashMap<(Op, SortId), u32>,
    table: FxHashMap<Signature, Node>,
    /// By variable: the Bool nodes it decides, and whether positively.
    links: Vec<Vec<(Node, bool)>>,
    /// By variable: the node through which it was implied.
    implied_by: Vec<u32>,
    pending: Vec<(Node, Node, Why)>,
    trail: Vec<Undo>,
    levels: Vec<usize>,
    late: Vec<(u32, Late)>,
    /// Literals that follow and may be unassigned.
    implied: Vec<(Lit, Node)>,
    stamp: u32,
    pub(crate) merges: u64,
    pub(crate) on: bool,
}

impl Euf {
    pub(crate) fn new() -> Self {
        let mut euf = Euf {
            nodes: IndexVec::new(),
            node_of: FxHashMap::default(),
            tags: FxHashMap::default(),
            table: FxHashMap::default(),
            links: Vec::new(),
            implied_by: Vec::new(),
            pending: Vec::new(),
            trail: Vec::new(),
            levels: Vec::new(),
            late: Vec::new(),
            implied: Vec::new(),
            stamp: 0,
            merges: 0,
            on: false,
        };
        for _ in 0..2 {
            let n = euf.new_node(LEAF, [NONE; 3]);
            euf.nodes[n].constant = Some(n);
        }
        euf
    }

    fn truth(&self, value: bool) -> Node {
        Node::from_index(usize::from(!value))
    }

    fn new_node(&mut self, tag: u32, args: [u32; 3]) -> Node {
        let n = self.nodes.next_id();
        self.nodes.push(Data {
            tag,
            args,
            lit: None,
            root: n,
            next: n,
            size: 1,
            constant: None,
            uses: Vec::new(),
            proof: None,
            stamp: 0,
            edge_stamp: 0,
        })
    }

    pub(crate) fn node_of(&self, t: TermId) -> Option<Node> {
        self.node_of.get(&t).copied()
    }

    pub(crate) fn root(&self, n: Node) -> Node {
        self.nodes[n].root
    }

    pub(crate) fn same(&self, a: Node, b: Node) -> bool {
        self.root(a) == self.root(b)
    }

    // ---- making nodes ----

    /// Whether the node of `t` is an application of the nodes of its arguments.
    pub(crate) fn is_application(pool: &Pool, t: TermId) -> bool {
        match pool.op(t) {
            Op::App(_) => !pool.args(t).is_empty(),
            Op::Select | Op::Store | Op::ConstArray => true,
            Op::IntDiv | Op::Mod | Op::CDiv | Op::CRem | Op::RealDiv => {
                pool.as_number(pool.args(t)[1]).is_none_or(|n| n.is_zero())
            }
            _ => false,
        }
    }

    /// Makes the node of `t`; those of its arguments exist if it is an application.
    pub(crate) fn make(&mut self, pool: &Pool, t: TermId) -> Node {
        debug_assert!(!self.node_of.contains_key(&t));
        self.on = true;
        let n = match pool.op(t) {
            Op::True => self.truth(true),
            Op::False => self.truth(false),
            _ if Self::is_application(pool, t) => {
                let next = self.tags.len() as u32 + TUPLE + 1;
                let tag = *self
                    .tags
                    .entry((pool.op(t), pool.sort_of(t)))
                    .or_insert(next);
                let mut args: Vec<u32> = pool
                    .args(t)
                    .iter()
                    .map(|a| self.node_of[a].index() as u32)
                    .collect();
                while args.len() > 3 {
                    let pair = [args[0], args[1], NONE];
                    let tuple = self.new_node(TUPLE, pair);
                    self.install(tuple);
                    args.splice(0..2, [tuple.index() as u32]);
                }
                args.resize(3, NONE);
                let n = self.new_node(tag, [args[0], args[1], args[2]]);
                self.install(n);
                n
            }
            op => {
                let n = self.new_node(LEAF, [NONE; 3]);
                if let Op::Num(_) = op {
                    self.nodes[n].constant = Some(n);
                }
                n
            }
        };
        self.node_of.insert(t, n);
        n
    }

    /// Makes the application node of the equality `a = b`, decided by `lit`.
    pub(crate) fn make_eq(&mut self, a: Node, b: Node, lit: Lit, value: Option<bool>) {
        let n = self.new_node(EQ, [a.index() as u32, b.index() as u32, NONE]);
        self.install(n);
        self.link(n, lit, value);
    }

    /// `lit`, with this value now, decides the Bool node `n`.
    pub(crate) fn link(&mut self, n: Node, lit: Lit, value: Option<bool>) {
        let v = lit.var().index();
        if self.links.len() <= v {
            self.links.resize(v + 1, Vec::new());
            self.implied_by.resize(v + 1, NONE);
        }
        self.links[v].push((n, lit.is_positive()));
        self.nodes[n].lit = Some(lit);
        match value {
            Some(value) => {
                let lit = if value { lit } else { !lit };
                self.decide(lit, n);
                if !self.levels.is_empty() {
                    self.late
                        .push((self.levels.len() as u32, Late::Lit(lit, n)));
                }
            }
            // It may be equal to a decided node already.
            None => match self.nodes[self.root(n)].constant {
                Some(c) if c.index() < 2 => self.imply(n, c),
                _ => {}
            },
        }
    }

    /// Enters an application into the table and the uses of its arguments.
    fn install(&mut self, n: Node) {
        for a in self.nodes[n].args {
            if a != NONE {
                let root = self.root(Node::from_index(a as usize));
                self.nodes[root].uses.push(n);
                self.trail.push(Undo::Use(root));
            }
        }
        self.sign(n);
        if !self.levels.is_empty() {
            self.late.push((self.levels.len() as u32, Late::Node(n)));
        }
    }

    fn signature(&self, n: Node) -> Signature {
        let data = &self.nodes[n];
        let class = |a: u32| match a {
            NONE => NONE,
            a => self.root(Node::from_index(a as usize)).index() as u32,
        };
        let mut args = data.args.map(class);
        if data.tag == EQ && args[0] > args[1] {
            args.swap(0, 1);
        }
        (data.tag, args)
    }

    fn sign(&mut self, n: Node) {
        let signature = self.signature(n);
        if signature.0 == EQ && signature.1[0] == signature.1[1] {
            self.pending.push((n, self.truth(true), Why::Reflexive(n)));
            return;
        }
        match self.table.get(&signature) {
            Some(&m) => {
                if !self.same(m, n) {
                    let why = if self.crossed(n, m) {
                        Why::Crossed(n, m)
                    } else {
                        Why::Congruence(n, m)
                    };
                    self.pending.push((n, m, why));
                }
            }
            None => {
                self.table.insert(signature, n);
                self.trail.push(Undo::Insert(signature));
            }
        }
    }

    /// Whether two equalities of one signature agree only crosswise.
    fn crossed(&self, n: Node, m: Node) -> bool {
        let first = |n: Node| self.root(Node::from_index(self.nodes[n].args[0] as usize));
        self.nodes[n].tag == EQ && first(n) != first(m)
    }

    // ---- levels ----

    pub(crate) fn push(&mut self) {
        self.levels.push(self.trail.len());
    }

    pub(crate) fn pop(&mut self, n: usize) {
        if n == 0 {
            return;
        }
        self.pending.clear();
        self.implied.clear();
        let level = self.levels.len() - n;
        let start = self.levels[level];
        self.levels.truncate(level);
        while self.trail.len() > start {
            let undo = self.trail.pop().expect("longer than start");
            self.undo(undo);
        }
        // Nodes and links made above this level are kept: do their part again.
        let mut redo = Vec::new();
        while self.late.last().is_some_and(|l| l.0 > level as u32) {
            redo.extend(self.late.pop());
        }
        for &(_, late) in redo.iter().rev() {
            if let Late::Node(n) = late {
                self.install(n);
            }
        }
        for &(_, late) in redo.iter().rev() {
            // Whoever owns the assignment tells again which of these still hold.
            if let Late::Lit(lit, n) = late {
                self.late.push((level as u32, Late::Lit(lit, n)));
            }
        }
    }

    /// After `pop`: asserts the literals of late links that are still true.
    pub(crate) fn relink(&mut self, is_true: impl Fn(Lit) -> bool) {
        let level = self.levels.len() as u32;
        let mut i = self.late.len();
        while i > 0 && self.late[i - 1].0 == level {
            i -= 1;
            if let Late::Lit(lit, n) = self.late[i].1 {
                if is_true(lit) {
                    self.decide(lit, n);
                } else {
                    self.late.remove(i);
                }
            }
        }
        if level == 0 {
            self.late.clear();
        }
    }

    fn undo(&mut self, undo: Undo) {
        match undo {
            Undo::Insert(signature) => {
                self.table.remove(&signature);
            }
            Undo::Remove(signature, n) => {
                self.table.insert(signature, n);
            }
            Undo::Use(root) => {
                self.nodes[root].uses.pop();
            }
            Undo::Merge {
                small,
                big,
                uses,
                constant,
                edge,
            } => {
                // Later merges may have turned the edge round.
                let (a, b) = edge;
                let at = if self.nodes[a].proof.is_some_and(|p| p.0 == b) {
                    a
                } else {
                    b
                };
                self.nodes[at].proof = None;
                let (next_big, next_small) = (self.nodes[big].next, self.nodes[small].next);
                self.nodes[big].next = next_small;
                self.nodes[small].next = next_big;
                let size = self.nodes[small].size;
                let data = &mut self.nodes[big];
                data.uses.truncate(uses);
                data.constant = constant;
                data.size -= size;
                self.set_roots(small, small);
            }
        }
    }

    fn set_roots(&mut self, start: Node, root: Node) {
        let mut m = start;
        loop {
            self.nodes[m].root = root;
            m = self.nodes[m].next;
            if m == start {
                break;
            }
        }
    }

    // ---- closure ----

    /// A literal was assigned.
    pub(crate) fn assert_lit(&mut self, lit: Lit) {
        for i in 0..self.links[lit.var().index()].len() {
            let (n, _) = self.links[lit.var().index()][i];
            self.decide(lit, n);
        }
    }

    /// `lit` is true and decides `n`, positively or negatively.
    fn decide(&mut self, lit: Lit, n: Node) {
        let value = self.nodes[n].lit == Some(lit);
        self.pending.push((n, self.truth(value), Why::Lit(lit)));
        if value && self.nodes[n].tag == EQ {
            let [a, b, _] = self.nodes[n].args;
            let (a, b) = (Node::from_index(a as usize), Node::from_index(b as usize));
            self.pending.push((a, b, Why::Lit(lit)));
        }
    }

    /// Closes under congruence. Literals that follow are in `implied`.
    pub(crate) fn close(&mut self) -> Result<(), Conflict> {
        let mut i = 0;
        while i < self.pending.len() {
            let (a, b, why) = self.pending[i];
            i += 1;
            if let Err(conflict) = self.merge(a, b, why) {
                self.pending.clear();
                return Err(conflict);
            }
        }
        self.pending.clear();
        Ok(())
    }

    fn merge(&mut self, a: Node, b: Node, why: Why) -> Result<(), Conflict> {
        let (ra, rb) = (self.root(a), self.root(b));
        if ra == rb {
            return Ok(());
        }
        self.merges += 1;
        let (edge, other, small, big) = if self.nodes[ra].size <= self.nodes[rb].size {
            (a, b, ra, rb)
        } else {
            (b, a, rb, ra)
        };
        self.make_proof_root(edge);
        self.nodes[edge].proof = Some((other, why));
        let (ks, kb) = (self.nodes[small].constant, self.nodes[big].constant);
        if let (Some(x), Some(y)) = (ks, kb) {
            let lits = self.explain_equal(x, y);
            self.nodes[edge].proof = None;
            return Err(Conflict {
                lits,
                cert: Certificate::Equality,
            });
        }
        match (ks, kb) {
            (Some(k), None) if k.index() < 2 => self.imply_members(big, k),
            (None, Some(k)) if k.index() < 2 => self.imply_members(small, k),
            _ => {}
        }
        let uses = std::mem::take(&mut self.nodes[small].uses);
        for &p in &uses {
            let signature = self.signature(p);
            if self.table.get(&signature) == Some(&p) {
                self.table.remove(&signature);
                self.trail.push(Undo::Remove(signature, p));
            }
        }
        self.trail.push(Undo::Merge {
            small,
            big,
            uses: self.nodes[big].uses.len(),
            constant: kb,
            edge: (edge, other),
        });
        self.set_roots(small, big);
        let (next_big, next_small) = (self.nodes[big].next, self.nodes[small].next);
        self.nodes[big].next = next_small;
        self.nodes[small].next = next_big;
        let size = self.nodes[small].size;
        let data = &mut self.nodes[big];
        data.size += size;
        data.constant = kb.or(ks);
        data.uses.extend_from_slice(&uses);
        for &p in &uses {
            self.sign(p);
        }
        self.nodes[small].uses = uses;
        Ok(())
    }

    fn imply_members(&mut self, start: Node, constant: Node) {
        let mut m = start;
        loop {
            self.imply(m, constant);
            m = self.nodes[m].next;
            if m == start {
                break;
            }
        }
    }

    fn imply(&mut self, n: Node, constant: Node) {
        if let Some(lit) = self.nodes[n].lit {
            let lit = if constant == self.truth(true) {
                lit
            } else {
                !lit
            };
            self.implied.push((lit, n));
        }
    }

    /// Literals that follow, with the node to explain them by; clears the list.
    pub(crate) fn take_implied(&mut self, out: &mut Vec<(Lit, Node)>) {
        out.clear();
        out.append(&mut self.implied);
    }

    /// The caller assigned a literal that `take_implied` gave.
    pub(crate) fn note_implied(&mut self, lit: Lit, n: Node) {
        self.implied_by[lit.var().index()] = n.index() as u32;
    }

    // ---- explanations ----

    fn make_proof_root(&mut self, n: Node) {
        let mut current = n;
        let mut edge = self.nodes[n].proof.take();
        while let Some((parent, why)) = edge {
            edge = self.nodes[parent].proof.replace((current, why));
            current = parent;
        }
    }

    /// Why an implied literal holds.
    pub(crate) fn explain(&mut self, lit: Lit) -> Conflict {
        let n = Node::from_index(self.implied_by[lit.var().index()] as usize);
        let value = self.nodes[n].lit == Some(lit);
        let mut lits = self.explain_equal(n, self.truth(value));
        lits.push(lit);
        Conflict {
            lits,
            cert: Certificate::Equality,
        }
    }

    /// The negations of literals that make `a` and `b` equal.
    pub(crate) fn explain_equal(&mut self, a: Node, b: Node) -> Vec<Lit> {
        self.stamp += 1;
        let edges = self.stamp;
        let mut out = Vec::new();
        let mut work = vec![(a, b)];
        while let Some((a, b)) = work.pop() {
            if a == b {
                continue;
            }
            self.stamp += 1;
            let mut m = a;
            loop {
                self.nodes[m].stamp = self.stamp;
                match self.nodes[m].proof {
                    Some((parent, _)) => m = parent,
                    None => break,
                }
            }
            let mut meet = b;
            while self.nodes[meet].stamp != self.stamp {
                meet = self.nodes[meet]
                    .proof
                    .expect("equal nodes are in one proof tree")
                    .0;
            }
            for start in [a, b] {
                let mut m = start;
                while m != meet {
                    let (parent, why) = self.nodes[m].proof.expect("the meeting point is above");
                    if self.nodes[m].edge_stamp != edges {
                        self.nodes[m].edge_stamp = edges;
                        match why {
                            Why::Lit(l) => out.push(!l),
                            Why::Reflexive(n) => {
                                let [x, y, _] = self.nodes[n].args;
                                work.push((
                                    Node::from_index(x as usize),
                                    Node::from_index(y as usize),
                                ));
                            }
                            Why::Congruence(p, q) => self.argument_pairs(p, q, false, &mut work),
                            Why::Crossed(p, q) => self.argument_pairs(p, q, true, &mut work),
                        }
                    }
                    m = parent;
                }
            }
        }
        out.sort_unstable();
        out.dedup();
        out
    }

    fn argument_pairs(&self, p: Node, q: Node, crossed: bool, work: &mut Vec<(Node, Node)>) {
        let (mut x, y) = (self.nodes[p].args, self.nodes[q].args);
        if crossed {
            x.swap(0, 1);
        }
        for (&a, &b) in x.iter().zip(&y) {
            if a != NONE {
                work.push((Node::from_index(a as usize), Node::from_index(b as usize)));
            }
        }
    }
}
