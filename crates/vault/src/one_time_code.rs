//! One-time codes that depend on the time (TOTP, RFC 6238).

use std::fmt::Write as _;

use data_encoding::BASE32_NOPAD;
use ring::hmac;
use secrecy::zeroize::Zeroizing;
use thiserror::Error;
use url::Url;

const SCHEME: &str = "otpauth://";
/// RFC 4226 requires 128 bits; many sites issue 80, and a shorter key is a mistake.
const SHORTEST_KEY: usize = 10;

/// Why a text is not the key of one-time codes. No text contains the key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum OneTimeCodeError {
    /// The characters are not base32.
    #[error("the key of one-time codes is not base32 (letters and the digits 2 to 7)")]
    Base32,
    /// The key has too few characters.
    #[error("the key of one-time codes has fewer than 16 characters; is it a code instead of the key?")]
    Short,
    /// The address is not `otpauth://totp/…?secret=…`.
    #[error("expected the address otpauth://totp/NAME?secret=KEY; codes that depend on a counter are not supported")]
    Address,
    /// A parameter of the address is out of range.
    #[error("the address of the one-time codes has an unknown {0}")]
    Parameter(&'static str),
}

/// The key of one-time codes, with their form.
pub struct OneTimeCodeKey {
    key: hmac::Key,
    digits: u32,
    /// How long a code is valid, in seconds.
    period: u64,
}

impl OneTimeCodeKey {
    /// Whether a value is an address of one-time codes.
    pub fn is_address(value: &str) -> bool {
        value.get(..SCHEME.len()).is_some_and(|start| start.eq_ignore_ascii_case(SCHEME))
    }

    /// The address for a key as sites show it beside their QR codes: base32, in any case, with spaces and hyphens. An
    /// address is returned as it is.
    ///
    /// # Errors
    /// If the text is neither.
    pub fn address(text: &str) -> Result<String, OneTimeCodeError> {
        let text = text.trim();
        if Self::is_address(text) {
            Self::parse(text)?;
            return Ok(text.to_owned());
        }
        let key = normalized(text);
        decode(&key)?;
        Ok(format!("{SCHEME}totp/Legwork?secret={}", key.as_str()))
    }

    /// Parses an address: `otpauth://totp/NAME?secret=KEY`, with `algorithm` (SHA1, SHA256, SHA512), `digits` (6 to 8)
    /// and `period` (seconds).
    ///
    /// # Errors
    /// If it is not such an address.
    pub fn parse(address: &str) -> Result<OneTimeCodeKey, OneTimeCodeError> {
        let url = Url::parse(address.trim()).map_err(|_| OneTimeCodeError::Address)?;
        if !url.scheme().eq_ignore_ascii_case("otpauth")
            || !url.host_str().is_some_and(|host| host.eq_ignore_ascii_case("totp"))
        {
            return Err(OneTimeCodeError::Address);
        }
        let parameter = |name: &str| {
            url.query_pairs().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.into_owned())
        };
        let secret = Zeroizing::new(parameter("secret").ok_or(OneTimeCodeError::Address)?);
        let algorithm = match parameter("algorithm").map(|name| name.to_ascii_uppercase().replace('-', "")).as_deref() {
            None | Some("SHA1" | "HMACSHA1") => hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY,
            Some("SHA256" | "HMACSHA256") => hmac::HMAC_SHA256,
            Some("SHA512" | "HMACSHA512") => hmac::HMAC_SHA512,
            Some(_) => return Err(OneTimeCodeError::Parameter("algorithm")),
        };
        let number = |name, default, allowed: std::ops::RangeInclusive<u64>| match parameter(name) {
            None => Ok(default),
            Some(text) => {
                text.parse().ok().filter(|value| allowed.contains(value)).ok_or(OneTimeCodeError::Parameter(name))
            }
        };
        let digits = u32::try_from(number("digits", 6, 6..=8)?).expect("at most 8");
        let period = number("period", 30, 1..=3600)?;
        let key = decode(&normalized(&secret))?;
        Ok(OneTimeCodeKey { key: hmac::Key::new(algorithm, &key), digits, period })
    }

    /// The code at a time in seconds since 1970.
    pub fn code(&self, seconds: u64) -> String {
        let mac = hmac::sign(&self.key, &(seconds / self.period).to_be_bytes());
        let mac = mac.as_ref();
        // The last four bits select four bytes, of which the first bit is dropped (RFC 4226, section 5.3).
        let at = usize::from(mac[mac.len() - 1] & 0x0f);
        let number = u32::from_be_bytes([mac[at] & 0x7f, mac[at + 1], mac[at + 2], mac[at + 3]]);
        let mut code = String::new();
        // Writing to a string does not fail.
        let _ = write!(code, "{:0width$}", number % 10_u32.pow(self.digits), width = self.digits as usize);
        code
    }
}

