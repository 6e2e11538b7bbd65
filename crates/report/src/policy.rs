//! The sources that a page's content security policy allows.

use sha2::{Digest, Sha256};

/// The source of an inline style or script: its hash, as `'sha256-…'`.
pub(super) fn source(text: &str) -> String {
    format!("'sha256-{}'", base64(&Sha256::digest(text)))
}

/// Bytes in Base64, padded (RFC 4648, section 4).
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let bits = (0..3)
            .fold(0, |bits, nth| bits << 8 | usize::from(three.get(nth).copied().unwrap_or(0)));
        for nth in 0..4 {
            // Each letter has six bits: n bytes need n + 1 letters, and padding makes four.
            let letter = char::from(LETTERS[bits >> (18 - 6 * nth) & 63]);
            text.push(if nth <= three.len() { letter } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_are_hashes_in_base64() {
        // `printf '' | openssl dgst -sha256 -binary | base64`
        assert_eq!(source(""), "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='");
        // RFC 4648, section 10.
        assert_eq!(
            ["f", "fo", "foo"].map(|text| base64(text.as_bytes())),
            ["Zg==", "Zm8=", "Zm9v"]
        );
    }
}
