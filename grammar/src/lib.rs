//! The circuit language of Pelton.
//!
//! [`parse::parse`] turns a [`source::Source`] into an [`ast::File`];
//! [`format::format`] turns a file back into canonical text. Every message of
//! every later stage is a [`diagnostic::Diagnostic`], which lives here because
//! this is the crate all others see.

pub mod ast;
pub mod diagnostic;
pub mod dump;
pub mod format;
pub mod parse;
pub mod source;
mod walk;
