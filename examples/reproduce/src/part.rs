//! What comes of a part: a text, an object, and where both came from.

use super::piece::ResultStore;
use pelton_cli::CommandResult;
use pelton_cli::machine::Machine;
use serde_json::{Value as Json, json};

/// What comes of a part.
pub struct Part {
    /// The name of its files.
    pub name: &'static str,
    /// For people.
    pub markdown: String,
    /// For programs.
    pub json: Json,
}

impl Part {
    /// Writes both, in place of what an earlier run left there.
    pub fn write(&self, store: &ResultStore) -> CommandResult<()> {
        let path = |end: &str| store.path("", &format!("{}.{end}", self.name));
        store.write(&path("md"), &self.markdown)?;
        store.write(&path("json"), &format!("{:#}\n", self.json))
    }
}

/// Where results came from, as the end of a text.
pub fn provenance<'a>(runs: impl Iterator<Item = &'a Json>, store: &ResultStore) -> String {
    let json = provenance_json(runs, store);
    let threads = json["threads"].as_array().into_iter().flatten();
    let threads: Vec<String> = threads.map(Json::to_string).collect();
    let cpu = json["cpu"].as_str().unwrap_or("an unknown CPU");
    format!(
        "* Threads: {}, on {cpu}; Pelton {}, {}.\n\
         * To repeat it: `{}`\n",
        threads.join(" and "),
        json["pelton"].as_str().unwrap_or_default(),
        json["precision"].as_str().unwrap_or_default(),
        json["command"].as_str().unwrap_or_default(),
    )
}

/// The same for programs.
pub fn provenance_json<'a>(runs: impl Iterator<Item = &'a Json>, store: &ResultStore) -> Json {
    let mut threads: Vec<u64> = runs.filter_map(|run| run["threads"].as_u64()).collect();
    threads.sort_unstable();
    threads.dedup();
    let machine = Machine::look();
    json!({
        "threads": threads,
        "cpu": machine.cpu,
        "target": machine.target,
        "precision": store.numbers()["precision"],
        "engine": store.numbers()["engine"],
        "pelton": env!("CARGO_PKG_VERSION"),
        "command": command(),
    })
}

/// The command as it was given, as a shell takes it.
fn command() -> String {
    let words = std::env::args_os().skip(1);
    let words = words.map(|word| quoted(&word.to_string_lossy()));
    ["cargo run --release -p pelton-reproduce --".to_string()]
        .into_iter()
        .chain(words)
        .collect::<Vec<_>>()
        .join(" ")
}

fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./,=:+".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_string()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_where_a_shell_needs_it() {
        let shown = ["a,b", "two words", "it's", ""].map(quoted).join(" ");
        assert_eq!(shown, r"a,b 'two words' 'it'\''s' ''");
    }
}
