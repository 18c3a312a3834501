// Adapter for no library at all: what people write when they need "the same bytes" from JavaScript's own JSON.
//
// Every object is copied with its keys sorted, then `JSON.stringify` writes the copy. The usual traps come with it:
// an object keeps integer-like keys in front whatever order they were added in, and `__proto__` is no plain key to an
// assignment. Text gets in through a strict `TextDecoder` (which skips a byte order mark) and `JSON.parse`.

import { canonicalizer, serve } from "../node/proofmark-adapter.mjs";

const utf8 = new TextDecoder("utf-8", { fatal: true });

function sortKeys(value) {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (value === null || typeof value !== "object") return value;
  const sorted = {};
  for (const key of Object.keys(value).sort()) sorted[key] = sortKeys(value[key]);
  return sorted;
}

serve({
  name: "JSON.stringify with sorted keys",
  version: process.versions.node,
  roles: ["jcs/canonicalizer"],
  operations: {
    "jcs.canonicalize": canonicalizer((document) =>
      Buffer.from(JSON.stringify(sortKeys(JSON.parse(utf8.decode(document)))), "utf8"),
    ),
  },
});
