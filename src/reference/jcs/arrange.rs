//! Puts the members of unsorted objects in order, once, after the text has been read.
//!
//! The pass writes the members of an object in the order in which it meets them. Where that is not the canonical one
//! it records here, at the object's end, which range of the text each member takes and in what order they belong.
//! Sorting the text object by object would move a byte once for every unsorted object around it, which is quadratic
//! on hostile nesting. Instead [`Arrangement::apply`] walks all objects recorded and copies every byte exactly once.
//!
//! Objects are recorded as they end, inner ones first, so those inside a range are neighbours in the list and, read
//! from the back, each comes before what it holds. The text is therefore written from its end to its beginning; its
//! length is known, since reordering members does not change it.
//!
//! Depends on nothing.

/// A member of an unsorted object: `text[start..end]` without the commas around it, and the unsorted objects in it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Span {
    pub start: usize,
    pub end: usize,
    /// The unsorted objects inside this member are those from `inner` to `inner_end`.
    pub inner: usize,
    pub inner_end: usize,
}

/// An unsorted object: `text[start..end]` with its braces.
#[derive(Debug, Clone, Copy)]
struct Object {
    start: usize,
    end: usize,
    /// Its members, in canonical order, are `spans..spans_end`.
    spans: usize,
    spans_end: usize,
    /// The first of the unsorted objects inside it; they end where it stands itself.
    inner: usize,
}

/// All unsorted objects of a text, in the order of their ends.
#[derive(Debug, Default)]
pub(super) struct Arrangement {
    objects: Vec<Object>,
    spans: Vec<Span>,
}

/// What remains to be written of one level, from the back.
enum Todo {
    /// A range of the text and the unsorted objects in it.
    Range(Span),
    /// The members of an object up to (not including) `next`.
    Members { object: Object, next: usize },
}

impl Arrangement {
    /// How many unsorted objects have been recorded.
    #[inline]
    pub fn len(&self) -> usize {
        self.objects.len()
    }

    /// Records the object `text[start..end]`; `members` in canonical order, `inner` the [`len`](Self::len) at the
    /// time when the object began.
    pub fn record(
        &mut self,
        start: usize,
        end: usize,
        inner: usize,
        members: impl Iterator<Item = Span>,
    ) {
        let spans = self.spans.len();
        self.spans.extend(members);
        self.objects.push(Object { start, end, spans, spans_end: self.spans.len(), inner });
    }

    /// The text from `base` on with every recorded object's members in order.
    pub fn apply(&self, text: &[u8], base: usize) -> Vec<u8> {
        let mut back = Backwards::new(text.len() - base);
        let mut stack = vec![Todo::Range(Span {
            start: base,
            end: text.len(),
            inner: 0,
            inner_end: self.objects.len(),
        })];
        while let Some(todo) = stack.pop() {
            match todo {
                Todo::Range(range) if range.inner == range.inner_end => {
                    back.put(&text[range.start..range.end]);
                }
                Todo::Range(mut range) => {
                    let object = self.objects[range.inner_end - 1];
                    back.put(&text[object.end..range.end]);
                    range.end = object.start;
                    range.inner_end = object.inner;
                    stack.push(Todo::Range(range));
                    back.put(b"}");
                    let next = object.spans_end;
                    stack.push(Todo::Members { object, next });
                }
                Todo::Members { object, next } => {
                    self.members(object, next, text, &mut back, &mut stack);
                }
            }
        }
        back.text
    }

    /// Writes members from `next` down to the first of the object or to one that holds unsorted objects itself.
    fn members(
        &self,
        object: Object,
        mut next: usize,
        text: &[u8],
        back: &mut Backwards,
        stack: &mut Vec<Todo>,
    ) {
        while next > object.spans {
            if next < object.spans_end {
                back.put(b",");
            }
            next -= 1;
            let span = self.spans[next];
            if span.inner != span.inner_end {
                stack.push(Todo::Members { object, next });
                stack.push(Todo::Range(span));
                return;
            }
            back.put(&text[span.start..span.end]);
        }
        back.put(b"{");
    }
}

/// A text of known length that is filled from its end.
struct Backwards {
    text: Vec<u8>,
    at: usize,
}

impl Backwards {
    fn new(len: usize) -> Self {
        Backwards { text: vec![0; len], at: len }
    }

    #[inline]
    fn put(&mut self, piece: &[u8]) {
        let start = self.at - piece.len();
        self.text[start..self.at].copy_from_slice(piece);
        self.at = start;
    }
}
