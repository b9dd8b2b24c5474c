//! The nearest known word to an unknown one.

/// Returns the known word that `word` was most likely meant to be.
pub(crate) fn nearest<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    known
        .iter()
        .map(|candidate| (distance(word, candidate), *candidate))
        .filter(|(distance, candidate)| is_near(*distance, word, candidate))
        .min()
        .map(|(_, candidate)| candidate)
}

/// Three letters in ten may be wrong; a beginning of three letters or more counts as a short form.
fn is_near(distance: usize, word: &str, candidate: &str) -> bool {
    let length = word.chars().count().max(candidate.chars().count());
    let is_short_form = word.len() > 2 && candidate.starts_with(word)
        || candidate.len() > 2 && word.starts_with(candidate);
    distance * 10 <= length * 3 || distance == 1 || is_short_form
}

/// Counts inserted, removed and replaced letters (Levenshtein).
fn distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (i, l) in left.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, r) in right.iter().enumerate() {
            let replaced = diagonal + usize::from(l != *r);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[right.len()]
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[track_caller]
    fn check(word: &str, expected: Option<&str>) {
        let known = ["timeout", "title", "description", "minimum", "read_only"];
        assert_eq!(nearest(word, &known), expected, "{word}");
    }

    #[test]
    fn suggests_only_what_is_near() {
        check("timout", Some("timeout"));
        check("tiemout", Some("timeout"));
        check("desc", Some("description"));
        check("min", Some("minimum"));
        check("readonly", Some("read_only"));
        check("banana", None);
        check("", None);
    }
}
