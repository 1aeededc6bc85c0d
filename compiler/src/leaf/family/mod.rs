//! The distributions of the language, one a file.
//!
//! The list below is the only one there is. [`Family`] and [`FAMILIES`] are made from it, and
//! [`for_each_family`](crate::for_each_family) hands it to other crates, which make lists of
//! their own from it: how each distribution is learned, for one.

mod constant;
mod description;
mod distribution_family;

pub(crate) use constant::{FamilyConstant, FamilyConstants, RefusedConstants};
pub use description::{FamilyArgument, FamilyArgumentKind, FamilyDescription, FamilyDomains};
pub(crate) use distribution_family::{
    DensityFamily, DensitySampler, DistributionFamily, EntryFamily, FamilyLaw, FamilyStatistics,
    MomentStatistics, PeakedLaw, StepFamily, bin,
};

use crate::circuit::FiniteConstant;

/// Calls a macro with all distributions: `module: Variant(Type),` each.
#[macro_export]
macro_rules! for_each_family {
    ($declare:path) => {
        $declare! {
            bernoulli: Bernoulli(BernoulliDistribution),
            categorical: Categorical(CategoricalDistribution),
            binomial: Binomial(BinomialDistribution),
            geometric: Geometric(GeometricDistribution),
            negative_binomial: NegativeBinomial(NegativeBinomialDistribution),
            hypergeometric: Hypergeometric(HypergeometricDistribution),
            poisson: Poisson(PoissonDistribution),
            normal: Normal(NormalDistribution),
            laplace: Laplace(LaplaceDistribution),
            lognormal: LogNormal(LogNormalDistribution),
            exponential: Exponential(ExponentialDistribution),
            gamma: Gamma(GammaDistribution),
            uniform: Uniform(UniformDistribution),
            histogram: Histogram(HistogramDistribution),
        }
    };
}

macro_rules! declare_families {
    ($($module:ident: $variant:ident($distribution:ident),)*) => {
        $(mod $module;)*

        $(pub use $module::$distribution;)*

        /// Families of distributions. Constants that shape the support are part of the
        /// family; what can be learned is a parameter.
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        pub enum Family {
            $(
                #[doc = concat!("[`", stringify!($distribution), "`]")]
                $variant($distribution),
            )*
        }

        $(
            impl From<$distribution> for Family {
                fn from(distribution: $distribution) -> Self {
                    Family::$variant(distribution)
                }
            }
        )*

        /// What each distribution is called and takes, in the order of the reference.
        pub const FAMILIES: &[FamilyDescription] = &[$($distribution::DESCRIPTION),*];

        /// How distributions are made, in the same order.
        pub(crate) const MAKERS: &[FamilyMaker] = &[$(FamilyMaker {
            description: &$distribution::DESCRIPTION,
            from_constants: <$distribution as DistributionFamily>::from_constants,
            over: <$distribution as DistributionFamily>::over,
        }),*];

        impl Family {
            /// Its row of [`FAMILIES`].
            pub fn description(&self) -> &'static FamilyDescription {
                match self {
                    $(Family::$variant(_) => &$distribution::DESCRIPTION,)*
                }
            }

            /// What it has to say of itself.
            pub(crate) fn as_distribution(&self) -> &dyn DistributionFamily {
                match self {
                    $(Family::$variant(distribution) => distribution,)*
                }
            }
        }
    };
}

for_each_family!(declare_families);

/// How a distribution is made.
pub(crate) struct FamilyMaker {
    /// What it needs.
    pub description: &'static FamilyDescription,
    /// See [`DistributionFamily::from_constants`].
    pub from_constants: fn(FamilyConstants) -> Result<Family, RefusedConstants>,
    /// See [`DistributionFamily::over`].
    pub over: fn(FiniteConstant, FiniteConstant) -> Option<Family>,
}

impl Family {
    /// The name in the language.
    pub fn name(&self) -> &'static str {
        self.description().name
    }

    /// Whether its parameter has an entry for each value.
    pub fn has_entries(&self) -> bool {
        self.as_distribution().statistics() == FamilyStatistics::Entries
    }
}
