//! Bayesian networks in the interchange format (`.bif`).
//!
//! `network`, `variable` and `probability` blocks in any order; `property` entries are
//! skipped. Values become categories under their names.

mod table;
mod token;

use super::network::{Network, NetworkVariable};
use super::{ImportContext, ImportError, ImportedCircuit};
use pelton_compiler::circuit::Domain;
use pelton_grammar::diagnostic::{counted, thousands};
use rustc_hash::{FxHashMap, FxHashSet};
use table::{BifProbabilityBlock, words};
use token::{BifToken, BifTokens};

/// Reads a network and compiles it.
pub(super) fn read(context: &ImportContext) -> Result<ImportedCircuit, ImportError> {
    let mut tokens = BifTokens::of(context.source, context.max_size);
    let mut declared = BifVariables::default();
    let mut blocks = Vec::new();
    while let Some(token) = tokens.next_token()? {
        match token.text {
            "network" => skip_block(&mut tokens)?,
            "variable" => declared.read(&mut tokens)?,
            "probability" => blocks.push(BifProbabilityBlock::read(&mut tokens)?),
            text => {
                let message = format!("`{text}` begins no block");
                let help = "blocks are `network`, `variable` and `probability`";
                return Err(token.fault(message).help(help));
            }
        }
    }
    let (network, notes) = declared.network(&blocks, context.max_size)?;
    network.compile(context, notes)
}

/// The variables of a network.
#[derive(Default)]
struct BifVariables {
    nodes: Vec<NetworkVariable>,
    by_name: FxHashMap<String, u32>,
    /// The number of each value of each variable.
    by_value: Vec<FxHashMap<String, usize>>,
}

impl BifVariables {
    /// Reads a `variable` block behind its first word.
    fn read<'a>(&mut self, tokens: &mut BifTokens<'a>) -> Result<(), ImportError> {
        let name = tokens.token("the name of a variable")?;
        if name.is_sign || name.text.is_empty() {
            return Err(name.fault("the variable has no name"));
        }
        if self.by_name.contains_key(name.text) {
            return Err(name.fault(format!("there are two variables `{}`", name.text)));
        }
        expect(tokens, "{")?;
        let mut values = None;
        loop {
            let token = tokens.token("`}`")?;
            match token.text {
                "}" if token.is_sign => break,
                "type" => values = Some(read_type(tokens)?),
                "property" => skip_property(tokens)?,
                text => {
                    let message = format!("`{text}` is no entry of a variable");
                    return Err(token
                        .fault(message)
                        .help("entries are `type` and `property`"));
                }
            }
        }
        let Some(values) = values else {
            return Err(name.fault(format!("`{}` has no type", name.text)));
        };
        self.add(name, &values)
    }

    fn add(&mut self, name: BifToken, values: &[BifToken]) -> Result<(), ImportError> {
        let mut by_value = FxHashMap::default();
        for (at, value) in values.iter().enumerate() {
            if value.text.is_empty() {
                return Err(value.fault(format!("a value of `{}` has no name", name.text)));
            }
            if by_value.insert(value.text.to_string(), at).is_some() {
                let message = format!("`{}` has two values `{}`", name.text, value.text);
                return Err(value.fault(message));
            }
        }
        self.by_name
            .insert(name.text.to_string(), self.nodes.len() as u32);
        self.by_value.push(by_value);
        self.nodes.push(NetworkVariable {
            name: name.text.to_string(),
            domain: Domain::Categories(values.iter().map(|v| v.text.to_string()).collect()),
            n_values: values.len(),
            span: name.span,
        });
        Ok(())
    }

    fn find(&self, name: &BifToken) -> Result<u32, ImportError> {
        let found = self.by_name.get(name.text).copied();
        found.ok_or_else(|| name.fault(format!("there is no variable `{}`", name.text)))
    }

    /// The number of a value.
    fn value(&self, variable: u32, value: &BifToken) -> Result<usize, ImportError> {
        let found = self.by_value[variable as usize].get(value.text).copied();
        found.ok_or_else(|| {
            let name = &self.nodes[variable as usize].name;
            value.fault(format!("`{name}` has no value `{}`", value.text))
        })
    }

    /// The names of the values of a variable.
    fn values(&self, variable: u32) -> &[String] {
        match &self.nodes[variable as usize].domain {
            Domain::Categories(names) => names,
            _ => &[],
        }
    }

    /// Puts the table of each variable in its place, and says which names had to change.
    fn network(
        mut self,
        blocks: &[BifProbabilityBlock],
        max_size: usize,
    ) -> Result<(Network, Vec<String>), ImportError> {
        let mut sorted: Vec<Option<&BifProbabilityBlock>> = vec![None; self.nodes.len()];
        for block in blocks {
            let child = self.find(&block.child)?;
            if sorted[child as usize].replace(block).is_some() {
                let message = format!("the probability of `{}` is given twice", block.child.text);
                return Err(block.child.fault(message));
            }
        }
        let mut factors = Vec::new();
        let mut n_cells = 0usize;
        for (node, block) in self.nodes.iter().zip(sorted) {
            let Some(block) = block else {
                let message = format!("`{}` has no probabilities", node.name);
                return Err(ImportError::at(node.span, message));
            };
            let factor = block.factor(&self, max_size.saturating_sub(n_cells))?;
            n_cells += factor.table.len();
            factors.push(factor);
        }
        let notes = self.rename();
        let network = Network {
            variables: self.nodes,
            factors,
            is_directed: true,
        };
        Ok((network, notes))
    }

    /// Backquotes cannot stand in names of the language, nor can ends of lines.
    fn rename(&mut self) -> Vec<String> {
        let mut taken: FxHashSet<String> = self.by_name.keys().cloned().collect();
        let mut notes = Vec::new();
        for node in &mut self.nodes {
            if !node.name.contains(['`', '\n']) {
                continue;
            }
            let mut name = node.name.replace(['`', '\n'], "'");
            while !taken.insert(name.clone()) {
                name.push('\'');
            }
            let old = std::mem::replace(&mut node.name, name);
            notes.push(format!(
                "the variable {old:?} is called `{}` here",
                node.name
            ));
        }
        notes
    }
}

