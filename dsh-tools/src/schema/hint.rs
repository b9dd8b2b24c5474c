//! What to write instead: the nearest accepted name for a misspelt one.

/// The candidate that is most likely meant, if one is near enough.
///
/// Names that differ in case or separators only (`pageSize`, `page_size`) always count as near.
pub(crate) fn nearest<'a>(
    written: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let folded = fold(written);
    candidates
        .into_iter()
        .map(|candidate| (distance(&folded, &fold(candidate)), candidate))
        .filter(|(distance, candidate)| *distance <= allowance(written, candidate))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// A third of the longer name, at least one letter.
fn allowance(a: &str, b: &str) -> usize {
    (a.chars().count().max(b.chars().count()) / 3).max(1)
}

fn fold(name: &str) -> Vec<char> {
    name.chars().filter(|c| !matches!(c, '_' | '-')).flat_map(char::to_lowercase).take(64).collect()
}

/// Edits between two names, a swap of neighbours counting once (optimal string alignment).
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            let mut best = (row[j] + 1).min(last[j + 1] + 1).min(last[j] + usize::from(x != y));
            if i > 0 && j > 0 && *x == b[j - 1] && a[i - 1] == *y {
                best = best.min(before[j - 1] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[track_caller]
    fn check(written: &str, candidates: &[&str], expected: Option<&str>) {
        assert_eq!(nearest(written, candidates.iter().copied()), expected);
    }

    #[test]
    fn a_misspelt_name_finds_the_one_that_is_meant() {
        check("limt", &["pattern", "limit"], Some("limit"));
        check("pageSize", &["path", "page_size"], Some("page_size"));
        check("ptah", &["path", "pattern"], Some("path"));
        check("colour", &["path", "limit"], None);
        check("", &["path"], None);
    }
}
