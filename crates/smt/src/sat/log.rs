//! The proof as it grows: clauses with their origin, and the trimmed refutation at the end.

use crate::proof::{Certificate, ClauseId, Origin, PartitionId, ProofClause, Refutation, Step};
use crate::{BoolVar, Lit};
use base::IndexVec;
use logic::TermId;

#[derive(Default)]
pub(crate) struct ProofLog {
    clauses: IndexVec<ClauseId, ProofClause>,
    /// The empty clause, once derived from clauses that stay.
    pub(crate) root: Option<ClauseId>,
}

impl ProofLog {
    fn push(&mut self, lits: &[Lit], origin: Origin) -> ClauseId {
        let mut lits = lits.to_vec();
        lits.sort_unstable();
        lits.dedup();
        self.clauses.push(ProofClause { lits, origin })
    }

    pub(crate) fn input(&mut self, lit: Lit, partition: PartitionId) -> ClauseId {
        self.push(&[lit], Origin::Input(partition))
    }

    pub(crate) fn definition(&mut self, lits: &[Lit]) -> ClauseId {
        self.push(lits, Origin::Definition)
    }

    /// Farkas coefficients follow their literals when these are sorted.
    pub(crate) fn lemma(&mut self, lits: &[Lit], cert: Certificate) -> ClauseId {
        let cert = match cert {
            Certificate::Farkas(coefficients) => {
                let mut pairs: Vec<_> = lits.iter().copied().zip(coefficients).collect();
                pairs.sort_by_key(|p| p.0);
                pairs.dedup_by(|later, first| {
                    let same = later.0 == first.0;
                    if same {
                        first.1 += &later.1;
                    }
                    same
                });
                Certificate::Farkas(pairs.into_iter().map(|p| p.1).collect())
            }
            Certificate::Divisibility(coefficients) => {
                // Literals of a divisibility lemma are distinct.
                let mut pairs: Vec<_> = lits.iter().copied().zip(coefficients).collect();
                pairs.sort_by_key(|p| p.0);
                Certificate::Divisibility(pairs.into_iter().map(|p| p.1).collect())
            }
            Certificate::Residue(weights) => {
                // So are those of a residue lemma.
                let mut pairs: Vec<_> = lits.iter().copied().zip(weights).collect();
                pairs.sort_by_key(|p| p.0);
                Certificate::Residue(pairs.into_iter().map(|p| p.1).collect())
            }
            other => other,
        };
        self.push(lits, Origin::Lemma(cert))
    }

    /// `start` itself when there is nothing to resolve.
    pub(crate) fn chain(&mut self, start: ClauseId, steps: Vec<Step>, lits: &[Lit]) -> ClauseId {
        if steps.is_empty() {
            return start;
        }
        self.push(lits, Origin::Chain { start, steps })
    }

    /// The part of the proof that `root` needs.
    pub(crate) fn refutation(
        &self,
        root: ClauseId,
        terms: &IndexVec<BoolVar, TermId>,
    ) -> Refutation {
        let mut new_id: IndexVec<ClauseId, Option<ClauseId>> =
            IndexVec::filled(None, self.clauses.len());
        let mut needed = IndexVec::<ClauseId, bool>::filled(false, self.clauses.len());
        needed[root] = true;
        for id in self.clauses.ids().rev() {
            if !needed[id] {
                continue;
            }
            if let Origin::Chain { start, steps } = &self.clauses[id].origin {
                needed[*start] = true;
                for s in steps {
                    needed[s.antecedent] = true;
                }
            }
        }
        let mut out = Refutation {
            terms: terms.clone(),
            ..Refutation::default()
        };
        for (id, clause) in self.clauses.iter_enumerated() {
            if !needed[id] {
                continue;
            }
            let mut clause = clause.clone();
            if let Origin::Chain { start, steps } = &mut clause.origin {
                let renumber = |c: ClauseId| new_id[c].expect("antecedents come first");
                *start = renumber(*start);
                for s in steps {
                    s.antecedent = renumber(s.antecedent);
                }
            }
            new_id[id] = Some(out.clauses.push(clause));
        }
        out.root = new_id[root];
        out
    }
}
