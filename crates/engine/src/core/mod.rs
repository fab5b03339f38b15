//! What every refinement needs: the loop itself ([`cegar`]), paths as formulas ([`path`]) and their
//! refutation ([`refute`]), Hoare triples over blocks ([`block_solver`]), Houdini over them ([`houdini`]),
//! facts as clauses ([`clauses`]), the reachability tree ([`tree`]) and the unwinding ([`unwinding`]) and how a search
//! ends ([`exploration`]).

pub(crate) mod block_solver;
pub(crate) mod cegar;
pub(crate) mod choices;
pub(crate) mod clauses;
pub(crate) mod exploration;
pub(crate) mod houdini;
pub(crate) mod path;
pub(crate) mod refute;
pub(crate) mod tree;
pub(crate) mod unwinding;

#[cfg(test)]
pub(crate) mod tests;
