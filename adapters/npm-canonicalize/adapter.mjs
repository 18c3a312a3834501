// Adapter for `canonicalize` from npm.
//
// Text gets in as its users do it: the bytes are decoded by a strict `TextDecoder` (which skips a byte order mark, as `fetch`
// and the like do) and read by `JSON.parse`. The string that comes out is encoded as UTF-8.

import { readFileSync } from "node:fs";

import canonicalize from "canonicalize";

import { canonicalizer, serve } from "../node/proofmark-adapter.mjs";

const utf8 = new TextDecoder("utf-8", { fatal: true });
const installed = new URL("../package.json", import.meta.resolve("canonicalize"));

serve({
  name: "canonicalize",
  version: JSON.parse(readFileSync(installed, "utf8")).version,
  url: "https://github.com/erdtman/canonicalize",
  roles: ["jcs/canonicalizer"],
  operations: {
    "jcs.canonicalize": canonicalizer((document) =>
      Buffer.from(canonicalize(JSON.parse(utf8.decode(document))), "utf8"),
    ),
  },
});
