//! The solvers Craig knows how to talk to, one row each. Adding one is adding a row.

/// How a solver spells what SMT-LIB leaves open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interpolants {
    /// There are none to be had.
    None,
    /// `(get-interpolants A B …)` over named assertions; branching trees if so said.
    Named { trees: bool },
    /// `(get-interpolant (g …))` over assertions with `:interpolation-group`.
    Groups,
    /// `(get-interpolant name conjecture)`, one cut at a time.
    Conjecture,
}

/// A solver's description.
#[derive(Clone, Copy, Debug)]
pub struct SolverEntry {
    pub name: &'static str,
    pub command: &'static str,
    pub arguments: &'static [&'static str],
    /// Options to set before `set-logic`.
    pub options: &'static [&'static str],
    /// The options of a process that is asked for interpolants.
    pub interpolation: &'static [&'static str],
    /// Knows `check-sat-assuming` and `get-unsat-assumptions`.
    pub assumptions: bool,
    pub interpolants: Interpolants,
    /// Decides integer arithmetic, which all formulas of Craig need.
    pub integers: bool,
    pub install: &'static str,
}

const MODELS: &str = ":produce-models true";
const CORES: &str = ":produce-unsat-assumptions true";

/// For `--solver-command`: plain SMT-LIB 2.6, nothing taken for granted.
pub const GENERIC: SolverEntry = SolverEntry {
    name: "command",
    command: "",
    arguments: &[],
    options: &[MODELS],
    interpolation: &[":produce-interpolants true"],
    assumptions: false,
    interpolants: Interpolants::None,
    integers: true,
    install: "give the whole command, a program that reads SMT-LIB 2 from standard input",
};

pub const SOLVERS: &[SolverEntry] = &[
    SolverEntry {
        name: "z3",
        command: "z3",
        arguments: &["-in", "-smt2"],
        options: &[MODELS, CORES],
        assumptions: true,
        install: "pip install z3-solver, or apt install z3",
        ..GENERIC
    },
    SolverEntry {
        name: "cvc5",
        command: "cvc5",
        arguments: &["--incremental", "--lang=smt2"],
        options: &[MODELS, CORES],
        assumptions: true,
        interpolants: Interpolants::Conjecture,
        install: "apt install cvc5, or a binary from github.com/cvc5/cvc5/releases",
        ..GENERIC
    },
    SolverEntry {
        name: "opensmt",
        command: "opensmt",
        arguments: &["-"],
        options: &[MODELS],
        interpolants: Interpolants::Named { trees: false },
        install: "a binary from github.com/usi-verification-and-security/opensmt/releases",
        ..GENERIC
    },
    SolverEntry {
        name: "smtinterpol",
        command: "smtinterpol",
        arguments: &["-q"],
        options: &[MODELS, CORES],
        assumptions: true,
        interpolants: Interpolants::Named { trees: true },
        install: "the jar from ultimate.informatik.uni-freiburg.de/smtinterpol, started by a script \
                  `smtinterpol` on the PATH: exec java -jar /path/smtinterpol.jar \"$@\"",
        ..GENERIC
    },
    SolverEntry {
        name: "mathsat",
        command: "mathsat",
        arguments: &["-input=smt2"],
        options: &[MODELS, CORES],
        assumptions: true,
        interpolants: Interpolants::Groups,
        install: "a binary from mathsat.fbk.eu",
        ..GENERIC
    },
    SolverEntry {
        name: "yices",
        command: "yices-smt2",
        arguments: &["--incremental"],
        options: &[MODELS, CORES],
        assumptions: true,
        install: "a binary from yices.csl.sri.com, or brew install yices2",
        ..GENERIC
    },
    SolverEntry {
        name: "bitwuzla",
        command: "bitwuzla",
        options: &[MODELS, CORES],
        assumptions: true,
        integers: false,
        install: "a binary from github.com/bitwuzla/bitwuzla",
        ..GENERIC
    },
];

/// The row of a solver.
pub fn entry(name: &str) -> Option<&'static SolverEntry> {
    SOLVERS.iter().find(|e| e.name == name)
}
