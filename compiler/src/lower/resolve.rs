//! From a written name to what it stands for.

use super::constant::ConstantValue;
use super::env::{Env, NameBinding};
use super::symbols::{IndexFault, Symbol};
use super::{Lowering, LoweringResult, ReportedError, n_are};
use crate::circuit::{show_name, split_name};
use crate::emit::token;
use pelton_grammar::ast::{Expr, ExprKind, Name, PathSyntax};
use pelton_grammar::diagnostic::{Code, SourceDiagnostic, counted};
use pelton_grammar::source::Span;
use smallvec::SmallVec;

/// Names compared with unknown ones in one run: with thousands of each, all
/// pairs would take minutes.
const MOST_NAMES_COMPARED: usize = 500_000;

pub(super) type PathIndices = SmallVec<[i64; 4]>;

pub(super) enum PathEntity<'e> {
    /// A loop index.
    Value(ConstantValue),
    /// A declared name.
    Symbol(Symbol),
    /// An argument that is not itself a path.
    Expr(&'e Expr, Env<'e>),
}

/// A resolved path: what it names, and the indices that are left to apply.
pub(super) struct ResolvedPath<'e> {
    pub entity: PathEntity<'e>,
    pub indices: PathIndices,
}

impl<'a> Lowering<'a, '_> {
    /// Resolves a path and computes its indices. An argument of a definition
    /// is replaced by what the caller wrote; indices behind it are added to
    /// the caller's.
    pub(super) fn resolve<'e>(
        &mut self,
        path: &'e PathSyntax,
        env: Env<'e>,
    ) -> LoweringResult<ResolvedPath<'e>> {
        if let Some(resolved) = self.resolve_asked(path, env)? {
            return Ok(resolved);
        }
        // The name first: an argument may bring indices of its own, to which those written here
        // are added.
        let mut resolved = match path.qualifier {
            None => self.resolve_name(path, env)?,
            Some(ref qualifier) => ResolvedPath {
                entity: PathEntity::Symbol(
                    self.resolve_qualified(qualifier, &path.name, env.module)?,
                ),
                indices: PathIndices::new(),
            },
        };
        for index in &path.indices {
            let index = self.integer(index, env)?;
            resolved.indices.push(index);
        }
        Ok(resolved)
    }

    /// What a path of a question stands for, if its prefix or its indices are part of a
    /// name: circuits do not keep files and need not have whole arrays, so that
    /// `house.temp` and `x[3]` may be declared as they stand.
    fn resolve_asked<'e>(
        &mut self,
        path: &'e PathSyntax,
        env: Env<'e>,
    ) -> LoweringResult<Option<ResolvedPath<'e>>> {
        if !self.is_asked_by_name(path, env.module) {
            return Ok(None);
        }
        let (base, own) = asked_name(path);
        let mut indices = PathIndices::from(own);
        for index in &path.indices {
            indices.push(self.integer(index, env)?);
        }
        let names = &self.symbols.modules[env.module];
        let found = match names.get(show_name(&base, &indices).as_str()) {
            Some(&whole) => Some((whole, PathIndices::new())),
            None => names.get(base.as_str()).map(|&array| (array, indices)),
        };
        Ok(found.map(|(symbol, indices)| ResolvedPath {
            entity: PathEntity::Symbol(symbol),
            indices,
        }))
    }

    /// Whether a path is one of a question and spells the beginning of a variable's name
    /// with its prefix or up to its indices. Questions are no part of any file.
    pub(super) fn is_asked_by_name(&self, path: &PathSyntax, module: usize) -> bool {
        let mut modules = self.program.modules.iter();
        let (base, own) = asked_name(path);
        let is_indexed = !path.indices.is_empty() || !own.is_empty();
        let is_plain = path.qualifier.is_none() && !is_indexed;
        if is_plain || modules.any(|own| own.source == path.span.source) {
            return false;
        }
        let names = &self.symbols.modules[module];
        match names.get(base.as_str()) {
            // Indices in backquotes are part of a name, which may be that of a category.
            Some(Symbol::Var(array)) if !own.is_empty() => {
                let array = self.symbols.vars[*array].array.as_ref();
                return array.is_ok_and(|array| array.get(&own).is_ok());
            }
            Some(_) => return true,
            None => {}
        }
        // Members of arrays are declared one by one in questions: `x[3]` is a name of its own
        // there.
        let is_member = |name: &&str| {
            let rest = name.strip_prefix(base.as_str());
            rest.is_some_and(|rest| rest.starts_with('['))
        };
        if path.indices.is_empty() {
            names.contains_key(show_name(&base, &own).as_str())
        } else {
            names.keys().any(is_member)
        }
    }

    fn resolve_name<'e>(
        &mut self,
        path: &'e PathSyntax,
        env: Env<'e>,
    ) -> LoweringResult<ResolvedPath<'e>> {
        let name = &path.name;
        let plain = |entity| ResolvedPath {
            entity,
            indices: PathIndices::new(),
        };
        // Indices and arguments hide what is declared.
        match env.lookup(&name.text) {
            Some(NameBinding::Value(value)) => return Ok(plain(PathEntity::Value(value.clone()))),
            Some(&NameBinding::Argument(expr, outer)) => {
                // An argument is expanded wherever its name stands: `f(a + a)`, time after time.
                self.count(name.span)?;
                return match &expr.unparenthesized().kind {
                    ExprKind::Ref(path) => super::with_stack(|| self.resolve(path, outer)),
                    _ => Ok(plain(PathEntity::Expr(expr, outer))),
                };
            }
            None => {}
        }
        match self.symbols.modules[env.module].get(name.text.as_str()) {
            Some(&symbol) => {
                self.mark_used(symbol);
                Ok(plain(PathEntity::Symbol(symbol)))
            }
            None => match self.quoted_name(path, env) {
                Some(quoted) => Err(self.report_unquoted(path, &quoted)),
                None => Err(self.report_unknown(name, env)),
            },
        }
    }

    /// The declared name that a path with indices spells: a name that was written in
    /// backquotes may hold brackets.
    fn quoted_name(&self, path: &PathSyntax, env: Env<'_>) -> Option<String> {
        if path.indices.is_empty() {
            return None;
        }
        let source = self.program.sources.get(path.span.source);
        let without_blanks = |text: &str| text.replace(char::is_whitespace, "");
        let spelt = without_blanks(source.slice(path.span));
        let mut names = self.symbols.modules[env.module].keys();
        let name = names.find(|name| without_blanks(name) == spelt)?;
        Some((*name).to_string())
    }

    fn report_unquoted(&mut self, path: &PathSyntax, name: &str) -> ReportedError {
        let written = token::name(name).into_owned();
        let message = format!("`{}` is not defined", path.name.text);
        let diagnostic = SourceDiagnostic::new(Code::UnknownName, path.span, message)
            .at("this is the whole name of a variable, not a member of an array")
            .suggest(
                format!("write {written}, in backquotes"),
                path.span,
                written,
            );
        self.error(diagnostic)
    }

    fn resolve_qualified(
        &mut self,
        qualifier: &Name,
        name: &Name,
        module: usize,
    ) -> LoweringResult<Symbol> {
        let target = match self.symbols.modules[module].get(qualifier.text.as_str()) {
            Some(&Symbol::Module(target)) => target,
            Some(other) => {
                let message = format!("`{}` is {}, not a used file", qualifier.text, other.kind());
                return Err(self.wrong_kind(qualifier.span, message, "a prefix is needed here"));
            }
            None => return Err(self.report_unknown(qualifier, Env::of_module(module))),
        };
        self.used_prefixes.insert((module, qualifier.text.clone()));
        // A file that could not be read was reported where it is used.
        let names = self.symbols.modules.get(target).ok_or(ReportedError)?;
        match names.get(name.text.as_str()) {
            Some(&symbol) => {
                self.mark_used(symbol);
                Ok(symbol)
            }
            None => {
                let candidates: Vec<&str> = names.keys().copied().collect();
                let near = self.nearest_name(&name.text, candidates);
                Err(self.report_unknown_name(name, &format!(" in `{}`", qualifier.text), near))
            }
        }
    }

    fn mark_used(&mut self, symbol: Symbol) {
        if self.current != Some(symbol) {
            self.used.insert(symbol);
        }
    }

    fn report_unknown(&mut self, name: &Name, env: Env<'_>) -> ReportedError {
        let declared = self.symbols.modules[env.module].keys().copied();
        let candidates: Vec<&str> = declared.chain(env.names()).collect();
        let near = self.nearest_name(&name.text, candidates);
        self.report_unknown_name(name, "", near)
    }

    /// The nearest name, until so many were compared that nobody reads the messages any more.
    fn nearest_name(&mut self, name: &str, candidates: Vec<&str>) -> Option<String> {
        if self.names_compared > MOST_NAMES_COMPARED {
            return None;
        }
        self.names_compared += candidates.len();
        nearest(name, candidates)
    }

    fn report_unknown_name(
        &mut self,
        name: &Name,
        place: &str,
        near: Option<String>,
    ) -> ReportedError {
        if self.is_in_broken_statement(name) {
            return ReportedError;
        }
        let message = format!("`{}` is not defined{place}", name.text);
        let diagnostic = SourceDiagnostic::new(Code::UnknownName, name.span, message);
        let diagnostic = match near {
            Some(near) => diagnostic.at(format!("did you mean `{near}`?")).suggest(
                format!("write `{near}`"),
                name.span,
                token::name(&near).into_owned(),
            ),
            None => diagnostic.at("unknown name").help(
                "declare it with `var`, `const`, `param`, `node` or `def`; order does not matter",
            ),
        };
        self.error(diagnostic)
    }

    /// Whether the name may be declared by a statement that could not be read:
    /// whether it stands there as a word.
    fn is_in_broken_statement(&self, name: &Name) -> bool {
        let modules = self.program.modules.iter();
        let mut broken = modules.flat_map(|module| &module.file.broken);
        broken.any(|&span| has_word(self.program.sources.slice(span), &name.text))
    }

    pub(super) fn index_error(
        &mut self,
        fault: IndexFault,
        path: &PathSyntax,
        indices: &[i64],
    ) -> ReportedError {
        let name = &path.name.text;
        match fault {
            IndexFault::Count(wanted) => self.report_index_count(path, indices.len(), wanted),
            IndexFault::Range(position, low, high) => {
                let index = indices[position];
                // An index that an argument brought along has no text here.
                let own = (path.indices.len() + position).checked_sub(indices.len());
                let span = own.map_or(path.span, |at| path.indices[at].span);
                let message = format!("index {index} of `{name}` is out of range {low}..{high}");
                let diagnostic = SourceDiagnostic::new(Code::OutOfRange, span, message)
                    .at(format!("this is {index}"));
                self.error(diagnostic)
            }
        }
    }

    pub(super) fn report_index_count(
        &mut self,
        path: &PathSyntax,
        given: usize,
        wanted: usize,
    ) -> ReportedError {
        let name = &path.name.text;
        let wanted = counted(wanted, "index", "indices");
        let message = format!("`{name}` takes {wanted}, and {} given", n_are(given));
        self.error(SourceDiagnostic::new(Code::WrongCount, path.span, message).at("here"))
    }

    pub(super) fn place(&self, symbol: Symbol) -> Option<Span> {
        let mut places = self.symbols.places.iter();
        let (_, name, _) = places.find(|(other, ..)| *other == symbol)?;
        Some(name.span)
    }
}