fn normalized(key: &str) -> Zeroizing<String> {
    let is_kept = |c: &char| !c.is_whitespace() && !matches!(c, '-' | '=');
    Zeroizing::new(key.chars().filter(is_kept).map(|c| c.to_ascii_uppercase()).collect())
}

fn decode(key: &str) -> Result<Zeroizing<Vec<u8>>, OneTimeCodeError> {
    let bytes = Zeroizing::new(BASE32_NOPAD.decode(key.as_bytes()).map_err(|_| OneTimeCodeError::Base32)?);
    if bytes.len() < SHORTEST_KEY { Err(OneTimeCodeError::Short) } else { Ok(bytes) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(parameters: &str, seconds: u64) -> String {
        OneTimeCodeKey::parse(&format!("otpauth://totp/Shop:ada?{parameters}")).expect("an address").code(seconds)
    }

    /// The test values of RFC 6238, appendix B.
    #[test]
    fn codes_are_those_of_the_standard() {
        let keys = [
            ("SHA1", "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"),
            ("SHA256", "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZA===="),
            (
                "SHA512",
                "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNA=",
            ),
        ];
        let expected = [
            (59, ["94287082", "46119246", "90693936"]),
            (1_111_111_109, ["07081804", "68084774", "25091201"]),
            (20_000_000_000, ["65353130", "77737706", "47863826"]),
        ];
        for (seconds, codes) in expected {
            for ((algorithm, key), expected) in keys.iter().zip(codes) {
                let parameters = format!("secret={key}&algorithm={algorithm}&digits=8");
                assert_eq!(code(&parameters, seconds), expected, "{algorithm} at {seconds}");
            }
        }
        assert_eq!(code("secret=gezd gnbv-gy3tqojqgezdgnbvgy3tqojq&issuer=Shop", 59), "287082");
    }

    #[test]
    fn a_key_becomes_an_address_and_mistakes_are_named() {
        let address = OneTimeCodeKey::address(" gezd gnbv gy3t qojq ").expect("a key");
        assert_eq!(address, "otpauth://totp/Legwork?secret=GEZDGNBVGY3TQOJQ");
        assert_eq!(OneTimeCodeKey::address(&address), Ok(address));
        let refused = |text: &str| OneTimeCodeKey::address(text).expect_err(text);
        assert_eq!(refused("283 019"), OneTimeCodeError::Base32);
        assert_eq!(refused("ABCDEFGH"), OneTimeCodeError::Short);
        assert_eq!(refused("otpauth://hotp/x?secret=GEZDGNBVGY3TQOJQ"), OneTimeCodeError::Address);
        assert_eq!(refused("otpauth://totp/x"), OneTimeCodeError::Address);
        assert_eq!(refused("otpauth://totp/x?secret=GEZDGNBVGY3TQOJQ&digits=4"), OneTimeCodeError::Parameter("digits"));
        assert_eq!(refused("otpauth://totp/x?secret=GEZDGNBVGY3TQOJQ&period=0"), OneTimeCodeError::Parameter("period"));
        assert_eq!(
            refused("otpauth://totp/x?secret=GEZDGNBVGY3TQOJQ&algorithm=MD5"),
            OneTimeCodeError::Parameter("algorithm")
        );
    }
}
