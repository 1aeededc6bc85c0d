//! Leaves: a distribution of one variable.

use super::constant::Const;
use super::env::Env;
use super::family::{ArgKind, FAMILIES, signature};
use super::param::Shape;
use super::resolve::{Entity, nearest};
use super::symbols::Symbol;
use super::{Lowering, Reported};
use crate::circuit::{
    Bound, Distribution, Domain, Family, Leaf, LeafKind, ParamId, ParamKind, ValueSet, VarId,
};
use crate::leaf::distribution_support;
use pelton_grammar::ast::{self, CompareOp, Expr, ExprKind, Path};
use pelton_grammar::diagnostic::{Code, Diagnostic, counted};
use pelton_grammar::source::Span;

/// Counts beyond this are never meant and would make masses slow to compute.
const LARGEST_COUNT: i64 = 1 << 24;

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

    fn family_args(
        &mut self,
        name: &ast::Name,
    ) -> Result<&'static [(&'static str, ArgKind)], Reported> {
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
        specs: &[(&str, ArgKind)],
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
                return Ok((Family::Categorical, vec![param]));
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

    /// Reports `normal(mean = 0, sd = 1)`.
    fn without_names(
        &mut self,
        args: &[Expr],
        specs: &[(&str, ArgKind)],
        span: Span,
    ) -> Result<(), Reported> {
        let names = args.iter().map(|arg| argument_name(arg, specs));
        let names: Vec<Option<(usize, Span)>> = names.collect();
        if names.iter().all(Option::is_none) {
            return Ok(());
        }
        let order: Vec<&str> = specs.iter().map(|(spec, _)| *spec).collect();
        let message = "arguments are told apart by their order, not by names";
        let diagnostic = Diagnostic::new(Code::WrongKind, span, message)
            .at(format!("takes {} in this order", order.join(", ")));
        let is_in_place = |(at, name): (usize, &Option<(usize, Span)>)| {
            name.is_none_or(|(position, _)| position == at)
        };
        // Without its name an argument out of place would be taken for another.
        let diagnostic = match names.iter().enumerate().all(is_in_place) {
            true => {
                let cut = |(_, span)| (span, String::new());
                let edits = names.iter().flatten().copied().map(cut).collect();
                diagnostic.suggest_edits("leave the names out", edits)
            }
            false => diagnostic.help("put them in order and leave the names out"),
        };
        Err(self.error(diagnostic))
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
            "bernoulli" => (Family::Bernoulli, vec![param(self, 0, ParamKind::Unit)?]),
            "categorical" => {
                let size = self.finite_size(domain, span)?;
                let param = self.param_arg(&args[0], ParamKind::Simplex, size, env)?;
                (Family::Categorical, vec![param])
            }
            "binomial" => {
                let trials = self.count_arg(&args[0], env)?;
                (
                    Family::Binomial { trials },
                    vec![param(self, 1, ParamKind::Unit)?],
                )
            }
            "geometric" => (Family::Geometric, vec![param(self, 0, ParamKind::Unit)?]),
            "negative_binomial" => {
                let successes = self.count_arg(&args[0], env)?;
                let family = Family::NegativeBinomial { successes };
                (family, vec![param(self, 1, ParamKind::Unit)?])
            }
            "hypergeometric" => (self.hypergeometric(args, span, env)?, Vec::new()),
            "poisson" => (Family::Poisson, vec![param(self, 0, ParamKind::Positive)?]),
            "exponential" => (
                Family::Exponential,
                vec![param(self, 0, ParamKind::Positive)?],
            ),
            "normal" | "lognormal" => {
                let mean = param(self, 0, ParamKind::Real);
                let sd = param(self, 1, ParamKind::Positive)?;
                let family = match name {
                    "normal" => Family::Normal,
                    _ => Family::LogNormal,
                };
                (family, vec![mean?, sd])
            }
            "gamma" => {
                let shape = param(self, 0, ParamKind::Positive);
                let rate = param(self, 1, ParamKind::Positive)?;
                (Family::Gamma, vec![shape?, rate])
            }
            "uniform" => (self.uniform(args, span, env)?, Vec::new()),
            _ => self.histogram(args, env)?,
        })
    }

    /// An argument that may be learned: a declared parameter, `?`, or numbers.
    fn param_arg<'e>(
        &mut self,
        expr: &'e Expr,
        kind: ParamKind,
        size: usize,
        env: Env<'e>,
    ) -> Result<ParamId, Reported> {
        if let ExprKind::Ref(path) = &expr.unparenthesized().kind {
            let resolved = self.resolve(path, env)?;
            match resolved.entity {
                Entity::Symbol(Symbol::Param(id)) => {
                    return self.declared_param(id, &resolved.indices, path, kind, size);
                }
                Entity::Expr(argument, outer) if resolved.indices.is_empty() => {
                    return super::with_stack(|| self.param_arg(argument, kind, size, outer));
                }
                _ => {}
            }
        }
        let shape = self.shape(expr, env)?;
        self.own_param(&shape, kind, size, expr.span)
    }

    fn own_param(
        &mut self,
        shape: &Shape,
        kind: ParamKind,
        size: usize,
        span: Span,
    ) -> Result<ParamId, Reported> {
        let entries = self.vector(shape, kind, size, span)?;
        let entries = self.finished_entries(kind, entries, self.frozen, span)?;
        Ok(self.builder.parameter(None, kind, &entries, span))
    }

    fn declared_param(
        &mut self,
        id: usize,
        indices: &[i64],
        path: &Path,
        kind: ParamKind,
        size: usize,
    ) -> Result<ParamId, Reported> {
        let symbol = &self.symbols.params[id];
        let (declared, name) = (symbol.kind, symbol.declarator.name.clone());
        let array = symbol.array.as_ref().map_err(|&reported| reported)?;
        let param = match array.get(indices) {
            Ok(param) => param,
            Err(fault) => return Err(self.index_error(fault, path, indices)),
        };
        // A number above 0 is also a number.
        let fits = declared == kind || (kind == ParamKind::Real && declared == ParamKind::Positive);
        if !fits {
            let message = format!(
                "`{}` is a {} parameter, and a {} one is needed here",
                name.text,
                declared.name(),
                kind.name()
            );
            let diagnostic = Diagnostic::new(Code::WrongKind, path.span, message)
                .at("wrong kind of parameter")
                .label(name.span, "declared here");
            return Err(self.error(diagnostic));
        }
        let entries = self.builder.entries(param).len();
        if entries != size {
            let message = format!(
                "`{}` has {entries} entries, and the variable has {size} values",
                name.text
            );
            let diagnostic = Diagnostic::new(Code::WrongShape, path.span, message)
                .at("one entry for each value is needed")
                .label(name.span, "declared here");
            return Err(self.error(diagnostic));
        }
        Ok(param)
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
        self.own_param(&Shape::Many(shapes?), ParamKind::Simplex, size, span)
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
                    .help(suitable(&Family::Categorical, domain));
                Err(self.error(diagnostic))
            }
        }
    }

    fn count_arg<'e>(&mut self, expr: &'e Expr, env: Env<'e>) -> Result<u32, Reported> {
        let value = self.integer(expr, env)?;
        if (0..=LARGEST_COUNT).contains(&value) {
            return Ok(value as u32);
        }
        let message =
            format!("a count from 0 to {LARGEST_COUNT} is needed here, and this is {value}");
        Err(self.error(Diagnostic::new(Code::BadParameter, expr.span, message).at("out of range")))
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
            return Ok(Family::Hypergeometric {
                population,
                successes,
                draws,
            });
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
        let family = Family::Uniform {
            low: Bound::new(low),
            high: Bound::new(low + size as f64),
        };
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
            return Ok(Family::Uniform {
                low: Bound::new(low),
                high: Bound::new(high),
            });
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
        Ok((Family::Histogram { breaks }, vec![param]))
    }

    /// Whether the distribution's values, after truncation, all lie in the domain.
    fn fits_domain(
        &mut self,
        distribution: &Distribution,
        variable: VarId,
        leaf: &ast::Leaf,
        span: Span,
    ) -> Result<(), Reported> {
        let declared = &self.builder.variables()[variable.index()];
        let (name, domain, place) = (
            declared.name.clone(),
            declared.domain.clone(),
            declared.span,
        );
        let family = &distribution.family;
        let Some(values) = possible_values(family, &domain) else {
            let message = format!(
                "`{}` does not fit `{name}`, whose domain is {domain}",
                family.name()
            );
            let diagnostic = Diagnostic::new(Code::DomainMismatch, span, message)
                .at("does not fit")
                .label(place, format!("`{name}` is declared here"))
                .help(suitable(family, &domain));
            return Err(self.error(diagnostic));
        };
        let left = match &distribution.truncation {
            None => values,
            Some(region) => values.intersect(region),
        };
        self.has_mass(distribution, &domain, leaf, span)?;
        let outside = left.minus(&domain.full());
        if outside.is_empty() {
            return Ok(());
        }
        let message = format!(
            "`{}` has values outside the domain {domain} of `{name}`",
            family.name()
        );
        let example = outside.example(domain.is_discrete()).unwrap_or(0.0);
        let diagnostic = Diagnostic::new(Code::DomainMismatch, span, message)
            .at(format!("can be {example}"))
            .label(place, format!("`{name}` is declared here"))
            .suggest(
                "truncate it to the domain",
                span.after(),
                format!(" in {domain}"),
            );
        Err(self.error(diagnostic))
    }

    /// Whether there is mass that can be scaled to 1: more than fixed zeros and
    /// single points of the real axis.
    fn has_mass(
        &mut self,
        distribution: &Distribution,
        domain: &Domain,
        leaf: &ast::Leaf,
        span: Span,
    ) -> Result<(), Reported> {
        let entries = |param| self.builder.entries(param);
        let left = distribution_support(domain, distribution, &entries);
        if left.measure() > 0.0 {
            return Ok(());
        }
        let family = distribution.family.name();
        let (place, message) = match &leaf.truncation {
            Some(region) => (
                region.span,
                format!("this truncation leaves `{family}` no values"),
            ),
            None => (span, format!("this `{family}` has no values")),
        };
        let here = match left.is_empty() {
            true => "nothing is left",
            false => "single points have no mass",
        };
        Err(self.error(Diagnostic::new(Code::EmptySet, place, message).at(here)))
    }
}

