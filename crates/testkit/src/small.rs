//! Small programs over two variables with four values each, and their meaning by enumeration.

use proptest::prelude::*;

#[derive(Clone, Debug)]
pub enum Act {
    /// x or y := (own + add of the other, plus constant), blocked outside 0..=3.
    Assign {
        to_y: bool,
        from_y: bool,
        add: i64,
    },
    Assume {
        y: bool,
        at_most: i64,
        negated: bool,
    },
    Same {
        negated: bool,
    },
    Havoc {
        y: bool,
    },
}

pub fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        (any::<bool>(), any::<bool>(), -2i64..=2).prop_map(|(to_y, from_y, add)| Act::Assign {
            to_y,
            from_y,
            add
        }),
        (any::<bool>(), 0i64..3, any::<bool>()).prop_map(|(y, at_most, negated)| Act::Assume {
            y,
            at_most,
            negated
        }),
        any::<bool>().prop_map(|negated| Act::Same { negated }),
        any::<bool>().prop_map(|y| Act::Havoc { y }),
    ]
}

/// Locations 0..5; 0 is the entry, 5 the exit, 4 the error.
pub const ERROR: usize = 4;

pub fn source(edges: &[(usize, usize, Act)]) -> String {
    let mut text = String::from(
        "fn main() {\n locals x: Int [0, 3], y: Int [0, 3]\n entry l0\n exit l5\n error l4: unreach \"e\"\n",
    );
    for (from, to, act) in edges {
        let stmt = match act {
            Act::Assign { to_y, from_y, add } => format!(
                "{} := (+ {} {add})",
                if *to_y { "y" } else { "x" },
                if *from_y { "y" } else { "x" }
            ),
            Act::Assume {
                y,
                at_most,
                negated,
            } => format!(
                "assume ({} {} {at_most})",
                if *negated { ">" } else { "<=" },
                if *y { "y" } else { "x" }
            ),
            Act::Same { negated } => {
                format!("assume ({} x y)", if *negated { "!=" } else { "=" })
            }
            Act::Havoc { y } => format!("havoc {}", if *y { "y" } else { "x" }),
        };
        text.push_str(&format!(" l{from} -> l{to}: {stmt}\n"));
    }
    text.push_str("}\n");
    text
}

/// States are numbered x + 4 * y; a set of them is a bit mask.
pub fn post(act: &Act, states: u16) -> u16 {
    let mut out = 0;
    for s in (0..16).filter(|s| states >> s & 1 == 1) {
        let (x, y) = (s % 4, s / 4);
        let mut put = |x: i64, y: i64| {
            if (0..4).contains(&x) && (0..4).contains(&y) {
                out |= 1 << (x + 4 * y);
            }
        };
        match act {
            Act::Assign { to_y, from_y, add } => {
                let value = if *from_y { y } else { x } + add;
                if *to_y { put(x, value) } else { put(value, y) }
            }
            Act::Assume {
                y: is_y,
                at_most,
                negated,
            } => {
                if ((if *is_y { y } else { x }) <= *at_most) != *negated {
                    put(x, y);
                }
            }
            Act::Same { negated } => {
                if (x == y) != *negated {
                    put(x, y);
                }
            }
            Act::Havoc { y: is_y } => {
                (0..4).for_each(|v| if *is_y { put(x, v) } else { put(v, y) });
            }
        }
    }
    out
}

pub fn reachable(edges: &[(usize, usize, Act)]) -> [u16; 6] {
    let mut sets = [0u16; 6];
    sets[0] = u16::MAX;
    loop {
        let before = sets;
        for (from, to, act) in edges {
            sets[*to] |= post(act, sets[*from]);
        }
        if sets == before {
            return sets;
        }
    }
}

/// Locations that the graph connects with the entry; others have no obligations.
pub fn live_locations(edges: &[(usize, usize, Act)]) -> Vec<bool> {
    let mut live = vec![true, false, false, false, false, false];
    for _ in 0..6 {
        for (from, to, _) in edges {
            if live[*from] {
                live[*to] = true;
            }
        }
    }
    live
}
