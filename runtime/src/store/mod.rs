//! Trained circuits in one file: the `.pelton` format.
//!
//! A model file is a safetensors file, so that other programs can read the numbers
//! without Pelton. Its metadata hold the source texts and everything else that the
//! circuit is derived from; its tensors hold the values of the parameters by name.
//! Reading one runs the ordinary front half of the compiler on the stored texts,
//! compares the circuit's fingerprint, and gives the learned entries their stored
//! values. Nothing in a file is executed, and what does not fit is said.
//!
//! | metadata | holds |
//! |---|---|
//! | `format`, `version` | `pelton`, `1` |
//! | `main` | the name of the main text |
//! | `sources` | a JSON object of texts by path, the main one first |
//! | `links` | further spellings of paths, if a text is used under several |
//! | `defines` | a JSON list of `[name, value]`, as `-D` gave them |
//! | `smooth`, `learn_all` | `true` or `false` |
//! | `fingerprint` | that of the circuit, in hexadecimal |
//! | `extra/…` | whatever the writer adds |
//!
//! | tensor | holds |
//! |---|---|
//! | `trans` | a declared parameter: its dimensions, then the entries of a vector |
//! | `comp.species.p`, `root.weights` | a learned parameter written in place |
//! | `….log` | logarithms where a value is kept as one, NaN elsewhere |
//! | `state/…` | whatever the writer adds, such as a checkpoint |

mod atomic;
mod bundle;
mod container;
mod document;
mod error;
mod in_place;
mod layout;
mod model;
mod state;
mod temporary;
#[cfg(test)]
mod tests;
mod values;

pub use atomic::{can_be_written, folder, followed, write_atomically, write_reason};
pub use bundle::{BundleLoader, SourceBundle};
pub use document::ModelDocument;
pub use error::StoreError;
pub use in_place::{InPlaceParameter, parameters_in_place};
pub use model::{RestoredModel, StoredModel, load, looks_like_model, save, to_bytes};
pub use state::{StateData, StateTensor};
pub use temporary::remove_temporaries;
pub use values::fault;
