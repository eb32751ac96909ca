//! Tokens that name a trial to who may work on it.

use rand::TryRng as _;
use rand::rngs::SysRng;
use sha2::{Digest as _, Sha256};

/// 256 bits from the system, in hex. Never recorded.
#[derive(Clone)]
pub(super) struct Token(String);

/// What is kept of a token to know it again: to look one up takes the same time for all.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Fingerprint([u8; 32]);

impl Token {
    /// A new one.
    pub(super) fn random() -> std::io::Result<Self> {
        let mut bytes = [0_u8; 32];
        SysRng.try_fill_bytes(&mut bytes).map_err(std::io::Error::other)?;
        Ok(Self(hex::encode(bytes)))
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }

    pub(super) fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of(&self.0)
    }
}

impl Fingerprint {
    /// Of whatever somebody says is a token.
    pub(super) fn of(text: &str) -> Self {
        Self(Sha256::digest(text).into())
    }
}

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token")
    }
}
