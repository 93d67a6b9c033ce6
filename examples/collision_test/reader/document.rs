//! Decoding and parsing of SVG files.

use roxmltree::{Document, Error, ParsingOptions};

use super::remark::Fault;

/// Decodes the bytes of a file.
pub fn decode(bytes: Vec<u8>) -> Result<String, Fault> {
    if bytes.starts_with(&[0x1f, 0x8b]) {
        return Err(Fault { line: 1, reason: "compressed; save it as plain SVG, not .svgz".to_owned() });
    }
    String::from_utf8(bytes).map_err(|error| {
        let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = 1 + good.iter().filter(|byte| **byte == b'\n').count();
        Fault { line, reason: "not UTF-8; save it in that encoding".to_owned() }
    })
}

/// The maximum number of attributes of an element. The parser compares each with all others.
const MOST_ATTRIBUTES: usize = 1_000;

/// Parses the text of a file.
pub fn parse(text: &str) -> Result<Document<'_>, Fault> {
    limit_attributes(text)?;
    // Older drawings have a DOCTYPE. The parser itself limits the expansion of entities.
    let options = ParsingOptions { allow_dtd: true, nodes_limit: 2_000_000, ..ParsingOptions::default() };
    Document::parse_with_options(text, options).map_err(|error| {
        let (message, place) = (error.to_string(), error.pos());
        let message = message.strip_suffix(&format!(" at {place}")).unwrap_or(&message);
        let reason = if text.trim().is_empty() { "the file is empty" } else { message };
        // The parser reports no place for a truncated file; use its last line.
        let breaks_off = matches!(error, Error::UnclosedRootNode | Error::UnexpectedEndOfStream);
        let line = if breaks_off { text.trim_end().lines().count() } else { place.row as usize };
        Fault { line, reason: format!("not well-formed XML: {reason}") }
    })
}

/// Checks the number of attributes of every tag, before the parser compares them.
fn limit_attributes(text: &str) -> Result<(), Fault> {
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        rest = &rest[start..];
        let verbatim = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")];
        if let Some((_, end)) = verbatim.into_iter().find(|(begin, _)| rest.starts_with(begin)) {
            let Some(end) = rest.find(end) else { return Ok(()) };
            rest = &rest[end..];
            continue;
        }
        let (mut quote, mut attributes, mut end) = (None, 0, rest.len());
        for (at, byte) in rest.bytes().enumerate().skip(1) {
            match (byte, quote) {
                (b'"' | b'\'', None) => quote = Some(byte),
                (_, Some(open)) if open == byte => quote = None,
                (b'=', None) => attributes += 1,
                (b'<' | b'>', None) => {
                    end = at;
                    break;
                }
                _ => {}
            }
        }
        if attributes > MOST_ATTRIBUTES {
            let line = 1 + text[..text.len() - rest.len()].bytes().filter(|byte| *byte == b'\n').count();
            return Err(Fault { line, reason: format!("an element with more than {MOST_ATTRIBUTES} attributes") });
        }
        rest = &rest[end..];
    }
    Ok(())
}
