//! Dates and times (RFC 3339, section 5.6) and durations (RFC 3339, appendix A).

const MINUTES_OF_A_DAY: u32 = 24 * 60;

/// `date-time`: a date, `T` and a time. Leap seconds are taken at the end of any day, as the
/// announced ones change.
pub(super) fn date_time(text: &str) -> bool {
    text.split_once(['T', 't']).is_some_and(|(day, clock)| date(day) && time(clock))
}

/// `full-date`, on a day that the month has.
pub(super) fn date(text: &str) -> bool {
    let fields = fields(text, '-', [4, 2, 2]);
    fields.is_some_and(|[year, month, day]| (1..=days(year, month)).contains(&day))
}

/// `full-time`: a clock and how far it is from UTC. A second 60 is the last one of a day in UTC.
pub(super) fn time(text: &str) -> bool {
    let Some((clock, ahead)) = with_offset(text) else { return false };
    let (clock, is_fraction) = match clock.split_once('.') {
        Some((clock, fraction)) => (clock, number(fraction).is_some()),
        None => (clock, true),
    };
    let Some([hour, minute, second]) = fields(clock, ':', [2, 2, 2]) else { return false };
    let in_utc = (hour * 60 + minute + MINUTES_OF_A_DAY - ahead) % MINUTES_OF_A_DAY;
    let leaps = second == 60 && in_utc == MINUTES_OF_A_DAY - 1;
    is_fraction && hour < 24 && minute < 60 && (second < 60 || leaps)
}

/// `duration`: either weeks, or units that follow each other without a gap.
pub(super) fn duration(text: &str) -> bool {
    // The grammar is ABNF, whose letters are of either case (RFC 5234, section 2.3).
    let text = text.to_ascii_uppercase();
    let Some(amounts) = text.strip_prefix('P') else { return false };
    if let Some(weeks) = amounts.strip_suffix('W') {
        return number(weeks).is_some();
    }
    match amounts.split_once('T') {
        None => follow("YMD", amounts),
        Some(("", clock)) => follow("HMS", clock),
        Some((date, clock)) => follow("YMD", date) && follow("HMS", clock),
    }
}

/// Whether the units of these amounts are some of `order`, with none left out in between.
fn follow(order: &str, amounts: &str) -> bool {
    let amounts = amounts.split_inclusive(|c: char| !c.is_ascii_digit());
    let unit = |amount: &str| amount.chars().next_back().filter(|_| amount.len() > 1);
    let units: Option<String> = amounts.map(unit).collect();
    units.is_some_and(|units| !units.is_empty() && order.contains(&units))
}

/// The clock of a time, and by how many minutes it is ahead of UTC, within a day.
fn with_offset(text: &str) -> Option<(&str, u32)> {
    if let Some(clock) = text.strip_suffix(['Z', 'z']) {
        return Some((clock, 0));
    }
    let sign = text.rfind(['+', '-'])?;
    let (clock, offset) = text.split_at_checked(sign)?;
    let [hours, minutes] = fields(offset.trim_start_matches(['+', '-']), ':', [2, 2])?;
    let minutes = (hours < 24 && minutes < 60).then_some(hours * 60 + minutes)?;
    let ahead = if offset.starts_with('-') { MINUTES_OF_A_DAY - minutes } else { minutes };
    Some((clock, ahead))
}

fn days(year: u32, month: u32) -> u32 {
    match month {
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => {
            29
        }
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => 0,
    }
}

/// The numbers between separators, each of so many digits.
fn fields<const N: usize>(text: &str, separator: char, digits: [usize; N]) -> Option<[u32; N]> {
    let mut numbers = [0; N];
    let mut fields = text.split(separator);
    for (value, digits) in numbers.iter_mut().zip(digits) {
        let field = fields.next().filter(|field| field.len() == digits)?;
        *value = number(field)?.parse().ok()?;
    }
    fields.next().is_none().then_some(numbers)
}

/// The text, if it is one ASCII digit or more.
fn number(text: &str) -> Option<&str> {
    (!text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())).then_some(text)
}