/// `sd = ` before an argument's value: which argument it names, and where.
fn argument_name(arg: &Expr, specs: &[(&str, ArgKind)]) -> Option<(usize, Span)> {
    let ExprKind::Compare(first, rest) = &arg.kind else {
        return None;
    };
    let [(CompareOp::Eq, value)] = rest.as_slice() else {
        return None;
    };
    let name = &super::plain_name(first)?.text;
    let position = specs.iter().position(|(spec, _)| spec == name)?;
    Some((position, first.span.to(value.span.before())))
}

/// The values a family can give on a domain's axis, or `None` if it is of
/// another kind altogether (a normal distribution of a category, say).
fn possible_values(family: &Family, domain: &Domain) -> Option<ValueSet> {
    let counts = matches!(domain, Domain::Range { .. } | Domain::Nat);
    let real = matches!(domain, Domain::Real);
    match family {
        Family::Bernoulli => (*domain == Domain::Bool
            || *domain == Domain::Range { low: 0, high: 2 })
        .then(|| ValueSet::integers(0, 2)),
        Family::Categorical => domain.size().map(|_| domain.full()),
        Family::Binomial { trials } => {
            counts.then(|| ValueSet::integers(0, i64::from(*trials) + 1))
        }
        Family::Hypergeometric {
            population,
            successes,
            draws,
        } => {
            let [population, successes, draws] = [*population, *successes, *draws].map(i64::from);
            let low = (draws + successes - population).max(0);
            counts.then(|| ValueSet::integers(low, draws.min(successes) + 1))
        }
        Family::Geometric | Family::NegativeBinomial { .. } | Family::Poisson => {
            counts.then(|| ValueSet::integers_from(0))
        }
        Family::Normal | Family::LogNormal | Family::Exponential | Family::Gamma => {
            real.then(ValueSet::reals)
        }
        Family::Uniform { low, high } => interval_values(low.value(), high.value(), domain),
        Family::Histogram { breaks } => {
            let whole = !domain.is_discrete() || breaks.iter().all(|b| b.value().fract() == 0.0);
            let (low, high) = (breaks.first()?.value(), breaks.last()?.value());
            (counts || real)
                .then(|| interval_values(low, high, domain))
                .flatten()
                .filter(|_| whole)
        }
    }
}

