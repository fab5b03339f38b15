//! From files to a program: reading, preprocessing, and the front end of each language.

mod compile;
pub mod diagnostics;
pub(crate) mod language;
mod preprocess;
mod property;
pub mod show;
pub mod show_log;

pub use preprocess::Preprocessor;
pub use property::Properties;

use crate::Error;
use frontend::c::contracts::Wrong;
use frontend::c::sema::claims::{Claim, Placed};
use logic::Pool;
use program::{DebugInfo, Diagnostic, Note, Program, SourceMap};
use report::InputFile;
use std::io::Read;
use std::path::Path;

/// How to read the input.
#[derive(Clone, Debug, Default)]
pub struct SourceOptions {
    /// `int` and pointers of 32 bits (ILP32); otherwise LP64.
    pub bits32: bool,
    /// Signed overflow wraps around instead of being assumed absent.
    pub wrapv: bool,
    /// Functions without a body may write through their pointer arguments; if not given, they do
    /// unless the property comes from a `.prp` file.
    pub externs_write: Option<bool>,
    /// Allocation may fail.
    pub malloc_may_fail: bool,
    /// The program is to be run, not checked: its inputs are real.
    pub running: bool,
    /// The function where execution starts; `main` if not given.
    pub entry: Option<String>,
    /// What may not happen.
    pub properties: Properties,
    /// How C files with directives are preprocessed.
    pub preprocessor: Preprocessor,
    /// The language of standard input, which `-` names.
    pub stdin: Language,
    /// How Horn systems become programs.
    pub horn_shape: frontend::horn::Shape,
    /// C: a caller that hands the function any arguments is the entry.
    pub environment: Option<frontend::c::entry::Environment>,
    /// C: contracts (ACSL comments, CBMC's clauses) are checked.
    pub contracts: bool,
}

impl SourceOptions {
    /// `ILP32` or `LP64`, as witnesses spell it.
    pub fn data_model(&self) -> &'static str {
        if self.bits32 { "ILP32" } else { "LP64" }
    }
}

/// A program ready to be checked, with the pool that owns its terms.
pub struct Loaded {
    /// The terms of the program.
    pub pool: Pool,
    /// The program.
    pub program: Program,
    /// What values mean in the words of the source.
    pub debug: DebugInfo,
    /// The text of the files, for places.
    pub sources: SourceMap,
    /// The files as the user named them.
    pub files: Vec<InputFile>,
    /// How they were read.
    pub options: SourceOptions,
    /// What the front end warns of.
    pub warnings: Vec<Diagnostic>,
    /// Why an error found may be none: the program has more executions than the text.
    pub inexact: Option<Note>,
    /// The Horn system that the program stands for.
    pub horn: Option<frontend::horn::System>,
    /// What the caller of [`SourceOptions::environment`] chooses and assumes.
    pub caller: Option<frontend::c::entry::Description>,
}

/// The languages, by file ending.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// C, after or before preprocessing.
    #[default]
    C,
    /// Boogie 2.
    Boogie,
    /// Constrained Horn clauses as SMT-LIB writes them.
    Horn,
    /// The language of the IPROC paper.
    Iproc,
    /// The text form of the program model.
    Model,
    /// LLVM assembly, bitcode, and what is compiled to it: C++ and Rust.
    Llvm,
}

impl Language {
    /// The language of a file, by its ending.
    pub fn of(path: &Path) -> Option<Language> {
        match path.extension()?.to_str()? {
            "c" | "i" => Some(Language::C),
            "bpl" => Some(Language::Boogie),
            "iproc" => Some(Language::Iproc),
            "smt2" => Some(Language::Horn),
            "cfa" => Some(Language::Model),
            "ll" | "bc" | "cpp" | "cc" | "cxx" | "rs" => Some(Language::Llvm),
            "toml" if path.file_name().is_some_and(|n| n == "Cargo.toml") => Some(Language::Llvm),
            _ => None,
        }
    }
}

/// One input file as read.
pub struct SourceText {
    /// The name that diagnostics and reports use.
    pub name: String,
    /// The text as it stands in the file.
    pub text: String,
    /// After preprocessing; the same as `text` where that was not needed.
    pub preprocessed: Option<String>,
}

/// Reads the files of one program, preprocesses them where needed, and lowers them.
pub fn load(paths: &[impl AsRef<Path>], options: &SourceOptions) -> Result<Loaded, Error> {
    let (texts, language) = read_all(paths, options)?;
    load_texts(&texts, language, options)
}

/// The texts of the files, preprocessed where needed.
pub fn read_all(
    paths: &[impl AsRef<Path>],
    options: &SourceOptions,
) -> Result<(Vec<SourceText>, Language), Error> {
    let mut texts = Vec::new();
    let mut language = None;
    for path in paths {
        let path = path.as_ref();
        let stdin = (path.as_os_str() == "-").then_some(options.stdin);
        let this = stdin.or_else(|| Language::of(path)).ok_or_else(|| {
            format!(
                "{}: unknown file ending (known: .c .i .bpl .iproc .smt2 .cfa .ll .bc .cpp .cc .cxx .rs Cargo.toml)",
                path.display()
            )
        })?;
        if language.is_some_and(|l| l != this) {
            return Err(Error::Message("all files must be in one language".into()));
        }
        language = Some(this);
        texts.push(read(path, this, options)?);
    }
    match language {
        Some(language) => Ok((texts, language)),
        None => Err(Error::Message("no input file".into())),
    }
}

