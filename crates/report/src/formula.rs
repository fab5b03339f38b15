//! Formulas of an engine's log in the words of C: infix, with the names of the source.
//!
//! The log has SMT-LIB text over variables of programs that engines made for themselves; here it is only shown, so
//! names lose what tells copies apart. What speaks of the model of memory has no words and is left out.

/// An expression as it was written.
enum Node {
    Name(String),
    List(Vec<Node>),
}

/// Characters of a formula shown at most.
const SHOWN: usize = 300;
/// Deeper formulas are not shown.
const DEPTH: usize = 60;

/// The formula in C's words; `None` where it has none.
pub fn words(text: &str) -> Option<String> {
    let node = parse(text)?;
    let text = show(&node, 0, 0)?;
    Some(match text.chars().count() > SHOWN {
        true => text.chars().take(SHOWN).collect::<String>() + " …",
        false => text,
    })
}

/// The conjuncts of a formula that have words, and whether some have none.
pub fn conjuncts(text: &str) -> (Vec<String>, bool) {
    let all = match parse(text) {
        Some(Node::List(mut list)) if matches!(&list[..], [Node::Name(n), _, ..] if n == "and") => {
            list.remove(0);
            list
        }
        Some(node) => vec![node],
        None => return (Vec::new(), true),
    };
    let shown: Vec<Option<String>> = all.iter().map(|n| show(n, 0, 0)).collect();
    let unsaid = shown.iter().any(Option::is_none);
    (shown.into_iter().flatten().collect(), unsaid)
}

fn parse(text: &str) -> Option<Node> {
    let mut open: Vec<Vec<Node>> = vec![Vec::new()];
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '(' => open.push(Vec::new()),
            ')' => {
                let list = open.pop()?;
                open.last_mut()?.push(Node::List(list));
            }
            '|' => {
                let name: String = rest.by_ref().take_while(|&c| c != '|').collect();
                open.last_mut()?.push(Node::Name(name));
            }
            c if c.is_whitespace() => {}
            c => {
                let mut name = String::from(c);
                while let Some(c) = rest.next_if(|c| !c.is_whitespace() && !"()|".contains(*c)) {
                    name.push(c);
                }
                open.last_mut()?.push(Node::Name(name));
            }
        }
    }
    let mut top = open.pop().filter(|_| open.is_empty())?;
    top.pop().filter(|_| top.is_empty())
}

/// How strongly operators of C bind; atoms most.
fn show(node: &Node, outer: u8, depth: usize) -> Option<String> {
    let list = match node {
        Node::Name(name) => return variable(name),
        Node::List(list) if depth < DEPTH => list,
        Node::List(_) => return None,
    };
    let [Node::Name(head), arguments @ ..] = &list[..] else {
        return None;
    };
    let each = |level: u8| -> Option<Vec<String>> {
        let shown = arguments.iter().map(|a| show(a, level, depth + 1));
        shown.collect()
    };
    let (text, level) = match (head.as_str(), arguments) {
        ("not", [inner]) => match opposite(inner, depth)? {
            Some(text) => (text, 4),
            None => (format!("!{}", show(inner, 9, depth + 1)?), 8),
        },
        ("-", [inner]) => (format!("-{}", show(inner, 9, depth + 1)?), 8),
        ("=>", [_, _]) => {
            let parts = each(3)?;
            (format!("!({}) || {}", parts[0], parts[1]), 1)
        }
        ("ite", [_, _, _]) => {
            let parts = each(2)?;
            (format!("{} ? {} : {}", parts[0], parts[1], parts[2]), 0)
        }
        ("select", [_, _]) => {
            let parts = each(9)?;
            (format!("{}[{}]", parts[0], parts[1]), 9)
        }
        (operator, [_, _, ..]) => {
            let (word, level) = infix(operator)?;
            (each(level + 1)?.join(&format!(" {word} ")), level)
        }
        _ => return None,
    };
    Some(match level < outer {
        true => format!("({text})"),
        false => text,
    })
}

fn infix(operator: &str) -> Option<(&'static str, u8)> {
    Some(match operator {
        "or" => ("||", 1),
        "and" => ("&&", 2),
        "=" => ("==", 3),
        "distinct" => ("!=", 3),
        "<=" => ("<=", 4),
        ">=" => (">=", 4),
        "<" => ("<", 4),
        ">" => (">", 4),
        "+" => ("+", 5),
        "-" => ("-", 5),
        "*" => ("*", 6),
        "div" | "/" => ("/", 6),
        "mod" => ("%", 6),
        _ => return None,
    })
}

/// A negated comparison by the opposite one.
fn opposite(inner: &Node, depth: usize) -> Option<Option<String>> {
    let Node::List(list) = inner else {
        return Some(None);
    };
    let [Node::Name(head), a, b] = &list[..] else {
        return Some(None);
    };
    let word = match head.as_str() {
        "=" => "!=",
        "<=" => ">",
        ">=" => "<",
        "<" => ">=",
        ">" => "<=",
        _ => return Some(None),
    };
    let (a, b) = (show(a, 5, depth + 1)?, show(b, 5, depth + 1)?);
    Some(Some(format!("{a} {word} {b}")))
}

/// A variable as the source has it. Names with dots are ours.
fn variable(name: &str) -> Option<String> {
    if name.starts_with(|c: char| c.is_ascii_digit()) {
        return Some(name.trim_end_matches(".0").into());
    }
    let last = name.rsplit("::").next().unwrap_or(name);
    // Copies are numbered.
    let end = last.find(['~', '@', '\'']).unwrap_or(last.len());
    let (plain, copy) = last.split_at(end);
    if !copy
        .chars()
        .all(|c| c.is_ascii_digit() || "~@'".contains(c))
    {
        return None;
    }
    let mut letters = plain.chars();
    let first = letters
        .next()
        .is_some_and(|c| c.is_alphabetic() || c == '_');
    let rest = letters.all(|c| c.is_alphanumeric() || c == '_');
    (first && rest).then(|| plain.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_read_like_c() {
        let said = |text: &str| words(text).unwrap_or_default();
        assert_eq!(said("(<= |main::x| 5)"), "x <= 5");
        assert_eq!(said("(not (= |main::x~4| (- 1)))"), "x != -1");
        assert_eq!(
            said("(or (< x 1) (and p (>= y 2)))"),
            "x < 1 || p && y >= 2"
        );
        assert_eq!(said("(= (* 2 (+ x 1)) y)"), "2 * (x + 1) == y");
        assert_eq!(said("(= (select |main::a@2| i) 0)"), "a[i] == 0");
        assert_eq!(words("(= (select |obj.size| 3) 0)"), None);
        assert_eq!(words("(= alloc.top 3)"), None);
        assert_eq!(words("(not |main!err|)"), None);
        assert_eq!(words("(wrap 3"), None);
        let (all, unsaid) = conjuncts("(and (<= x 5) (= heap.live 0))");
        assert_eq!((all, unsaid), (vec!["x <= 5".to_string()], true));
    }
}