fn interval_values(low: f64, high: f64, domain: &Domain) -> Option<ValueSet> {
    use crate::circuit::Cut;
    let discrete = domain.is_discrete();
    if discrete && (low.fract() != 0.0 || high.fract() != 0.0) {
        return None;
    }
    Some(ValueSet::between(
        Cut::before(low),
        Cut::before(high),
        discrete,
    ))
}

/// What would fit a domain in place of a family that does not.
fn suitable(family: &Family, domain: &Domain) -> String {
    let is_divided = matches!(family, Family::Uniform { .. } | Family::Histogram { .. });
    let list = match domain {
        Domain::Range { .. } | Domain::Nat if is_divided => {
            return "bounds and breaks of an integer variable are integers".to_string();
        }
        Domain::Bool => "`bernoulli(p)`, `categorical(…)` and literals",
        Domain::Categories(_) => "`categorical(…)`, `uniform()` and indicators `[x = value]`",
        Domain::Range { .. } => {
            "`categorical(…)`, `binomial(n, p)`, `uniform()` and truncated counts such as `poisson(3) in 0..10`"
        }
        Domain::Nat => {
            "`poisson(rate)`, `geometric(p)`, `negative_binomial(r, p)` and `binomial(n, p)`"
        }
        Domain::Real => {
            "`normal(mean, sd)`, `exponential(rate)`, `gamma(shape, rate)`, `lognormal(mean, sd)`, `uniform(low, high)` and `histogram(…)`"
        }
    };
    format!("for a variable of domain {domain} there are {list}")
}