/// A C program with claims read at their places, and what they say there.
pub fn load_with_claims(
    paths: &[impl AsRef<Path>],
    options: &SourceOptions,
    claims: &[Claim],
) -> Result<(Loaded, Vec<Placed>), Error> {
    let (texts, language) = read_all(paths, options)?;
    if language != Language::C {
        return Err(Error::Message("witnesses speak of C programs".into()));
    }
    let mut pool = Pool::new();
    let (front, placed) = crate::load::language::c_with_claims(&mut pool, &texts, options, claims)?;
    let loaded = Loaded {
        pool,
        program: front.program,
        debug: front.debug,
        sources: front.sources,
        files: input_files(&texts),
        options: options.clone(),
        warnings: front.warnings,
        inexact: front.inexact,
        horn: front.horn,
        caller: front.caller,
    };
    Ok((loaded, placed))
}

fn input_files(texts: &[SourceText]) -> Vec<InputFile> {
    let file = |t: &SourceText| InputFile {
        name: t.name.clone(),
        sha256: report::LazySha256::of(&t.text),
    };
    texts.iter().map(file).collect()
}

fn read(path: &Path, language: Language, options: &SourceOptions) -> Result<SourceText, Error> {
    let stdin = path.as_os_str() == "-";
    let bytes = match stdin {
        true => {
            let mut bytes = Vec::new();
            let read = std::io::stdin().read_to_end(&mut bytes);
            read.map_err(|e| format!("standard input: {e}"))?;
            bytes
        }
        false => std::fs::read(path).map_err(|e| format!("{}: {e}", path.display()))?,
    };
    let text = frontend::c::decode(&bytes);
    if language == Language::Llvm {
        return Ok(SourceText {
            name: path.display().to_string(),
            text,
            preprocessed: compiled(path, options)?,
        });
    }
    if language == Language::C {
        // While the program is preprocessed and read, the library is.
        std::thread::spawn(frontend::c::read_library);
    }
    let asked = !options.preprocessor.define.is_empty();
    let mut preprocessor = options.preprocessor.clone();
    preprocessor.comments = options.contracts;
    let mut preprocessed =
        if language == Language::C && (asked || frontend::c::needs_preprocessing(&text)) {
            Some(preprocessor.run(path, stdin.then_some(&text))?)
        } else {
            None
        };
    if language == Language::C {
        let plain = preprocessed.as_ref().unwrap_or(&text);
        if let Some(woven) = frontend::c::contracts::weave(plain, options.contracts)
            .map_err(|wrong| misplaced(path, &text, plain, &wrong))?
        {
            preprocessed = Some(woven);
        }
    }
    Ok(SourceText {
        name: match stdin {
            true => "<stdin>".into(),
            false => path.display().to_string(),
        },
        text,
        preprocessed,
    })
}

/// What is wrong with a contract, at its place in the user's file: line markers of the preprocessor say which one that is.
fn misplaced(path: &Path, text: &str, plain: &str, wrong: &Wrong) -> Error {
    let mut before = wrong.at.min(plain.len());
    while !plain.is_char_boundary(before) {
        before -= 1;
    }
    let (mut line, mut name) = (1_u32, path.display().to_string());
    let (mut column, mut width) = (1, 1);
    for row in plain[..before].split('\n') {
        column = row.chars().count() as u32 + 1;
        width = plain[before..]
            .chars()
            .take_while(|c| c.is_alphanumeric())
            .count() as u32;
        line += 1;
        let mut words = row.strip_prefix("# ").unwrap_or("").splitn(2, ' ');
        let (number, file) = (words.next(), words.next());
        if let (Some(Ok(n)), Some(file)) = (number.map(str::parse), file) {
            line = n;
            name = file.split('"').nth(1).unwrap_or(file).to_string();
        }
    }
    // The row of the place is not behind us.
    let line = line - 1;
    let own = name == path.display().to_string();
    let text = match own {
        true => text.to_string(),
        false => std::fs::read_to_string(&name).unwrap_or_default(),
    };
    let mut sources = program::SourceMap::default();
    let file = sources.add(&name, &text);
    let span = program::Span {
        file,
        line,
        column,
        len: width.max(1),
    };
    let diagnostics = vec![program::Diagnostic {
        severity: program::Severity::Error,
        span,
        message: wrong.message.clone(),
        help: None,
    }];
    Error::Input {
        diagnostics,
        sources,
    }
}

/// The assembly of a file that is not assembly itself.
fn compiled(path: &Path, options: &SourceOptions) -> Result<Option<String>, Error> {
    let p = &options.preprocessor;
    let text = match path.extension().and_then(|e| e.to_str()) {
        Some("cpp" | "cc" | "cxx") => compile::cpp(path, &p.include, &p.define, options.bits32)?,
        Some("bc") => compile::bitcode(path)?,
        Some("rs") => compile::rust(path)?,
        Some("toml") => compile::cargo(path)?,
        _ => return Ok(None),
    };
    Ok(Some(text))
}

/// From texts at hand; nothing is read and nothing preprocessed.
pub fn load_texts(
    texts: &[SourceText],
    language: Language,
    options: &SourceOptions,
) -> Result<Loaded, Error> {
    let files = input_files(texts);
    let mut pool = Pool::new();
    let front = match language {
        Language::C => crate::load::language::c(&mut pool, texts, options)?,
        Language::Boogie => crate::load::language::boogie(&mut pool, texts, options)?,
        Language::Iproc => crate::load::language::iproc(&mut pool, texts, options)?,
        Language::Horn => crate::load::language::horn(&mut pool, texts, options)?,
        Language::Model => crate::load::language::model(&mut pool, texts)?,
        Language::Llvm => crate::load::language::llvm(&mut pool, texts, options)?,
    };
    front.program.check_invariants();
    Ok(Loaded {
        pool,
        program: front.program,
        debug: front.debug,
        sources: front.sources,
        files,
        options: options.clone(),
        warnings: front.warnings,
        inexact: front.inexact,
        horn: front.horn,
        caller: front.caller,
    })
}
