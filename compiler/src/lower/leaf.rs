//! Leaves: a distribution of one variable.

use super::constant::ConstantValue;
use super::env::Env;
use super::fit::suitable;
use super::param::WrittenEntries;
use super::resolve::{PathEntity, nearest, unknown_among};
use super::symbols::Symbol;
use super::{Lowering, LoweringResult, n_are};
use crate::circuit::{
    Distribution, Domain, Family, FiniteConstant, Leaf, LeafKind, ParamId, ParamKind, VarId,
};
use crate::leaf::family::{
    FAMILIES, FamilyArgumentKind, FamilyConstants, FamilyDescription, FamilyMaker, MAKERS,
};
use pelton_grammar::ast::{self, Expr, PathSyntax};
use pelton_grammar::diagnostic::{Code, SourceDiagnostic, counted};
use pelton_grammar::source::Span;

impl<'a> Lowering<'a, '_> {
    /// `x ~ normal(0, 1) in [0, 5)`
    pub(super) fn leaf<'e>(
        &mut self,
        leaf: &'e ast::LeafSyntax,
        span: Span,
        env: Env<'e>,
    ) -> LoweringResult<Leaf> {
        let variable = self.leaf_variable(&leaf.variable, env)?;
        let maker = self.known_family(&leaf.family)?;
        let (family, params) = self.family(leaf, maker, variable, span, env)?;
        let truncation = leaf.truncation.as_ref();
        let truncation = truncation.map(|region| self.region(region, variable, env));
        let truncation = truncation.transpose()?;
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

    fn leaf_variable<'e>(&mut self, path: &'e PathSyntax, env: Env<'e>) -> LoweringResult<VarId> {
        let resolved = self.resolve(path, env)?;
        let what = match resolved.entity {
            PathEntity::Symbol(Symbol::Var(var)) => {
                return self.var_member(var, &resolved.indices, path);
            }
            PathEntity::Symbol(symbol) => symbol.kind(),
            _ => "no variable",
        };
        let message = format!(
            "`{}` is {what}, and a distribution is of a variable",
            path.name.text
        );
        Err(self.wrong_kind(path.span, message, "not a variable"))
    }

    fn known_family(&mut self, name: &ast::Name) -> LoweringResult<&'static FamilyMaker> {
        let mut makers = MAKERS.iter();
        if let Some(maker) = makers.find(|maker| maker.description.name == name.text) {
            return Ok(maker);
        }
        let known: Vec<&str> = FAMILIES.iter().map(|family| family.name).collect();
        let message = format!("there is no distribution `{}`", name.text);
        let near = match name.text.as_str() {
            "N" | "gaussian" | "Gaussian" => Some("normal".to_string()),
            text => nearest(&text.to_lowercase(), known.iter().copied()),
        };
        Err(self.error(unknown_among(message, name, near, &known)))
    }

    fn family<'e>(
        &mut self,
        leaf: &'e ast::LeafSyntax,
        maker: &FamilyMaker,
        variable: VarId,
        span: Span,
        env: Env<'e>,
    ) -> LoweringResult<(Family, Vec<ParamId>)> {
        let FamilyMaker { description, .. } = maker;
        let domain = self.builder.variables()[variable.index()].domain.clone();
        let args = leaf.args.as_slice();
        let names = description.arguments.iter().map(|argument| argument.name);
        let names: Vec<&str> = names.collect();
        self.without_names(args, &names, span)?;
        // Three ways to write arguments: none, where the domain says them; a list of all
        // probabilities; or those of the signature.
        if args.is_empty()
            && let Some(family) = self.family_over(maker, &domain, variable, span)?
        {
            return Ok((family, Vec::new()));
        }
        if description.is_listed() && args.len() != 1 {
            let param = self.listed_probabilities(args, description, &domain, span, env)?;
            let family = self.made(maker, FamilyConstants::default(), span)?;
            return Ok((family, vec![param]));
        }
        if args.len() != names.len() {
            let message = format!(
                "`{}` takes {}, and {} given",
                description.signature(),
                counted(names.len(), "argument", "arguments"),
                n_are(args.len())
            );
            let diagnostic = SourceDiagnostic::new(Code::WrongCount, span, message);
            return Err(self.error(diagnostic.at("here")));
        }
        self.family_from_args(maker, args, &domain, span, env)
    }

    /// Constants first, then parameters, each read as its description says. What is wrong
    /// with one parameter does not hide what is wrong with another.
    fn family_from_args<'e>(
        &mut self,
        maker: &FamilyMaker,
        args: &'e [Expr],
        domain: &Domain,
        span: Span,
        env: Env<'e>,
    ) -> LoweringResult<(Family, Vec<ParamId>)> {
        let mut constants = FamilyConstants::default();
        let mut params = Vec::new();
        for (argument, arg) in maker.description.arguments.iter().zip(args) {
            match argument.kind {
                FamilyArgumentKind::Count => constants.counts.push(self.count_arg(arg, env)?),
                FamilyArgumentKind::Bound => constants
                    .bounds
                    .push(FiniteConstant::new(self.number(arg, env)?)),
                FamilyArgumentKind::Breaks => constants.breaks = self.breaks(arg, env)?,
                FamilyArgumentKind::Parameter(kind) => {
                    let size = match kind {
                        ParamKind::Simplex if constants.breaks.is_empty() => {
                            self.finite_size(maker.description, domain, span)?
                        }
                        ParamKind::Simplex => constants.breaks.len() - 1,
                        ParamKind::Unit => 2,
                        ParamKind::Positive | ParamKind::Real | ParamKind::Weights => 1,
                    };
                    params.push(self.param_arg(arg, kind, size, env));
                }
            }
        }
        let family = self.made(maker, constants, span)?;
        let params = params.into_iter().collect::<LoweringResult<_>>()?;
        Ok((family, params))
    }

    /// The distribution with constants that are of the right kinds.
    fn made(
        &mut self,
        maker: &FamilyMaker,
        constants: FamilyConstants,
        span: Span,
    ) -> LoweringResult<Family> {
        (maker.from_constants)(constants).map_err(|refused| {
            let diagnostic =
                SourceDiagnostic::new(Code::BadParameter, span, refused.message).at("here");
            self.error(match refused.help {
                Some(help) => diagnostic.help(help),
                None => diagnostic,
            })
        })
    }

    /// `categorical(0.2, 0.8)`
    fn listed_probabilities<'e>(
        &mut self,
        args: &'e [Expr],
        description: &FamilyDescription,
        domain: &Domain,
        span: Span,
        env: Env<'e>,
    ) -> LoweringResult<ParamId> {
        let size = self.finite_size(description, domain, span)?;
        let shapes = args.iter().map(|arg| self.shape(arg, env));
        let shape = WrittenEntries::Many(shapes.collect::<LoweringResult<_>>()?);
        let param = self.own_param(&shape, ParamKind::Simplex, size, span)?;
        if let (Some(trace), [first, .., last]) = (&mut self.trace, args) {
            let span = first.span.to(last.span);
            trace.argument(param, span, env);
            trace.listed.insert(span);
        }
        Ok(param)
    }

    fn finite_size(
        &mut self,
        description: &FamilyDescription,
        domain: &Domain,
        span: Span,
    ) -> LoweringResult<usize> {
        if let Some(size) = domain.size() {
            return Ok(size as usize);
        }
        let message = format!(
            "a {} distribution needs finitely many values, and the domain is {domain}",
            description.name
        );
        let diagnostic = SourceDiagnostic::new(Code::DomainMismatch, span, message)
            .at("does not fit")
            .help(suitable(description.domains, domain));
        Err(self.error(diagnostic))
    }

    /// What a distribution is without arguments; none if it always has some.
    fn family_over(
        &mut self,
        maker: &FamilyMaker,
        domain: &Domain,
        variable: VarId,
        span: Span,
    ) -> LoweringResult<Option<Family>> {
        let low = domain.first();
        let high = low + domain.size().unwrap_or(1) as f64;
        let family = (maker.over)(FiniteConstant::new(low), FiniteConstant::new(high));
        if family.is_none() || domain.size().is_some() {
            return Ok(family);
        }
        let name = &self.builder.variables()[variable.index()].name;
        let (family, signature) = (maker.description.name, maker.description.signature());
        let message = format!("`{family}` needs bounds here: the domain of `{name}` is {domain}");
        let diagnostic = SourceDiagnostic::new(Code::WrongCount, span, message)
            .at("without bounds")
            .help(format!("write `{signature}`; the upper end is left out"));
        Err(self.error(diagnostic))
    }

    fn breaks<'e>(&mut self, arg: &'e Expr, env: Env<'e>) -> LoweringResult<Vec<FiniteConstant>> {
        let ConstantValue::List(list) = self.constant(arg, env)? else {
            let message = "the breaks of a histogram are a list of numbers";
            return Err(self.wrong_kind(arg.span, message, "not a list"));
        };
        let breaks: Vec<f64> = list.iter().filter_map(ConstantValue::number).collect();
        let rising = breaks.windows(2).all(|pair| pair[0] < pair[1]);
        let finite = breaks.iter().all(|value| value.is_finite());
        if breaks.len() != list.len() || breaks.len() < 2 || !rising || !finite {
            let message = "the breaks of a histogram are at least two finite numbers that rise";
            let diagnostic =
                SourceDiagnostic::new(Code::BadParameter, arg.span, message).at("here");
            return Err(self.error(diagnostic));
        }
        Ok(breaks.into_iter().map(FiniteConstant::new).collect())
    }
}