/// A path's name with its prefix, as circuits call variables of used files. A quoted name
/// may hold its indices: circuits do not tell `x[1]` in backquotes from a member of `x`.
fn asked_name(path: &PathSyntax) -> (String, Vec<i64>) {
    let whole = match &path.qualifier {
        Some(qualifier) => format!("{}.{}", qualifier.text, path.name.text),
        None => path.name.text.clone(),
    };
    match split_name(&whole) {
        (base, own) if path.indices.is_empty() && !own.is_empty() => (base.to_string(), own),
        _ => (whole, Vec::new()),
    }
}

/// Whether a text holds a word that is not part of a longer one.
fn has_word(text: &str, word: &str) -> bool {
    let continues = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word).any(|(at, _)| {
        let (before, behind) = (&text[..at], &text[at + word.len()..]);
        !before.ends_with(continues) && !behind.starts_with(continues)
    })
}

/// The message on an unknown name with what else there is: the nearest of the names known, or
/// all of them.
pub(super) fn unknown_among(
    message: String,
    name: &Name,
    near: Option<String>,
    known: &[&str],
) -> SourceDiagnostic {
    let diagnostic = SourceDiagnostic::new(Code::UnknownName, name.span, message);
    match near {
        Some(near) => {
            let diagnostic = diagnostic.at(format!("did you mean `{near}`?"));
            diagnostic.suggest(format!("write `{near}`"), name.span, near)
        }
        None => {
            let known = known.join(", ");
            diagnostic.at("unknown").help(format!("there are {known}"))
        }
    }
}

/// The candidate most like `name`, if any is like it at all.
pub fn nearest<'n>(name: &str, candidates: impl IntoIterator<Item = &'n str>) -> Option<String> {
    // Comparing very long names would be slow and no help.
    if name.len() > 100 {
        return None;
    }
    // One slip of the pen, and one more for every four letters.
    let allowed = 1 + name.chars().count() / 4;
    candidates
        .into_iter()
        .filter(|candidate| candidate.len() <= 100)
        .map(|candidate| (strsim::damerau_levenshtein(name, candidate), candidate))
        .filter(|&(distance, candidate)| {
            (distance <= allowed && distance < candidate.chars().count())
                || candidate.eq_ignore_ascii_case(name)
        })
        .min()
        .map(|(_, candidate)| candidate.to_string())
}
