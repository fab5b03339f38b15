//! Random C programs that aim at what hides mistakes: values at the limits of their types, mixes of
//! signed and unsigned, narrow types and bit-fields, compound assignment, shifts and division of
//! negative numbers, switch with fall-through, goto, struct copies and pointers into arrays. Nothing
//! they do is undefined once overflow wraps.

use std::fmt::Write;

/// The source of a program that prints what it computes.
pub fn program(seed: u64) -> String {
    Generator::of(seed)
}

const TYPES: [&str; 8] = [
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
];

const CONSTANTS: [&str; 18] = [
    "0",
    "1",
    "-1",
    "2u",
    "127",
    "128",
    "-128",
    "255",
    "32767",
    "-32768",
    "65535",
    "2147483647",
    "(-2147483647-1)",
    "4294967295u",
    "2147483648u",
    "9223372036854775807L",
    "18446744073709551615UL",
    "'\\xf0'",
];

/// Every place a program reads and writes besides its array.
const PLACES: [&str; 15] = [
    "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "s.a", "s.b", "s.c", "t.a", "t.b", "t.h",
    "(*p)",
];

struct Generator {
    state: u64,
    out: String,
    labels: usize,
}

impl Generator {
    fn next(&mut self, n: usize) -> usize {
        self.state ^= self.state >> 12;
        self.state ^= self.state << 25;
        self.state ^= self.state >> 27;
        (self.state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % n
    }

    fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.next(list.len())]
    }

    fn place(&mut self) -> String {
        match self.next(18) {
            i @ 0..15 => PLACES[i].into(),
            15 => format!("a[{}]", self.next(8)),
            16 => format!("a[{} & 7]", self.pick(&PLACES[..8])),
            _ => format!("t.r[{} & 1]", self.pick(&PLACES[..8])),
        }
    }

    fn expr(&mut self, depth: usize) -> String {
        if depth == 0 {
            return match self.next(3) {
                0 => self.pick(&CONSTANTS).into(),
                _ => self.place(),
            };
        }
        let a = self.expr(depth - 1);
        match self.next(12) {
            0 => format!("({})({a})", self.pick(&TYPES)),
            1 => {
                let op = self.pick(&["-", "~", "!", "+"]);
                format!("({op} {a})")
            }
            2 => {
                let (op, k) = (self.pick(&["<<", ">>"]), self.next(32));
                format!("({a} {op} {k})")
            }
            3 => {
                let b = self.expr(depth - 1);
                let op = self.pick(&["<<", ">>"]);
                format!("({a} {op} ({b} & 31))")
            }
            4 => {
                let b = self.expr(depth - 1);
                let op = self.pick(&["/", "%"]);
                format!("({a} {op} (({b} & 15) + 1))")
            }
            5 => {
                let (op, k) = (self.pick(&["/", "%"]), self.next(9) + 2);
                format!("({a} {op} -{k})")
            }
            6 => {
                let (b, c) = (self.expr(depth - 1), self.expr(depth - 1));
                format!("({a} ? {b} : {c})")
            }
            7 => {
                let b = self.expr(depth - 1);
                format!("mix({a}, {b})")
            }
            _ => {
                let b = self.expr(depth - 1);
                let op = self.pick(&[
                    "+", "-", "*", "&", "|", "^", "<", "<=", ">", ">=", "==", "!=", "&&", "||",
                ]);
                format!("({a} {op} {b})")
            }
        }
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.out, "  {text}");
    }

    fn statement(&mut self, depth: usize) {
        let e = self.expr(2);
        let p = self.place();
        match self.next(if depth == 0 { 7 } else { 12 }) {
            0..3 => self.line(&format!("{p} = {e};")),
            3 => {
                let op = self.pick(&["+=", "-=", "*=", "&=", "|=", "^="]);
                self.line(&format!("{p} {op} {e};"));
            }
            4 => {
                let (op, k) = (self.pick(&["<<=", ">>=", "/=", "%="]), self.next(7) + 1);
                self.line(&format!("{p} {op} {k};"));
            }
            5 => {
                let step = self.pick(&["++", "--"]);
                let q = self.pick(&PLACES[..8]);
                self.line(&format!("{q} = {p}{step};"));
            }
            6 => {
                let k = self.next(8);
                let text = match self.next(4) {
                    0 => format!("p = &a[{k}];"),
                    1 => "p = a + (7 - (p - a));".into(),
                    2 => "t = s;".into(),
                    _ => "{ struct s u = t; u.b = s.b; s = u; }".into(),
                };
                self.line(&text);
            }
            7 => {
                self.line(&format!("if ({e}) {{"));
                self.block(depth - 1);
                self.line("} else {");
                self.block(depth - 1);
                self.line("}");
            }
            8 | 9 => {
                let i = format!("i{depth}");
                let k = self.next(5) + 1;
                self.line(&format!("for (int {i} = 0; {i} < {k}; {i}++) {{"));
                self.block(depth - 1);
                let out = self.pick(&["break", "continue"]);
                self.line(&format!("if ({e}) {out};"));
                self.block(depth - 1);
                self.line("}");
            }
            10 => {
                self.line(&format!("switch (({e}) & 3) {{"));
                for case in ["case 0:", "case 2:", "default:", "case 1:"] {
                    self.line(case);
                    self.statement(0);
                    if self.next(2) == 0 {
                        self.line("break;");
                    }
                }
                self.line("}");
            }
            _ => {
                self.labels += 1;
                let l = self.labels;
                self.line(&format!("if ({e}) goto l{l};"));
                self.block(depth - 1);
                self.line(&format!("l{l}:;"));
            }
        }
    }

    fn block(&mut self, depth: usize) {
        for _ in 0..=self.next(3) {
            self.statement(depth);
        }
    }

    fn of(seed: u64) -> String {
        let mut g = Generator {
            state: (seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15),
            out: String::new(),
            labels: 0,
        };
        g.out += "int printf(const char *, ...);\n";
        g.out +=
            "struct s { signed a : 5; unsigned b : 7; unsigned c : 31; short h; long r[2]; };\n";
        g.out += "struct s s = { 3, 100, 5, -7, { 1, -1 } }, t;\n";
        g.out += "int a[8] = { 1, -2, 3, [7] = 9 };\nint *p = a;\n";
        for (i, ty) in TYPES.iter().enumerate() {
            let c = g.pick(&CONSTANTS);
            let _ = writeln!(g.out, "{ty} v{i} = ({ty}){c};");
        }
        g.out +=
            "static long mix(int x, unsigned char y) { static int n; n++; return x - y + n; }\n";
        g.out += "int main(void) {\n";
        for _ in 0..14 {
            g.statement(2);
        }
        for p in PLACES
            .iter()
            .copied()
            .chain(["t.c", "s.h", "t.r[0]", "s.r[1]", "p - a"])
        {
            let _ = writeln!(g.out, "  printf(\"%ld %s\\n\", (long)({p}), \"{p}\");");
        }
        for i in 0..8 {
            let _ = writeln!(g.out, "  printf(\"%d\\n\", a[{i}]);");
        }
        g.out += "  return v4 & 127;\n}\n";
        g.out
    }
}
