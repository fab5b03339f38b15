//! Which properties to check: names, and `.prp` files as SV-COMP writes them.

use program::{PROPERTIES, PROPERTY_SETS, Property};
use std::collections::BTreeSet;

/// The memory properties as the competition asks for them: one question.
const COMPETITION_SET: &str = "valid-memsafety";
const MEMORY_FORMULAS: [&str; 3] = ["G valid-free", "G valid-deref", "G valid-memtrack"];

/// The properties of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Properties {
    /// The properties, in the order of their names.
    pub checked: Vec<Property>,
    /// As in a `.prp` file, for witnesses.
    pub specification: String,
    /// From a `.prp` file: the competition's conventions hold.
    pub competition: bool,
    /// Every check is decided, also after a violation.
    pub every_check: bool,
}

impl Default for Properties {
    fn default() -> Self {
        Properties {
            checked: vec![Property::Unreach],
            specification: "G ! call(reach_error())".into(),
            competition: false,
            every_check: false,
        }
    }
}

impl Properties {
    /// What functions are checked for if nothing is said: assertions and memory accesses.
    pub fn for_functions() -> Properties {
        Properties {
            checked: vec![Property::Unreach, Property::ValidDeref, Property::ValidFree],
            specification: "G ! call(reach_error())\nG valid-deref\nG valid-free".into(),
            competition: false,
            every_check: false,
        }
    }

    /// By names and sets, as on the command line: `no-overflow`, `memsafety`, `valid-deref,no-shift`.
    ///
    /// One property (and `valid-memsafety`, as the competition has it) is one question, which the first
    /// violation answers; of a set or a list every check is decided.
    pub fn from_names(list: &str) -> Result<Properties, String> {
        let mut checked = BTreeSet::new();
        for name in list.split(',').map(str::trim) {
            let set = if name == COMPETITION_SET {
                "memsafety"
            } else {
                name
            };
            match (named(name), Property::of_set(set)) {
                (Some(property), _) => {
                    checked.insert(property);
                }
                (None, Some(set)) => checked.extend(set),
                (None, None) => return Err(unknown(name)),
            }
        }
        let alone = named(list).is_some() || list == COMPETITION_SET;
        let order = match list {
            COMPETITION_SET => MEMORY_FORMULAS.to_vec(),
            _ => checked.iter().map(|p| p.entry().formula).collect(),
        };
        Ok(Properties {
            checked: checked.into_iter().collect(),
            specification: order.join("\n"),
            competition: false,
            every_check: !alone,
        })
    }

    /// As [`Self::from_names`], where what is wrong does not matter.
    pub fn from_name(names: &str) -> Option<Properties> {
        Self::from_names(names).ok()
    }

    /// As witnesses give it: the text of a `.prp` file, or only its formulas.
    pub fn from_specification(text: &str) -> Result<Properties, String> {
        let whole = |line: &str| match line.contains("LTL(") || line.trim().is_empty() {
            true => format!("{line}\n"),
            false => format!("CHECK( init(main()), LTL({line}) )\n"),
        };
        Properties::from_file(&text.lines().map(whole).collect::<String>())
    }

    /// The text of a `.prp` file.
    pub fn from_file(text: &str) -> Result<Properties, String> {
        let mut checked = Vec::new();
        let mut specification = Vec::new();
        for line in text.lines().map(str::trim).filter(|l| !l.is_empty()) {
            let formula = line
                .split_once("LTL(")
                .and_then(|(_, rest)| rest.rsplit_once(')'))
                .and_then(|(rest, _)| rest.trim_end().rsplit_once(')'))
                .map(|(f, _)| f.trim())
                .ok_or_else(|| format!("cannot read the property `{line}`"))?;
            let squeezed: String = formula.chars().filter(|c| !c.is_whitespace()).collect();
            let property = match squeezed.as_str() {
                "G!call(__VERIFIER_error())" => Property::Unreach,
                _ => of_formula(&squeezed)
                    .ok_or_else(|| format!("the property `{formula}` is not supported"))?,
            };
            checked.push(property);
            specification.push(formula.to_string());
        }
        if checked.is_empty() {
            return Err("the property file is empty".into());
        }
        Ok(Properties {
            checked,
            specification: specification.join("\n"),
            competition: true,
            every_check: false,
        })
    }
}

fn named(name: &str) -> Option<Property> {
    Property::of_name(name)
}

fn unknown(name: &str) -> String {
    let names: Vec<&str> = PROPERTIES.iter().map(|e| e.name).collect();
    format!(
        "unknown property `{name}` (known: {}; the sets {}, {COMPETITION_SET}; or a .prp file)",
        names.join(", "),
        PROPERTY_SETS.join(", ")
    )
}

/// The property of a formula without white space.
fn of_formula(squeezed: &str) -> Option<Property> {
    let same = |formula: &str| {
        formula
            .chars()
            .filter(|c| !c.is_whitespace())
            .eq(squeezed.chars())
    };
    let row = PROPERTIES.iter().find(|e| same(e.formula));
    row.map(|e| e.property)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn lists_and_sets() {
        let p = Properties::from_names("no-overflow").unwrap();
        assert!(!p.every_check && p.checked == [Property::NoOverflow]);
        let p = Properties::from_names("valid-memsafety").unwrap();
        assert!(!p.every_check && p.checked.len() == 3);
        assert!(p.specification.starts_with("G valid-free\n"));
        let p = Properties::from_names("memsafety").unwrap();
        assert!(p.every_check && p.checked.len() == 3);
        let p = Properties::from_names("unreach-call,no-shift").unwrap();
        assert!(p.every_check);
        assert_eq!(p.checked, [Property::Unreach, Property::NoShift]);
        let p = Properties::from_names("all").unwrap();
        assert!(p.checked.contains(&Property::NoUninit));
        assert!(Properties::from_names("memsafety,nonsense").is_err());
        assert!(Properties::from_names("").is_err());
    }

    #[test]
    fn property_files() {
        let p =
            Properties::from_file("CHECK( init(main()), LTL(G ! call(reach_error())) )\n").unwrap();
        assert_eq!(p.checked, [Property::Unreach]);
        assert_eq!(p.specification, "G ! call(reach_error())");
        let text = "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n\n";
        let p = Properties::from_file(text).unwrap();
        assert_eq!(p.checked, [Property::ValidFree, Property::ValidDeref]);
        assert!(Properties::from_file("CHECK( init(main()), LTL(F end) )").is_err());
        assert!(Properties::from_file("").is_err());
    }
}
