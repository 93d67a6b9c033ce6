//! Comparison of pictures up to rounding.

/// The tolerance in units of the last written digit. A point that rounds differently changes the relative coordinates
/// before and after it by one unit each.
const TOLERANCE: f64 = 2.0;

/// Returns the first difference of two pictures: a different word, or a number that differs by more than rounding.
pub fn difference(old: &str, new: &str) -> Option<String> {
    let (mut before, mut after) = (tokens(old), tokens(new));
    loop {
        match (before.next(), after.next()) {
            (None, None) => return None,
            (Some((_, a)), Some((_, b))) if same(a, b) => {}
            (a, b) => {
                let place = a.or(b).map_or(0, |(at, _)| at);
                let line = old[..place.min(old.len())].matches('\n').count() + 1;
                let [a, b] = [a, b].map(|token| token.map_or("the end", |(_, text)| text));
                return Some(format!("line {line}: it was {a}, now it is {b}"));
            }
        }
    }
}

fn same(a: &str, b: &str) -> bool {
    let number = |text: &str| text.parse::<f64>().ok().filter(|number| number.is_finite());
    let digits = |text: &str| text.split_once('.').map_or(0, |(_, digits)| digits.len() as i32);
    match (number(a), number(b)) {
        (Some(x), Some(y)) => (x - y).abs() <= (TOLERANCE + 1e-6) * 10_f64.powi(-digits(a).max(digits(b))),
        _ => a == b,
    }
}

/// Returns the numbers and words of a text with their offsets. It skips spaces, because a minus also separates numbers.
fn tokens(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        at += text[at..].len() - text[at..].trim_start().len();
        let rest = &text[at..];
        let first = rest.chars().next()?;
        // A colour is one word, even if it contains digits.
        let length = if first == '#' {
            1 + rest[1..].find(|letter: char| !letter.is_ascii_hexdigit()).unwrap_or(rest.len() - 1)
        } else {
            match number_length(rest) {
                0 => first.len_utf8(),
                length => length,
            }
        };
        at += length;
        Some((at - length, &rest[..length]))
    })
}

/// Returns the length of the number at the start of a text; 0 if there is none.
fn number_length(text: &str) -> usize {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let sign = usize::from(text.starts_with('-'));
    let whole = digits(&text[sign..]);
    let rest = &text[sign + whole..];
    let part = rest.strip_prefix('.').map_or(0, digits);
    match (whole, part) {
        (0, 0) => 0,
        (_, 0) => sign + whole,
        _ => sign + whole + 1 + part,
    }
}
