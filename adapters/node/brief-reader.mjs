// What a library's front matter says as the answer to `brief.parse`, for adapters of libraries that know nothing of Brief.
//
// - `fields` are those members that Brief names and the library found, with the values that it made of them; `extra` is all
//   others; `body` is the content. A member that is missing is missing: nothing is filled in. One that is null is left out of
//   `fields`, since that is how replies say that there is none.
// - `root` is what a program would ask of the data: whether `parentId` is there. `sections` and `warnings` are empty and
//   `title` is absent, because such libraries have nothing of the kind.
//
// Values are given as `JSON.stringify` spells them: a date that YAML made, for one, as its ISO form. A value that it cannot
// spell out (it holds itself, is nested deeper than a reply can be, or grows beyond all bounds when its aliases are written
// out) is left out of the answer. Half a surrogate pair, which no reply can hold, becomes the replacement character, as it does
// wherever such a text is written as UTF-8.

import { writeDocument } from "./proofmark-adapter.mjs";

const FIELDS = ["id", "protocolVersion", "delegator", "delegatee", "timestamp", "parentId", "maxDepth", "currentDepth"];
/** The most nodes, and levels, of a value that is spelt out. */
const NODES = 100_000;
const LEVELS = 200;

/** The answer, from the data of the front matter and the text after it. */
export function briefAnswer(data, content) {
  const known = Object.entries(data ?? {}).filter(([, value]) => extent(value) !== null);
  const values = new Map(known.map(([name, value]) => [name.toWellFormed(), spelt(value)]));
  return {
    fields: Object.fromEntries(FIELDS.filter((name) => values.get(name) != null).map((name) => [name, values.get(name)])),
    extra: Object.fromEntries([...values].filter(([name]) => !FIELDS.includes(name))),
    root: data?.parentId == null,
    body: writeDocument(new TextEncoder().encode(content)),
    sections: [],
    warnings: [],
  };
}

/** The value as a reply can hold it. */
function spelt(value) {
  const written = JSON.stringify(value);
  return written === undefined ? undefined : JSON.parse(written, (_, part) => wellFormed(part));
}

function wellFormed(part) {
  if (typeof part === "string") return part.toWellFormed();
  if (part === null || typeof part !== "object" || Array.isArray(part)) return part;
  return Object.fromEntries(Object.entries(part).map(([name, inner]) => [name.toWellFormed(), inner]));
}

/** How many nodes a value has when it is spelt out; null where it cannot be. */
function extent(value, known = new Map(), level = 0) {
  if (value === null || typeof value !== "object") return typeof value === "bigint" ? null : 1;
  if (!known.has(value)) {
    // What is met again before it is done holds itself.
    known.set(value, null);
    if (level === LEVELS) return null;
    const parts = Object.values(value);
    let sum = 1;
    for (const part of parts) {
      const size = extent(part, known, level + 1);
      if (size === null || (sum += size) > NODES) return null;
    }
    known.set(value, sum);
  }
  return known.get(value);
}
