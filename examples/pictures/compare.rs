//! Whether two pictures are the same but for rounding.

/// Of the last digit that is written. A point that is rounded the other way changes the steps to it and from it by one.
const TOLERANCE: f64 = 2.0;

/// The first place where two pictures differ: in a word, or in a number by more than rounding.
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

/// The numbers of a text, the words between them, and where they begin. Spaces only separate, for a minus does so too.
fn tokens(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        at += text[at..].len() - text[at..].trim_start().len();
        let rest = &text[at..];
        let first = rest.chars().next()?;
        // A colour is a word, whatever it is made of.
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

/// How long the number is with which a text begins; 0 if it begins with none.
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
