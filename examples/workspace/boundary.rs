//! Where bytes can be cut without splitting a UTF-8 character.
//!
//! Bytes that are no UTF-8 are left alone; whoever shows them replaces them.

/// Returns the length of `bytes` without a character that is cut off at their end.
pub(crate) fn complete_len(bytes: &[u8]) -> usize {
    let back = bytes.iter().rev().take(4).position(|byte| !continues(*byte));
    match back {
        Some(back) => {
            let lead = bytes.len() - 1 - back;
            if back + 1 < width(bytes[lead]) { lead } else { bytes.len() }
        }
        None => bytes.len(),
    }
}

/// Returns how many bytes at the start of `bytes` are the end of a character cut off before.
pub(crate) fn partial_start(bytes: &[u8]) -> usize {
    let partial = bytes.iter().take_while(|byte| continues(**byte)).count();
    // A character has at most three such bytes: more of them are no UTF-8.
    if partial > 3 { 0 } else { partial }
}

fn continues(byte: u8) -> bool {
    byte & 0b1100_0000 == 0b1000_0000
}

fn width(lead: u8) -> usize {
    match lead {
        0xc0..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf7 => 4,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_cut_of_valid_text_is_valid() {
        let text = "aé€𝄞z".as_bytes();
        for at in 0..=text.len() {
            let head = &text[..complete_len(&text[..at])];
            assert!(str::from_utf8(head).is_ok(), "head of {at}");
            assert!(at - head.len() <= 3);
            let tail = &text[at + partial_start(&text[at..])..];
            assert!(str::from_utf8(tail).is_ok(), "tail from {at}");
        }
    }

    #[test]
    fn what_is_no_utf8_is_left_alone() {
        assert_eq!(complete_len(&[0x80; 9]), 9);
        assert_eq!(partial_start(&[0x80; 9]), 0);
        assert_eq!(complete_len(&[]), 0);
    }
}
