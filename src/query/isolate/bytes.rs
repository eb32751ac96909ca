//! Numbers and texts as bytes: little-endian, texts with their length before them; a message has its length before it.

/// Bytes of the length before a message.
pub(super) const HEAD: usize = 4;

/// What was received is no message of ours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("it sent what is no answer: {0}")]
pub(super) struct Nonsense(pub(super) &'static str);

/// A message being written.
#[derive(Debug)]
pub(super) struct Out(Vec<u8>);

impl Out {
    /// An empty message with room for so many bytes.
    pub(super) fn with_room(bytes: usize) -> Self {
        let mut all = Vec::with_capacity(HEAD + bytes);
        all.extend([0; HEAD]);
        Self(all)
    }

    pub(super) fn byte(&mut self, value: u8) -> &mut Self {
        self.0.push(value);
        self
    }

    pub(super) fn flag(&mut self, value: bool) -> &mut Self {
        self.byte(u8::from(value))
    }

    pub(super) fn number(&mut self, value: u64) -> &mut Self {
        self.0.extend(value.to_le_bytes());
        self
    }

    /// A length or a count. None of ours comes near 2^32.
    pub(super) fn count(&mut self, value: usize) -> &mut Self {
        self.0.extend(u32::try_from(value).unwrap_or(u32::MAX).to_le_bytes());
        self
    }

    pub(super) fn bytes(&mut self, value: &[u8]) -> &mut Self {
        self.count(value.len());
        self.0.extend(value);
        self
    }

    pub(super) fn text(&mut self, value: &str) -> &mut Self {
        self.bytes(value.as_bytes())
    }

    /// The message, its length before it.
    pub(super) fn done(mut self) -> Vec<u8> {
        let length = u32::try_from(self.0.len() - HEAD).unwrap_or(u32::MAX);
        self.0[..HEAD].copy_from_slice(&length.to_le_bytes());
        self.0
    }
}

/// A message being read.
#[derive(Debug)]
pub(super) struct In<'b>(&'b [u8]);

impl<'b> In<'b> {
    /// The body of a message.
    pub(super) const fn new(body: &'b [u8]) -> Self {
        Self(body)
    }

    fn take(&mut self, count: usize) -> Result<&'b [u8], Nonsense> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or(Nonsense("it is cut short"))?;
        self.0 = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Nonsense> {
        self.take(N)?.try_into().map_err(|_| Nonsense("it is cut short"))
    }

    pub(super) fn byte(&mut self) -> Result<u8, Nonsense> {
        Ok(u8::from_le_bytes(self.array()?))
    }

    pub(super) fn flag(&mut self) -> Result<bool, Nonsense> {
        match self.byte()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(Nonsense("a flag is neither 0 nor 1")),
        }
    }

    pub(super) fn number(&mut self) -> Result<u64, Nonsense> {
        Ok(u64::from_le_bytes(self.array()?))
    }

    /// A count of things that take at least `least` bytes each: no more than can be there.
    pub(super) fn count(&mut self, least: usize) -> Result<usize, Nonsense> {
        let count = usize::try_from(u32::from_le_bytes(self.array()?)).unwrap_or(usize::MAX);
        if count.saturating_mul(least) > self.0.len() {
            return Err(Nonsense("it counts more than it holds"));
        }
        Ok(count)
    }

    pub(super) fn bytes(&mut self) -> Result<&'b [u8], Nonsense> {
        let count = self.count(1)?;
        self.take(count)
    }

    pub(super) fn text(&mut self) -> Result<&'b str, Nonsense> {
        std::str::from_utf8(self.bytes()?).map_err(|_| Nonsense("a text is not UTF-8"))
    }

    /// That nothing is left.
    pub(super) const fn end(&self) -> Result<(), Nonsense> {
        if self.0.is_empty() { Ok(()) } else { Err(Nonsense("it is longer than what it says")) }
    }
}

/// The length of the body that a head announces, if it is at most `most`.
pub(super) fn body_length(head: [u8; HEAD], most: usize) -> Result<usize, Nonsense> {
    let length = usize::try_from(u32::from_le_bytes(head)).unwrap_or(usize::MAX);
    if length > most { Err(Nonsense("it is longer than any answer can be")) } else { Ok(length) }
}
