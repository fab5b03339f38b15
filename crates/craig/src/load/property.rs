//! Which properties to check: names, and `.prp` files as SV-COMP writes them.

use program::Property;

/// The properties of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Properties {
    /// The properties, in the order of their names.
    pub checked: Vec<Property>,
    /// As in a `.prp` file, for witnesses.
    pub specification: String,
    /// From a `.prp` file: the competition's conventions hold.
    pub competition: bool,
}

impl Default for Properties {
    fn default() -> Self {
        Properties {
            checked: vec![Property::Unreach],
            specification: "G ! call(reach_error())".into(),
            competition: false,
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
        }
    }

    /// By name, as on the command line.
    pub fn from_name(name: &str) -> Option<Properties> {
        let (checked, specification) = match name {
            "unreach-call" => (vec![Property::Unreach], "G ! call(reach_error())"),
            "no-overflow" => (vec![Property::NoOverflow], "G ! overflow"),
            "valid-memsafety" => (
                vec![
                    Property::ValidDeref,
                    Property::ValidFree,
                    Property::ValidMemtrack,
                ],
                "G valid-free\nG valid-deref\nG valid-memtrack",
            ),
            "valid-deref" => (vec![Property::ValidDeref], "G valid-deref"),
            "valid-free" => (vec![Property::ValidFree], "G valid-free"),
            "valid-memtrack" => (vec![Property::ValidMemtrack], "G valid-memtrack"),
            _ => return None,
        };
        Some(Properties {
            checked,
            specification: specification.into(),
            competition: false,
        })
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
                "G!call(reach_error())" | "G!call(__VERIFIER_error())" => Property::Unreach,
                "G!overflow" => Property::NoOverflow,
                "Gvalid-deref" => Property::ValidDeref,
                "Gvalid-free" => Property::ValidFree,
                "Gvalid-memtrack" => Property::ValidMemtrack,
                _ => return Err(format!("the property `{formula}` is not supported")),
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
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

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
