//! Typed ids: a unit cannot be mistaken for a variable.

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u32);

        impl $name {
            /// The id of position `index`.
            pub fn new(index: usize) -> Self {
                $name(u32::try_from(index).expect("limits keep every table below 2^32 entries"))
            }

            /// The position in the table the id belongs to.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

ids! {
    /// A unit of a circuit; children have smaller ids than their parents.
    UnitId;
    /// A random variable.
    VarId;
    /// A parameter vector (a scalar is a vector of one).
    ParamId;
    /// An input distribution.
    LeafId;
    /// A name of a node or parameter, with its indices.
    NameId;
    /// One distinct scope of a circuit.
    ScopeId;
    /// A node of a [`Vtree`](super::Vtree); children have smaller ids than their parents.
    VtreeId;
}
