//! What is known: one vocabulary for all that answers questions.
//!
//! An [`Event`] is what an author writes, a logical combination of statements about single
//! variables. It is answered as boxes that do not overlap ([`disjoint_boxes`]), each a
//! [`ValueBox`]: for some variables the set that their value lies in. A [`EvidenceCell`] is what is
//! known of one variable in one row, where weights of soft evidence come in as well.

mod cell;
mod event;
mod partition;
mod value_box;

pub use cell::EvidenceCell;
pub use event::{DeclaredQuery, Event};
pub use partition::{MOST_BOXES, disjoint_boxes};
pub use value_box::ValueBox;
