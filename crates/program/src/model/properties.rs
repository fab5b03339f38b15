//! What a program can be checked for: one row a property, with its names, its place in the sets that
//! the command line knows, and its number in the Common Weakness Enumeration. Command line, text
//! form, reports and documents read this table.
//!
//! ```text
//!   memsafety = valid-deref, valid-free, valid-memtrack
//!   undefined = memsafety and everything else that C leaves undefined and we look for
//!   all       = undefined and unreach-call
//! ```

/// Which property an error location violates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Property {
    /// `reach_error()` or an assertion.
    Unreach,
    NoOverflow,
    ValidDeref,
    ValidFree,
    ValidMemtrack,
    /// All memory is freed when the program ends, also what could still be reached.
    ValidMemcleanup,
    NoDivByZero,
    /// Shift counts lie between 0 and the width.
    NoShift,
    /// Variables are read after they were written.
    NoUninit,
    /// Accesses have the alignment of their type.
    NoMisaligned,
    /// Pointer arithmetic stays inside an object or one past its end.
    NoPointerArith,
    /// `__builtin_unreachable()` is not reached.
    NoUnreachable,
    /// The value of a function that ended without `return` is not used.
    NoMissingReturn,
}

/// One row of the table.
#[derive(Clone, Copy, Debug)]
pub struct PropertyEntry {
    pub property: Property,
    /// As SV-COMP spells it, where it has the property.
    pub name: &'static str,
    /// In the text form of programs.
    pub text_name: &'static str,
    /// The formula of a `.prp` file.
    pub formula: &'static str,
    /// What a violation is, for people.
    pub violated: &'static str,
    /// The weakness, unless the execution shows a special case of it.
    pub cwe: u32,
    pub sets: Sets,
}

/// Which sets a property is in, besides `all`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sets {
    /// `memsafety` and `undefined`.
    Memory,
    /// `undefined`.
    Undefined,
    /// Only `all`.
    All,
    /// Asked for by its own name only.
    Alone,
}

const fn row(
    property: Property,
    name: &'static str,
    formula: &'static str,
    violated: &'static str,
    cwe: u32,
    sets: Sets,
) -> PropertyEntry {
    PropertyEntry {
        property,
        name,
        text_name: name,
        formula,
        violated,
        cwe,
        sets,
    }
}

/// All properties.
pub const PROPERTIES: &[PropertyEntry] = &[
    PropertyEntry {
        text_name: "unreach",
        ..row(
            Property::Unreach,
            "unreach-call",
            "G ! call(reach_error())",
            "an assertion fails or an error is reached",
            617,
            Sets::All,
        )
    },
    row(
        Property::NoOverflow,
        "no-overflow",
        "G ! overflow",
        "signed arithmetic overflows",
        190,
        Sets::Undefined,
    ),
    row(
        Property::ValidDeref,
        "valid-deref",
        "G valid-deref",
        "an invalid pointer is dereferenced",
        119,
        Sets::Memory,
    ),
    row(
        Property::ValidFree,
        "valid-free",
        "G valid-free",
        "an invalid pointer is freed",
        763,
        Sets::Memory,
    ),
    row(
        Property::ValidMemtrack,
        "valid-memtrack",
        "G valid-memtrack",
        "allocated memory is lost",
        401,
        Sets::Memory,
    ),
    row(
        Property::ValidMemcleanup,
        "valid-memcleanup",
        "G valid-memcleanup",
        "memory is still allocated when the program ends",
        401,
        Sets::Alone,
    ),
    row(
        Property::NoDivByZero,
        "no-div-by-zero",
        "G no-div-by-zero",
        "an integer is divided by zero",
        369,
        Sets::Undefined,
    ),
    row(
        Property::NoShift,
        "no-shift",
        "G no-shift",
        "a shift count is negative or not less than the width",
        1335,
        Sets::Undefined,
    ),
    row(
        Property::NoUninit,
        "no-uninit",
        "G no-uninit",
        "a variable is read before it was written",
        457,
        Sets::Undefined,
    ),
    row(
        Property::NoMisaligned,
        "no-misaligned",
        "G no-misaligned",
        "an access does not have the alignment of its type",
        758,
        Sets::Undefined,
    ),
    row(
        Property::NoPointerArith,
        "no-pointer-arith",
        "G no-pointer-arith",
        "pointer arithmetic leaves its object",
        823,
        Sets::Undefined,
    ),
    row(
        Property::NoUnreachable,
        "no-unreachable",
        "G no-unreachable",
        "code that is marked as unreachable is reached",
        758,
        Sets::Undefined,
    ),
    row(
        Property::NoMissingReturn,
        "no-missing-return",
        "G no-missing-return",
        "the value of a function that ended without `return` is used",
        758,
        Sets::Undefined,
    ),
];

/// The sets by name.
pub const PROPERTY_SETS: &[&str] = &["memsafety", "undefined", "all"];

impl Property {
    /// The row of the property.
    pub fn entry(self) -> &'static PropertyEntry {
        let found = PROPERTIES.iter().find(|e| e.property == self);
        found.expect("every property has a row")
    }

    /// The name on the command line and in reports.
    pub fn name(self) -> &'static str {
        self.entry().name
    }

    /// The property of a name.
    pub fn of_name(name: &str) -> Option<Property> {
        let found = PROPERTIES.iter().find(|e| e.name == name);
        found.map(|e| e.property)
    }

    /// The properties of a set of the command line.
    pub fn of_set(set: &str) -> Option<Vec<Property>> {
        let inside = |sets: Sets| match set {
            "memsafety" => sets == Sets::Memory,
            "undefined" => matches!(sets, Sets::Memory | Sets::Undefined),
            _ => sets != Sets::Alone,
        };
        let rows = PROPERTIES.iter().filter(|e| inside(e.sets));
        PROPERTY_SETS
            .contains(&set)
            .then(|| rows.map(|e| e.property).collect())
    }

    /// Whether it needs to know which objects live and how large they are.
    pub fn needs_objects(self) -> bool {
        use Property::*;
        matches!(
            self,
            ValidDeref
                | ValidFree
                | ValidMemtrack
                | ValidMemcleanup
                | NoPointerArith
                | NoMisaligned
        )
    }

    /// Whether models of the library are checked for it: they state what they need of memory; their
    /// arithmetic is their own business.
    pub fn in_models(self) -> bool {
        use Property::*;
        matches!(
            self,
            Unreach | ValidDeref | ValidFree | ValidMemtrack | ValidMemcleanup
        )
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn names_and_sets() {
        for row in PROPERTIES {
            assert_eq!(Property::of_name(row.name), Some(row.property));
            assert_eq!(row.property.entry().name, row.name);
        }
        let memory = Property::of_set("memsafety").unwrap();
        let undefined = Property::of_set("undefined").unwrap();
        let all = Property::of_set("all").unwrap();
        assert_eq!(memory.len(), 3);
        assert!(memory.iter().all(|p| undefined.contains(p)));
        assert!(undefined.iter().all(|p| all.contains(p)));
        assert!(all.contains(&Property::Unreach) && !undefined.contains(&Property::Unreach));
        assert_eq!(Property::of_set("no-such-set"), None);
    }
}