/// `discrete [ 2 ] { yes, no };`
fn read_type<'a>(tokens: &mut BifTokens<'a>) -> Result<Vec<BifToken<'a>>, ImportError> {
    let kind = tokens.token("`discrete`")?;
    if kind.text != "discrete" {
        let message = format!("variables of type `{}` are not read", kind.text);
        return Err(kind
            .fault(message)
            .help("write `type discrete [ 2 ] { yes, no };`"));
    }
    expect(tokens, "[")?;
    let count = tokens.token("a number of values")?;
    expect(tokens, "]")?;
    expect(tokens, "{")?;
    let values = words(tokens, "}")?;
    expect(tokens, ";")?;
    let Ok(n_values) = count.text.parse::<usize>() else {
        return Err(count.fault(format!("`{}` is no number of values", count.text)));
    };
    if n_values != values.len() || values.is_empty() {
        let message = format!(
            "the variable is said to have {}, and {} named",
            counted(n_values, "value", "values"),
            match values.len() {
                1 => "1 is".to_string(),
                n => format!("{} are", thousands(n)),
            }
        );
        return Err(count.fault(message));
    }
    Ok(values)
}

fn expect<'a>(tokens: &mut BifTokens<'a>, sign: &str) -> Result<BifToken<'a>, ImportError> {
    let token = tokens.token(&format!("`{sign}`"))?;
    if token.is(sign) {
        Ok(token)
    } else {
        Err(token.fault(format!("`{sign}` should stand where `{}` is", token.text)))
    }
}

/// Skips the rest of a property.
fn skip_property(tokens: &mut BifTokens) -> Result<(), ImportError> {
    while !tokens.token("`;`")?.is(";") {}
    Ok(())
}

/// Skips a name, if there is one, and a block in braces.
fn skip_block(tokens: &mut BifTokens) -> Result<(), ImportError> {
    while !tokens.token("`{`")?.is("{") {}
    while !tokens.token("`}`")?.is("}") {}
    Ok(())
}
