//! Documents as they are written: front matter with every text quoted, then the body as it is given.
//!
//! Depends on `quoted` and `front_matter`.

use super::error::{BriefError, Fault};
use super::front_matter::LONGEST;
use super::quoted::push_quoted;

/// A key longer than this is written with `?`: YAML bounds the others at 1,024 characters (1.2.2 section 8.2.2).
const LONGEST_IMPLICIT_KEY: usize = 1_000;

/// A document that is being written. Members appear in the order in which they are added.
pub(super) struct Writing(String);

impl Writing {
    pub fn begin() -> Self {
        Writing("---\n".to_owned())
    }

    /// A member of Brief's own, whose name needs no quotes.
    pub fn text(mut self, name: &str, value: &str) -> Self {
        self.0.push_str(name);
        self.value(value)
    }

    /// A member of Brief's own that may be missing.
    pub fn maybe_text(self, name: &str, value: Option<&str>) -> Self {
        match value {
            Some(value) => self.text(name, value),
            None => self,
        }
    }

    /// A count of Brief's own that may be missing: the one thing that is written plain.
    pub fn maybe_count(mut self, name: &str, value: Option<u64>) -> Self {
        if let Some(value) = value {
            self.0.push_str(&format!("{name}: {value}\n"));
        }
        self
    }

    /// A member of any name.
    pub fn extra(mut self, name: &str, value: &str) -> Self {
        let mut key = String::new();
        push_quoted(&mut key, name);
        if key.len() > LONGEST_IMPLICIT_KEY {
            self.0.push_str("? ");
            self.0.push_str(&key);
            self.0.push('\n');
        } else {
            self.0.push_str(&key);
        }
        self.value(value)
    }

    fn value(mut self, value: &str) -> Self {
        self.0.push_str(": ");
        push_quoted(&mut self.0, value);
        self.0.push('\n');
        self
    }

    /// The document with its body.
    ///
    /// # Errors
    ///
    /// [`Fault::FrontMatterTooLong`]: it could not be read back.
    pub fn end(mut self, body: &str) -> Result<String, BriefError> {
        if self.0.len() > LONGEST {
            return Err(Fault::FrontMatterTooLong(LONGEST).into());
        }
        self.0.push_str("---\n");
        self.0.push_str(body);
        Ok(self.0)
    }
}
