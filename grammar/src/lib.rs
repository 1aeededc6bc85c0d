//! The circuit language of Pelton, and the messages of every stage.
//!
//! A circuit is a text (`.pcirc`). This crate turns texts into syntax trees, trees into
//! canonical text, and whatever is wrong into messages with places and repairs. It knows
//! nothing of circuits: names, domains and structure are the compiler's.
//!
//! # Reading
//!
//! [`parse::parse`] reads a [`source::Source`]. It promises an [`ast::FileSyntax`] for every text:
//! statements that are broken are reported, each of them, and left out, so that one missing
//! bracket does not hide the rest of a file from an editor.
//!
//! ```
//! use pelton_grammar::ast::ItemKind;
//! use pelton_grammar::diagnostic::SourceDiagnostics;
//! use pelton_grammar::parse::{ParseOptions, parse};
//! use pelton_grammar::source::Source;
//!
//! let text = "var rain : bool; node = ; root 0.3: rain + 0.7: !rain;";
//! let mut found = SourceDiagnostics::new();
//! let file = parse(&Source::standalone("rain.pcirc", text), &ParseOptions::default(), &mut found);
//! assert_eq!((file.items.len(), found.len()), (2, 1));
//! assert!(matches!(file.items[1].kind, ItemKind::Root(_)));
//! ```
//!
//! The grammar itself is `src/pcirc.pest`, commented rule by rule.
//!
//! # Writing
//!
//! [`format::format_source`] writes canonical text, keeps every comment, and changes nothing
//! that it cannot read. Formatting twice changes nothing either.
//!
//! ```
//! # use pelton_grammar::format::format_source;
//! # use pelton_grammar::parse::ParseOptions;
//! # use pelton_grammar::source::Source;
//! let source = Source::standalone("rain.pcirc", "var rain:bool;root .3:rain+0.7: !rain;");
//! assert!(format_source(&source, &ParseOptions::default()).is_err(), "`.3` is no number");
//!
//! let source = Source::standalone("rain.pcirc", "var rain:bool;root 0.3:rain+0.7: !rain;");
//! let text = format_source(&source, &ParseOptions::default()).expect("it is right");
//! assert_eq!(text, "var rain : bool;\nroot 0.3: rain + 0.7: !rain;\n");
//! ```
//!
//! # Messages
//!
//! A [`diagnostic::SourceDiagnostic`] is the one type in which every stage speaks: a stable
//! [`diagnostic::Code`] with a page of its own, labelled places, notes, a witness, and edits
//! that repair what is wrong. It is data: a terminal, a language server and a Python exception
//! each word it for themselves.
//!
//! ```
//! use pelton_grammar::diagnostic::render::human;
//! use pelton_grammar::diagnostic::{Code, SourceDiagnostic};
//! use pelton_grammar::remedy::no_options;
//! use pelton_grammar::source::SourceMap;
//!
//! let mut sources = SourceMap::new();
//! let id = sources.add("rain.pcirc", None, "root rain;");
//! let rain = pelton_grammar::source::Span::new(id, 5, 9);
//! let message = SourceDiagnostic::new(Code::UnknownName, rain, "`rain` is not defined")
//!     .at("unknown here")
//!     .help("declare it: `var rain : bool;`");
//! assert!(human(&message, &sources, no_options, false).contains("rain.pcirc:1:6"));
//! assert!(Code::UnknownName.page().starts_with("# PC0010"));
//! ```
//!
//! # Where is what
//!
//! * [`source`]: texts, and places in them
//! * [`ast`]: the syntax tree; [`dump`] shows it
//! * [`parse`]: text to tree, and the reserved words
//! * [`format`](mod@format): tree to text
//! * [`diagnostic`]: messages, their codes and their renderings
//! * [`remedy`]: options that would help, which each front end puts into its own words

pub mod ast;
pub mod diagnostic;
pub mod dump;
pub mod format;
pub mod parse;
pub mod remedy;
pub mod source;
mod walk;
