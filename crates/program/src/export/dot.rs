//! Programs and block graphs as graphs for `dot`.

use crate::text::{print_expr, print_stmt};
use crate::{BlockGraph, BlockKind, Program};
use logic::Pool;
use std::fmt::Write;

/// Longest label of an edge, in characters.
const LABEL: usize = 120;

fn escape(text: &str) -> String {
    let mut short: String = text.chars().take(LABEL).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short.replace('\\', "\\\\").replace('"', "\\\"")
}

/// The control-flow automata, a cluster per function.
pub fn program(pool: &Pool, program: &Program) -> String {
    let mut out = String::from("digraph program {\n  node [shape=circle];\n");
    for (id, f) in program.functions.iter_enumerated() {
        let name = escape(&f.name);
        let _ = writeln!(out, "  subgraph \"cluster_{id}\" {{\n    label=\"{name}\";");
        for (loc, l) in program.locations.iter_enumerated() {
            if l.func != id {
                continue;
            }
            let style = if l.error.is_some() {
                " [color=red, shape=doubleoctagon]"
            } else if loc == f.entry {
                " [style=bold]"
            } else if loc == f.exit {
                " [shape=doublecircle]"
            } else {
                ""
            };
            let _ = writeln!(out, "    {loc}{style};");
        }
        out += "  }\n";
    }
    for edge in program.edges.iter() {
        let label = escape(&print_stmt(pool, program, &edge.stmt));
        let _ = writeln!(out, "  {} -> {} [label=\"{label}\"];", edge.from, edge.to);
    }
    out += "}\n";
    out
}

/// The blocks between cut points.
pub fn blocks(pool: &Pool, program: &Program, graph: &BlockGraph) -> String {
    let mut out = String::from("digraph blocks {\n  node [shape=circle];\n");
    for &loc in &graph.nodes {
        let style = match &program.locations[loc].error {
            Some(_) => " [color=red, shape=doubleoctagon]",
            None if graph.loop_heads.contains(&loc) => " [shape=house]",
            None => "",
        };
        let _ = writeln!(out, "  {loc}{style};");
    }
    for block in graph.blocks.iter() {
        let label = match &block.kind {
            BlockKind::Transition(t) => print_expr(pool, t.formula),
            BlockKind::Call(edge) => print_stmt(pool, program, &program.edges[*edge].stmt),
        };
        let (from, to) = (block.from, block.to);
        let _ = writeln!(out, "  {from} -> {to} [label=\"{}\"];", escape(&label));
    }
    out += "}\n";
    out
}
