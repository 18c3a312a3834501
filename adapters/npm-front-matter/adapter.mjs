// Adapter for `front-matter` from npm, as somebody would use it to read briefs: of Brief's operations, `brief.parse` alone.
// `../node/brief-reader.mjs` says how its answers are told.
//
// A document gets in as the library's own documentation has a file read: decoded as UTF-8, with replacement characters for
// bytes that are none, and handed over without options, which leaves YAML to the safe loader of `js-yaml`. Where the library
// finds no front matter, it says that there is none and that everything is body.

import { readFileSync } from "node:fs";

import frontMatter from "front-matter";

import { briefAnswer } from "../node/brief-reader.mjs";
import { readDocument, refusing, serve } from "../node/proofmark-adapter.mjs";

const installed = new URL("./package.json", import.meta.resolve("front-matter"));

serve({
  name: "front-matter",
  version: JSON.parse(readFileSync(installed, "utf8")).version,
  url: "https://github.com/jxson/front-matter",
  roles: ["brief/delegatee"],
  operations: {
    "brief.parse": ({ document }) => {
      const text = readDocument(document).toString("utf8");
      const { attributes, body } = refusing(() => frontMatter(text));
      return briefAnswer(attributes, body);
    },
  },
});
