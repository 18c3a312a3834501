//! The ceilings of the profile's decoder: what each one counts, its maximum, and how a caller tightens it.
//!
//! Depends on `error`.

use super::error::Code;

/// A ceiling, named after what it counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ceiling {
    /// Bytes of the document.
    Bytes,
    /// Arrays and objects open at once.
    Depth,
    /// Members of one object.
    Members,
    /// Elements of one array.
    Items,
    /// Values in the document: the root, every element, every member's value.
    Nodes,
    /// Bytes of one string, unescaped.
    String,
    /// Bytes of one member name, unescaped.
    Key,
    /// Bytes of one number as spelled.
    NumberLexeme,
}

impl Ceiling {
    /// All of them.
    pub const ALL: [Ceiling; 8] = [
        Ceiling::Bytes,
        Ceiling::Depth,
        Ceiling::Members,
        Ceiling::Items,
        Ceiling::Nodes,
        Ceiling::String,
        Ceiling::Key,
        Ceiling::NumberLexeme,
    ];

    /// The ceiling's key.
    pub fn key(self) -> &'static str {
        // The code is `ceiling:` and the key.
        &self.code()["ceiling:".len()..]
    }

    /// The profile's maximum, which is also the default.
    pub fn maximum(self) -> usize {
        match self {
            Ceiling::Bytes => 5_000_000,
            Ceiling::Depth => 64,
            Ceiling::Members => 1_000,
            Ceiling::Items => 10_000,
            Ceiling::Nodes => 200_000,
            Ceiling::String => 100_000,
            Ceiling::Key => 1_000,
            Ceiling::NumberLexeme => 64,
        }
    }

    /// The error code of the ceiling.
    pub(super) fn code(self) -> &'static str {
        match self {
            Ceiling::Bytes => "ceiling:bytes",
            Ceiling::Depth => "ceiling:depth",
            Ceiling::Members => "ceiling:members",
            Ceiling::Items => "ceiling:items",
            Ceiling::Nodes => "ceiling:nodes",
            Ceiling::String => "ceiling:string",
            Ceiling::Key => "ceiling:key",
            Ceiling::NumberLexeme => "ceiling:number_lexeme",
        }
    }
}

/// A value for every ceiling. A document exactly at a ceiling passes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds([usize; Ceiling::ALL.len()]);

impl Bounds {
    /// The profile's maxima.
    pub fn maximum() -> Self {
        Bounds(Ceiling::ALL.map(Ceiling::maximum))
    }

    /// What holds for the JSON around an envelope's body on a carrier: only how deep it nests, which costs memory
    /// while it is read. The envelope's own ceilings are imposed when it is rebuilt.
    pub(super) fn of_carriers() -> Self {
        Bounds(Ceiling::ALL.map(|ceiling| match ceiling {
            Ceiling::Depth => CARRIER_DEPTH,
            _ => usize::MAX,
        }))
    }

    /// The ceiling's value.
    pub fn get(&self, ceiling: Ceiling) -> usize {
        self.0[ceiling as usize]
    }

    /// Lowers the ceiling of the name `key` to `value`; `None` stands for a value that is no integer, or none that
    /// could be a ceiling.
    ///
    /// # Errors
    ///
    /// [`Code::UnknownBound`] where there is no such ceiling, and the ceiling's code where the value is below 1 or
    /// above the maximum.
    pub fn tighten(&mut self, key: &str, value: Option<u64>) -> Result<(), Code> {
        let ceiling = Ceiling::ALL
            .into_iter()
            .find(|ceiling| ceiling.key() == key)
            .ok_or(Code::UnknownBound)?;
        let value = value.and_then(|value| usize::try_from(value).ok());
        match value {
            Some(value) if (1..=ceiling.maximum()).contains(&value) => {
                self.0[ceiling as usize] = value;
                Ok(())
            }
            _ => Err(Code::Ceiling(ceiling)),
        }
    }

    /// Whether `observed` keeps within a ceiling.
    pub(super) fn hold(&self, ceiling: Ceiling, observed: usize) -> Result<(), Code> {
        match observed <= self.get(ceiling) {
            true => Ok(()),
            false => Err(Code::Ceiling(ceiling)),
        }
    }
}

impl Default for Bounds {
    fn default() -> Self {
        Bounds::maximum()
    }
}

/// How deep a whole carrier may nest. An envelope takes part to a depth of 66 at most.
const CARRIER_DEPTH: usize = 1_000;
