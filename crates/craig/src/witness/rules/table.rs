//! One row a key of a mapping: needed or not, since which version, what its value looks like; then the names of
//! the rules that rows cannot say.

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Version {
    V20,
    V21,
    V22,
}
use Version::{V20, V21, V22};

/// Mappings that a witness is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Entry,
    Metadata,
    Producer,
    Task,
    Invariant,
    Contract,
    Location,
    Waypoint,
    Constraint,
}

/// What the value of a key looks like.
#[derive(Clone, Copy, Debug)]
pub(super) enum Form {
    Text,
    /// A text that YAML would read as a number if it had no quotes.
    Quoted,
    OneOf(&'static [&'static str]),
    /// A whole number from this on.
    From(u32),
    Names,
    /// Letters, digits and hyphens as RFC 4122 has them.
    Uuid,
    /// ISO 8601 with an offset.
    Time,
    /// File names, each with 64 hexadecimal digits.
    Hashes,
    List,
    Map,
}

/// One key of a mapping.
pub(super) struct Row {
    pub rule: &'static str,
    pub part: Part,
    pub key: &'static str,
    pub needed: bool,
    pub since: Version,
    pub form: Form,
}

const fn needed(rule: &'static str, part: Part, key: &'static str, form: Form) -> Row {
    let since = V20;
    Row {
        rule,
        part,
        key,
        needed: true,
        since,
        form,
    }
}

const fn allowed(
    rule: &'static str,
    part: Part,
    key: &'static str,
    since: Version,
    form: Form,
) -> Row {
    Row {
        rule,
        part,
        key,
        needed: false,
        since,
        form,
    }
}

const FORMATS: &[&str] = &["c_expression", "ext_c_expression", "acsl_expression"];
const INVARIANTS: &[&str] = &[
    "loop_invariant",
    "location_invariant",
    "loop_transition_invariant",
    "location_transition_invariant",
];
const WAYPOINTS: &[&str] = &[
    "assumption",
    "branching",
    "function_enter",
    "function_return",
    "target",
];

pub(super) const ROWS: &[Row] = &[
    needed(
        "entry-type",
        Part::Entry,
        "entry_type",
        Form::OneOf(&[
            "invariant_set",
            "violation_sequence",
            "ghost_instrumentation",
        ]),
    ),
    needed("entry-metadata", Part::Entry, "metadata", Form::Map),
    needed("entry-content", Part::Entry, "content", Form::List),
    needed(
        "format-version",
        Part::Metadata,
        "format_version",
        Form::Quoted,
    ),
    needed("uuid", Part::Metadata, "uuid", Form::Uuid),
    needed("creation-time", Part::Metadata, "creation_time", Form::Time),
    needed("producer", Part::Metadata, "producer", Form::Map),
    needed("task", Part::Metadata, "task", Form::Map),
    needed("producer-name", Part::Producer, "name", Form::Text),
    needed("producer-version", Part::Producer, "version", Form::Text),
    allowed(
        "producer-configuration",
        Part::Producer,
        "configuration",
        V20,
        Form::Text,
    ),
    allowed(
        "producer-command-line",
        Part::Producer,
        "command_line",
        V20,
        Form::Text,
    ),
    allowed(
        "producer-description",
        Part::Producer,
        "description",
        V20,
        Form::Text,
    ),
    needed("input-files", Part::Task, "input_files", Form::Names),
    needed(
        "input-file-hashes",
        Part::Task,
        "input_file_hashes",
        Form::Hashes,
    ),
    needed("specification", Part::Task, "specification", Form::Text),
    needed(
        "data-model",
        Part::Task,
        "data_model",
        Form::OneOf(&["ILP32", "LP64"]),
    ),
    needed("language", Part::Task, "language", Form::OneOf(&["C"])),
    needed(
        "invariant-type",
        Part::Invariant,
        "type",
        Form::OneOf(INVARIANTS),
    ),
    needed("location", Part::Invariant, "location", Form::Map),
    needed("invariant-value", Part::Invariant, "value", Form::Text),
    needed(
        "invariant-format",
        Part::Invariant,
        "format",
        Form::OneOf(FORMATS),
    ),
    allowed(
        "invariant-labels",
        Part::Invariant,
        "labels",
        V21,
        Form::Names,
    ),
    needed(
        "contract-type",
        Part::Contract,
        "type",
        Form::OneOf(&["function_contract"]),
    ),
    needed("location", Part::Contract, "location", Form::Map),
    needed("contract-requires", Part::Contract, "requires", Form::Text),
    needed("contract-ensures", Part::Contract, "ensures", Form::Text),
    needed(
        "contract-format",
        Part::Contract,
        "format",
        Form::OneOf(&["ext_c_expression", "acsl_expression"]),
    ),
    allowed(
        "contract-labels",
        Part::Contract,
        "labels",
        V21,
        Form::Names,
    ),
    needed("location-file", Part::Location, "file_name", Form::Text),
    needed("location-line", Part::Location, "line", Form::From(1)),
    allowed(
        "location-column",
        Part::Location,
        "column",
        V20,
        Form::From(1),
    ),
    allowed(
        "location-function",
        Part::Location,
        "function",
        V20,
        Form::Text,
    ),
    needed(
        "waypoint-type",
        Part::Waypoint,
        "type",
        Form::OneOf(WAYPOINTS),
    ),
    needed(
        "waypoint-action",
        Part::Waypoint,
        "action",
        Form::OneOf(&["follow", "avoid", "cycle"]),
    ),
    needed("location", Part::Waypoint, "location", Form::Map),
    allowed(
        "waypoint-constraint",
        Part::Waypoint,
        "constraint",
        V20,
        Form::Map,
    ),
    allowed(
        "waypoint-thread",
        Part::Waypoint,
        "thread_id",
        V22,
        Form::From(0),
    ),
    needed("constraint-value", Part::Constraint, "value", Form::Text),
    allowed(
        "constraint-format",
        Part::Constraint,
        "format",
        V20,
        Form::OneOf(FORMATS),
    ),
];

/// Rules that speak of more than one key.
pub(super) const STRUCTURE: &[&str] = &[
    "list-of-entries",
    "one-claim",
    "unknown-key",
    "key-twice",
    "known-version",
    "hashes-of-files",
    "invariant-or-contract",
    "contract-version",
    "transition-version",
    "format-of-version",
    "segment",
    "waypoint",
    "last-follow",
    "target-last",
    "cycle-version",
    "constraint-of-type",
    "branching-value",
    "return-value",
];
