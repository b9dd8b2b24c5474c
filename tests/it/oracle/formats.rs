//! Our checks of formats against those of the `jsonschema` crate.
//!
//! Without those that differ on purpose: ours takes durations in lower case (the grammar is ABNF),
//! refuses a mailbox with a name before it, and does not look into Punycode.

use dsh_tools::schema::ValueSchema;
use proptest::prelude::*;
use serde_json::json;

const FORMATS: [&str; 7] = ["date-time", "date", "time", "uri", "uuid", "ipv4", "ipv6"];

const TEXTS: [&str; 12] = [
    "2020-02-29T23:59:60Z",
    "1998-12-31T15:59:60.123-08:00",
    "2100-02-28",
    "1999-11-30",
    "08:30:06.5z",
    "23:29:60+23:30",
    "http://user@[2001:db8::7]:80/a%20b;c?d=e#f",
    "mailto:a.b@example.com",
    "2eb8aa08-aa98-11ea-b4aa-73b441d16380",
    "192.168.0.255",
    "1:2::d6:192.168.0.1",
    "::ffff",
];

/// A text with up to three characters put in, put over others, or taken out.
fn changed() -> impl Strategy<Value = String> {
    let character =
        prop::sample::select("0123456789:-+.TZa%/[]@# é\u{9ea}".chars().collect::<Vec<_>>());
    let change = (any::<prop::sample::Index>(), 0..3_u8, character);
    let changes = prop::collection::vec(change, 0..3);
    (prop::sample::select(&TEXTS[..]), changes).prop_map(|(text, changes)| {
        let mut text: Vec<char> = text.chars().collect();
        for (place, how, character) in changes {
            let place = place.index(text.len());
            match how {
                0 => text.insert(place, character),
                1 => text[place] = character,
                _ if text.len() > 1 => drop(text.remove(place)),
                _ => {}
            }
        }
        text.into_iter().collect()
    })
}

proptest! {
    #![proptest_config(super::budget(256))]

    #[test]
    fn formats_are_judged_as_by_another_validator(texts in prop::collection::vec(changed(), 16)) {
        for format in FORMATS {
            let schema = json!({"type": "string", "format": format});
            let ours = ValueSchema::parse(&schema).unwrap();
            let theirs = jsonschema::draft202012::options().should_validate_formats(true);
            let theirs = theirs.build(&schema).unwrap();
            for text in &texts {
                let text = json!(text);
                assert_eq!(ours.is_valid(&text), theirs.is_valid(&text), "{format} of {text}");
            }
        }
    }
}
