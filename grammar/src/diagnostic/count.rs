//! Counts and lists in messages and reports.

use std::fmt::Display;

/// A count with commas: `1,021`.
pub fn thousands(n: usize) -> String {
    let digits = n.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A count with its noun: `no indices`, `1 index`, `1,021 indices`.
pub fn counted(n: usize, one: &str, many: &str) -> String {
    match n {
        0 => format!("no {many}"),
        1 => format!("1 {one}"),
        n => format!("{} {many}", thousands(n)),
    }
}

/// Things one behind the other: `a, b, c`.
pub fn listed<T: Display>(items: impl IntoIterator<Item = T>) -> String {
    joined(items, ", ")
}

/// Things between backquotes: `` `a`, `b` ``.
pub fn quoted_list<T: Display>(items: impl IntoIterator<Item = T>) -> String {
    listed(items.into_iter().map(|item| format!("`{item}`")))
}

/// Things with something between them.
pub fn joined<T: Display>(items: impl IntoIterator<Item = T>, separator: &str) -> String {
    let items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    items.join(separator)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_have_commas() {
        let shown: Vec<String> = [0, 999, 1021, 1234567].map(thousands).into();
        assert_eq!(shown, ["0", "999", "1,021", "1,234,567"]);
    }

    #[test]
    fn nouns_follow_their_count() {
        let shown = [0, 1, 2, 1021].map(|n| counted(n, "child", "children"));
        assert_eq!(
            shown,
            ["no children", "1 child", "2 children", "1,021 children"]
        );
    }
}
