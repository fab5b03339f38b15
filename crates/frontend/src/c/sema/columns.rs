//! Columns behind macros: from a line of preprocessed text to the line that the user wrote.
//!
//! `cc -E` keeps lines but not columns. Both lines are taken apart into tokens and aligned by a longest common
//! subsequence: what both have stands where the user wrote it, arguments of macros too. A token that only the
//! preprocessed line has came out of a macro, and stands where the macro's name does: `assert(x > 0)` keeps the
//! place of `x`, and the call that it makes is at `assert`.

/// From this column of the preprocessed line on (0-based): column and length in the user's line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shift {
    pub from: u32,
    pub to: u32,
    pub len: u32,
}

/// Larger tables are not worth their time: such a line keeps its columns.
const TABLE: usize = 1 << 18;

/// Where the tokens of a preprocessed line are in the user's line.
pub(super) fn align(preprocessed: &str, original: &str) -> Vec<Shift> {
    let (new, old) = (tokens(preprocessed), tokens(original));
    let same = |i: usize, j: usize| {
        let ((a, b), (c, d)) = (new[i], old[j]);
        preprocessed.as_bytes()[a..b] == original.as_bytes()[c..d]
    };
    let Some(partner) = partners(new.len(), old.len(), same) else {
        return Vec::new();
    };
    let mut taken = vec![false; old.len()];
    for j in partner.iter().flatten() {
        taken[*j] = true;
    }
    let first = |text: &str, t: &(usize, usize)| text.as_bytes()[t.0];
    let letter = |b: u8| b.is_ascii_alphabetic() || b == b'_';
    let is_name = |j: &usize| letter(first(original, &old[*j]));
    let opens = |text: &str, t: Option<&(usize, usize)>| t.is_some_and(|t| first(text, t) == b'(');
    let calls = |j: &usize| is_name(j) && opens(original, old.get(j + 1));
    let is_call =
        |i: usize| letter(first(preprocessed, &new[i])) && opens(preprocessed, new.get(i + 1));
    let mut previous = vec![0; new.len()];
    for i in 1..new.len() {
        previous[i] = partner[i - 1].map_or(previous[i - 1], |j| j + 1);
    }
    let mut next = old.len();
    let mut shifts = Vec::with_capacity(new.len());
    for (i, &(from, _)) in new.iter().enumerate().rev() {
        // A name that stands here in the user's line only, or the last call that is no call any more; calls
        // come out of calls rather than out of their arguments.
        let here = || (previous[i]..next).rev().find(|j| !taken[*j] && is_name(j));
        let around = || (0..next).rev().find(|j| !taken[*j] && calls(j));
        let at = match partner[i] {
            Some(j) => {
                next = j;
                Some(j)
            }
            None if is_call(i) => around().or_else(here).or(next.checked_sub(1)),
            None => here().or_else(around).or(next.checked_sub(1)),
        };
        if let Some((start, end)) = at.and_then(|j| old.get(j).copied()) {
            shifts.push(Shift {
                from: from as u32,
                to: start as u32,
                len: (end - start) as u32,
            });
        }
    }
    shifts.reverse();
    shifts
}

/// A longest common subsequence of `n` and `m` things: the partner of each of the `n`.
fn partners(n: usize, m: usize, same: impl Fn(usize, usize) -> bool) -> Option<Vec<Option<usize>>> {
    let mut partner = vec![None; n];
    let ahead = (0..n.min(m)).take_while(|&k| same(k, k)).count();
    let behind = (0..n.min(m) - ahead)
        .take_while(|&k| same(n - 1 - k, m - 1 - k))
        .count();
    for (k, p) in partner.iter_mut().enumerate().take(ahead) {
        *p = Some(k);
    }
    for k in 0..behind {
        partner[n - 1 - k] = Some(m - 1 - k);
    }
    let (rows, columns) = (n - ahead - behind, m - ahead - behind);
    if rows.saturating_mul(columns) > TABLE {
        return None;
    }
    let mut length = vec![0u32; (rows + 1) * (columns + 1)];
    let at = |i: usize, j: usize| i * (columns + 1) + j;
    for i in (0..rows).rev() {
        for j in (0..columns).rev() {
            length[at(i, j)] = if same(ahead + i, ahead + j) {
                length[at(i + 1, j + 1)] + 1
            } else {
                length[at(i + 1, j)].max(length[at(i, j + 1)])
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    while i < rows && j < columns {
        if same(ahead + i, ahead + j) {
            partner[ahead + i] = Some(ahead + j);
            (i, j) = (i + 1, j + 1);
        } else if length[at(i + 1, j)] >= length[at(i, j + 1)] {
            i += 1;
        } else {
            j += 1;
        }
    }
    Some(partner)
}

/// Byte ranges of words, literals and single signs; comments and white space are none.
fn tokens(line: &str) -> Vec<(usize, usize)> {
    let bytes = line.as_bytes();
    let is_word = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b >= 0x80;
    let mut out = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        match bytes[at] {
            b if b.is_ascii_whitespace() => {
                at += 1;
                continue;
            }
            b'/' if bytes.get(at + 1) == Some(&b'/') => break,
            b'/' if bytes.get(at + 1) == Some(&b'*') => {
                at = line[at + 2..]
                    .find("*/")
                    .map_or(bytes.len(), |k| at + k + 4);
                continue;
            }
            quote @ (b'"' | b'\'') => {
                at += 1;
                while at < bytes.len() && bytes[at] != quote {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
                at = (at + 1).min(bytes.len());
            }
            b if is_word(b) => at += bytes[at..].iter().take_while(|b| is_word(**b)).count(),
            _ => at += 1,
        }
        out.push((start, at));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::align;

    /// The piece of the user's line that a piece of the preprocessed line stands for.
    fn piece<'o>(preprocessed: &str, original: &'o str, what: &str) -> &'o str {
        let at = preprocessed.find(what).expect("in the line") as u32;
        let shifts = align(preprocessed, original);
        let shift = shifts.iter().rfind(|s| s.from <= at).expect("a token");
        &original[shift.to as usize..(shift.to + shift.len) as usize]
    }

    #[test]
    fn what_a_macro_makes_is_at_its_name() {
        let original = "  if (N > 2) CHECK(x == N); y = 1; // CHECK";
        let new = "  if (10 > 2) if (!(x == 10)) fail(\"x == N\"); y = 1;";
        assert_eq!(piece(new, original, "10 >"), "N");
        assert_eq!(piece(new, original, "fail"), "CHECK");
        assert_eq!(piece(new, original, "x =="), "x");
        assert_eq!(piece(new, original, "y ="), "y");
        assert_eq!(piece(new, original, "1;"), "1");
    }

    #[test]
    fn nothing_else_moves() {
        let original = "f(a, \"b // c\", 'd'); /* e */ g();";
        let new = "f(a, \"b // c\", 'd'); g();";
        for what in ["f(", "a,", "\"b", "'d'", "g("] {
            let name = what.trim_end_matches(['(', ',']);
            assert!(piece(new, original, what).starts_with(name));
        }
        assert!(align("x y z", "").is_empty());
        assert!(align("", "x").is_empty());
    }
}
