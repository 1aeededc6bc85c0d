//! Leaves: a distribution of one variable.

use super::constant::Const;
use super::env::Env;
use super::family::{FAMILIES, signature};
use super::fit::suitable;
use super::param::Shape;
use super::resolve::{Entity, nearest};
use super::symbols::Symbol;
use super::{Lowering, Reported};
use crate::circuit::{
    BernoulliDistribution, BinomialDistribution, Bound, CategoricalDistribution, Distribution,
    Domain, ExponentialDistribution, Family, GammaDistribution, GeometricDistribution,
    HistogramDistribution, HypergeometricDistribution, Leaf, LeafKind, LogNormalDistribution,
    NegativeBinomialDistribution, NormalDistribution, ParamId, ParamKind, PoissonDistribution,
    UniformDistribution, VarId,
};
use pelton_grammar::ast::{self, Expr, Path};
use pelton_grammar::diagnostic::{Code, Diagnostic, counted};
use pelton_grammar::source::Span;

impl<'a> Lowering<'a, '_> {
    /// `x ~ normal(0, 1) in [0, 5)`
    pub(super) fn leaf<'e>(
        &mut self,
        leaf: &'e ast::Leaf,
        span: Span,
        env: Env<'e>,
    ) -> Result<Leaf, Reported> {
        let variable = self.leaf_variable(&leaf.variable, env)?;
        let specs = self.family_args(&leaf.family)?;
        let (family, params) = self.family(leaf, specs, variable, span, env)?;
        let truncation = match &leaf.truncation {
            None => None,
            Some(region) => Some(self.region(region, variable, env)?),
        };
        let distribution = Distribution {
            family,
            params,
            truncation,
        };
        self.fits_domain(&distribution, variable, leaf, span)?;
        Ok(Leaf {
            variable,
            kind: LeafKind::Distribution(distribution),
        })
    }

    fn leaf_variable<'e>(&mut self, path: &'e Path, env: Env<'e>) -> Result<VarId, Reported> {
        let resolved = self.resolve(path, env)?;
        let what = match resolved.entity {
            Entity::Symbol(Symbol::Var(var)) => {
                return self.var_member(var, &resolved.indices, path);
            }
            Entity::Symbol(symbol) => symbol.kind(),
            _ => "no variable",
        };
        let message = format!(
            "`{}` is {what}, and a distribution is of a variable",
            path.name.text
        );
        Err(self.wrong_kind(path.span, message, "not a variable"))
    }

    fn family_args(&mut self, name: &ast::Name) -> Result<&'static [&'static str], Reported> {
        if let Some((_, args)) = FAMILIES.iter().find(|(known, _)| *known == name.text) {
            return Ok(args);
        }
        let known = || FAMILIES.iter().map(|(known, _)| *known);
        let message = format!("there is no distribution `{}`", name.text);
        let diagnostic = Diagnostic::new(Code::UnknownName, name.span, message);
        let near = match name.text.as_str() {
            "N" | "gaussian" | "Gaussian" => Some("normal".to_string()),
            text => nearest(&text.to_lowercase(), known()),
        };
        let diagnostic = match near {
            Some(near) => diagnostic.at(format!("did you mean `{near}`?")).suggest(
                format!("write `{near}`"),
                name.span,
                near,
            ),
            None => {
                let all: Vec<&str> = known().collect();
                diagnostic
                    .at("unknown")
                    .help(format!("there are {}", all.join(", ")))
            }
        };
        Err(self.error(diagnostic))
    }

    fn family<'e>(
        &mut self,
        leaf: &'e ast::Leaf,
        specs: &[&str],
        variable: VarId,
        span: Span,
        env: Env<'e>,
    ) -> Result<(Family, Vec<ParamId>), Reported> {
        let domain = self.builder.variables()[variable.index()].domain.clone();
        let args = leaf.args.as_slice();
        self.without_names(args, specs, span)?;
        match (leaf.family.text.as_str(), args) {
            ("categorical", args) if args.len() != 1 => {
                let param = self.listed_probabilities(args, &domain, span, env)?;
                return Ok((Family::Categorical(CategoricalDistribution), vec![param]));
            }
            ("uniform", []) => return self.uniform_over(&domain, variable, span),
            _ => {}
        }
        if args.len() != specs.len() {
            let message = format!(
                "`{}` takes {}, and {} given",
                signature(&leaf.family.text),
                counted(specs.len(), "argument", "arguments"),
                match args.len() {
                    1 => "1 is".to_string(),
                    n => format!("{n} are"),
                }
            );
            return Err(self.error(Diagnostic::new(Code::WrongCount, span, message).at("here")));
        }
        self.family_from_args(&leaf.family.text, args, &domain, span, env)
    }

    fn family_from_args<'e>(
        &mut self,
        name: &str,
        args: &'e [Expr],
        domain: &Domain,
        span: Span,
        env: Env<'e>,
    ) -> Result<(Family, Vec<ParamId>), Reported> {
        let param = |this: &mut Self, at: usize, kind: ParamKind| {
            this.param_arg(
                &args[at],
                kind,
                if kind == ParamKind::Unit { 2 } else { 1 },
                env,
            )
        };
        Ok(match name {
            "bernoulli" => (
                Family::Bernoulli(BernoulliDistribution),
                vec![param(self, 0, ParamKind::Unit)?],
            ),
            "categorical" => {
                let size = self.finite_size(domain, span)?;
                let param = self.param_arg(&args[0], ParamKind::Simplex, size, env)?;
                (Family::Categorical(CategoricalDistribution), vec![param])
            }
            "binomial" => {
                let trials = self.count_arg(&args[0], env)?;
                (
                    Family::Binomial(BinomialDistribution { trials }),
                    vec![param(self, 1, ParamKind::Unit)?],
                )
            }
            "geometric" => (
                Family::Geometric(GeometricDistribution),
                vec![param(self, 0, ParamKind::Unit)?],
            ),
            "negative_binomial" => {
                let successes = self.count_arg(&args[0], env)?;
                let family = Family::NegativeBinomial(NegativeBinomialDistribution { successes });
                (family, vec![param(self, 1, ParamKind::Unit)?])
            }
            "hypergeometric" => (self.hypergeometric(args, span, env)?, Vec::new()),
            "poisson" => (
                Family::Poisson(PoissonDistribution),
                vec![param(self, 0, ParamKind::Positive)?],
            ),
            "exponential" => (
                Family::Exponential(ExponentialDistribution),
                vec![param(self, 0, ParamKind::Positive)?],
            ),
            "normal" | "lognormal" => {
                let mean = param(self, 0, ParamKind::Real);
                let sd = param(self, 1, ParamKind::Positive)?;
                let family = match name {
                    "normal" => Family::Normal(NormalDistribution),
                    _ => Family::LogNormal(LogNormalDistribution),
                };
                (family, vec![mean?, sd])
            }
            "gamma" => {
                let shape = param(self, 0, ParamKind::Positive);
                let rate = param(self, 1, ParamKind::Positive)?;
                (Family::Gamma(GammaDistribution), vec![shape?, rate])
            }
            "uniform" => (self.uniform(args, span, env)?, Vec::new()),
            _ => self.histogram(args, env)?,
        })
    }

    /// `categorical(0.2, 0.8)`
    fn listed_probabilities<'e>(
        &mut self,
        args: &'e [Expr],
        domain: &Domain,
        span: Span,
        env: Env<'e>,
    ) -> Result<ParamId, Reported> {
        let size = self.finite_size(domain, span)?;
        let shapes: Result<Vec<Shape>, Reported> =
            args.iter().map(|arg| self.shape(arg, env)).collect();
        let param = self.own_param(&Shape::Many(shapes?), ParamKind::Simplex, size, span)?;
        if let (Some(trace), [first, .., last]) = (&mut self.trace, args) {
            let span = first.span.to(last.span);
            trace.argument(param, span, env);
            trace.listed.insert(span);
        }
        Ok(param)
    }

    fn finite_size(&mut self, domain: &Domain, span: Span) -> Result<usize, Reported> {
        match domain.size() {
            Some(size) => Ok(size as usize),
            None => {
                let message = format!(
                    "a categorical distribution needs finitely many values, and the domain is {domain}"
                );
                let diagnostic = Diagnostic::new(Code::DomainMismatch, span, message)
                    .at("does not fit")
                    .help(suitable(
                        &Family::Categorical(CategoricalDistribution),
                        domain,
                    ));
                Err(self.error(diagnostic))
            }
        }
    }

    fn hypergeometric<'e>(
        &mut self,
        args: &'e [Expr],
        span: Span,
        env: Env<'e>,
    ) -> Result<Family, Reported> {
        let population = self.count_arg(&args[0], env)?;
        let successes = self.count_arg(&args[1], env)?;
        let draws = self.count_arg(&args[2], env)?;
        if successes <= population && draws <= population {
            return Ok(Family::Hypergeometric(HypergeometricDistribution {
                population,
                successes,
                draws,
            }));
        }
        let message = format!(
            "a population of {population} cannot hold {successes} successes and give {draws} draws"
        );
        Err(self.error(Diagnostic::new(Code::BadParameter, span, message).at("here")))
    }

    fn uniform_over(
        &mut self,
        domain: &Domain,
        variable: VarId,
        span: Span,
    ) -> Result<(Family, Vec<ParamId>), Reported> {
        let Some(size) = domain.size() else {
            let name = &self.builder.variables()[variable.index()].name;
            let message =
                format!("`uniform` needs bounds here: the domain of `{name}` is {domain}");
            let diagnostic = Diagnostic::new(Code::WrongCount, span, message)
                .at("without bounds")
                .help("write `uniform(low, high)`; the upper end is left out");
            return Err(self.error(diagnostic));
        };
        let low = domain.first();
        let family = Family::Uniform(UniformDistribution {
            low: Bound::new(low),
            high: Bound::new(low + size as f64),
        });
        Ok((family, Vec::new()))
    }

    fn uniform<'e>(
        &mut self,
        args: &'e [Expr],
        span: Span,
        env: Env<'e>,
    ) -> Result<Family, Reported> {
        let (low, high) = (self.number(&args[0], env)?, self.number(&args[1], env)?);
        if low < high && low.is_finite() && high.is_finite() {
            return Ok(Family::Uniform(UniformDistribution {
                low: Bound::new(low),
                high: Bound::new(high),
            }));
        }
        let message = format!("`uniform({low}, {high})` is empty or unbounded");
        let diagnostic = Diagnostic::new(Code::BadParameter, span, message)
            .at("here")
            .help("the lower bound comes first, and both are finite");
        Err(self.error(diagnostic))
    }

    fn histogram<'e>(
        &mut self,
        args: &'e [Expr],
        env: Env<'e>,
    ) -> Result<(Family, Vec<ParamId>), Reported> {
        let Const::List(list) = self.constant(&args[0], env)? else {
            let message = "the breaks of a histogram are a list of numbers";
            return Err(self.wrong_kind(args[0].span, message, "not a list"));
        };
        let breaks: Vec<f64> = list.iter().filter_map(Const::number).collect();
        let rising = breaks.windows(2).all(|pair| pair[0] < pair[1]);
        let finite = breaks.iter().all(|value| value.is_finite());
        if breaks.len() != list.len() || breaks.len() < 2 || !rising || !finite {
            let message = "the breaks of a histogram are at least two finite numbers that rise";
            let diagnostic = Diagnostic::new(Code::BadParameter, args[0].span, message).at("here");
            return Err(self.error(diagnostic));
        }
        let param = self.param_arg(&args[1], ParamKind::Simplex, breaks.len() - 1, env)?;
        let breaks = breaks.into_iter().map(Bound::new).collect();
        Ok((
            Family::Histogram(HistogramDistribution { breaks }),
            vec![param],
        ))
    }
}
