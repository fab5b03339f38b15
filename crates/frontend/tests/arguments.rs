//! What is assumed of the command line (`c/lower/arguments.rs`) holds in every execution: programs that read and change
//! it are run at random, and no run ends at such an assumption.
#![allow(clippy::unwrap_used)]

use base::Random;
use frontend::c::lower::{LowerOptions, lower};
use frontend::c::types::DataModel;
use frontend::c::{COptions, parse_and_check};
use logic::{ArrayValue, Pool, Value};
use program::interp::{Interpreter, Limits, Oracle, Outcome};
use program::{EdgeId, LocId, Program, Property, SourceMap, Stmt, VarId};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Statements that read or change the command line, to be put together at random.
const STATEMENTS: &[&str] = &[
    "for (i = 0; i < argc; i++) n += argv[i][0];",
    "for (i = 0; i < argc; i++) { s = argv[i]; while (*s) s++; n += s - argv[i]; }",
    "for (i = 0; argv[i]; i++) n += length(argv[i]);",
    "if (argc > 1) { s = argv[1]; argv[1] = argv[0]; argv[0] = s; }",
    "if (argc > 2) argv[2] = \"changed\";",
    "if (argc > 1 && argv[1][0]) argv[1][length(argv[1]) - 1] = 'x';",
    "if (argc > 1) argv[1][0] = 0;",
    "s = malloc(length(argv[0]) + 1); copy(s, argv[0]); n += length(s); free(s);",
    "buffer[n & 7] = 'b'; buffer[7] = 0; n += length(buffer);",
    "names[n & 3] = argv[0]; n += names[n & 3] != 0;",
    "argv++; argc--;",
    "table = malloc(2 * sizeof *table); table[0] = argv[0]; table[1] = buffer; n += table[n & 1] != 0; free(table);",
];

fn text(random: &mut Random) -> String {
    let mut body = String::new();
    for _ in 0..2 + random.below(5) {
        body += "  ";
        body += STATEMENTS[random.below(STATEMENTS.len() as u64) as usize];
        body += "\n";
    }
    format!(
        "extern void *malloc(unsigned long); extern void free(void *);
static char buffer[8]; static char *names[4];
static int length(const char *s) {{ int n = 0; while (s[n]) n++; return n; }}
static void copy(char *d, const char *s) {{ while ((*d++ = *s++)) ; }}
int main(int argc, char **argv) {{
  int i; unsigned n = 0; char *s; char **table;
{body}  return n & 1;
}}
"
    )
}

/// Small numbers; memory holds anything but zero at first.
struct Chance<'a>(Random, &'a Program);

impl Oracle for Chance<'_> {
    fn initial(&mut self, var: VarId) -> Option<Value> {
        let default = Value::Num((1 + self.0.below(100)).into());
        let entries = BTreeMap::new();
        let array = Value::Array(Arc::new(ArrayValue { default, entries }));
        self.1.vars[var].name.starts_with("mem.").then_some(array)
    }

    fn havoc(&mut self, _: EdgeId, vars: &[VarId]) -> Option<Vec<Value>> {
        let mut any = |_: &VarId| Value::Num(self.0.below(4).into());
        Some(vars.iter().map(&mut any).collect())
    }
}

/// Does the location begin with something that is assumed of the command line?
fn is_assumed(pool: &Pool, program: &Program, l: LocId) -> bool {
    let line = program.vars.iter().find(|v| v.name == "craig_argc");
    let line = line.map(|v| v.term);
    program.type_ranges.iter().any(|&e| {
        let edge = &program.edges[e];
        let Stmt::Assume(t) = edge.stmt else {
            return false;
        };
        edge.from == l && pool.post_order(&[t]).iter().any(|&x| Some(x) == line)
    })
}

#[test]
fn what_is_assumed_of_the_command_line_holds() {
    let (mut exited, mut assumed) = (0, 0);
    for seed in 0..120 {
        let text = text(&mut Random::new(seed));
        let data_model = [DataModel::Lp64, DataModel::Ilp32][(seed % 2) as usize];
        let options = LowerOptions {
            data_model,
            properties: BTreeSet::from([Property::ValidDeref, Property::ValidFree]),
            ..LowerOptions::default()
        };
        let mut sources = SourceMap::default();
        let c = COptions {
            data_model,
            line_markers: false,
            ..COptions::default()
        };
        let (unit, _) = parse_and_check(&[("test.c", &text)], &c, &mut sources).unwrap();
        let mut pool = Pool::new();
        let program = lower(&mut pool, &unit, &options, &sources).unwrap();
        let locations = 0..program.locations.len();
        let places = locations.filter(|&i| is_assumed(&pool, &program, base::Id::from_index(i)));
        assumed += places.count();
        let limits = Limits {
            steps: 20_000,
            ..Limits::default()
        };
        let mut interpreter = Interpreter::new(&pool, &program);
        for run in 0..20 {
            let mut oracle = Chance(Random::new(seed * 100 + run), &program);
            match interpreter.run(&mut oracle, &limits).outcome {
                Outcome::Blocked(l) => {
                    assert!(
                        !is_assumed(&pool, &program, l),
                        "seed {seed}: at {l:?}\n{text}"
                    );
                }
                Outcome::Exited => exited += 1,
                _ => {}
            }
        }
    }
    assert!(
        exited > 500 && assumed > 500,
        "{exited} runs, {assumed} facts"
    );
}
