//! Equality with uninterpreted functions: congruence closure with explanations.
//!
//! Terms are *nodes* in classes. Merging two classes re-signs the applications that use them;
//! applications of one signature are congruent. A proof forest keeps why nodes are equal
//! (Nieuwenhuis and Oliveras, *Fast congruence closure and extensions*, 2007). `Bool` terms are nodes too: true
//! ones are in the class of `TRUE`. An equality atom is an application of a symmetric function
//! that is true when its sides are in one class, so disequalities need no separate treatment.
//! Applications of more than three arguments are chained through hidden tuple nodes.
//!
//! Why not a library: union-find crates neither say why two things are equal nor undo a merge, and `egg` cannot backtrack.
//!
//! Here are nodes and the table of signatures; `closure` merges, `levels` undoes, `explain` says why.
//!
//! Nodes may be made at any level. What was done for them above level 0 is undone by backtracking and
//! done again at the level left (`late`).
//!
//! Invariants: every application node is in the table under its signature or congruent to the one
//! that is; the path between two nodes in the proof forest never changes while they are equal.

mod closure;
mod explain;
mod levels;

use crate::Lit;
use base::{FxHashMap, Id, IndexVec, new_id};
use logic::{Op, Pool, SortId, TermId};

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
}
