// Reads cards and requests with `@a2a-js/sdk` from npm, for judging what others wrote: no adapter for a suite.
//
// Over the adapter protocol it offers `a2a.read`, params `type` (`AgentCard` or `SendMessageRequest`) and `document`. The SDK
// has no validation of either: `fromJSON` takes over what it knows, makes what it needs of values of other types, and ignores
// the rest. What it writes out again is the answer, and whoever asked finds in it what was lost or changed.

import { readFileSync } from "node:fs";

import { AgentCard, SendMessageRequest } from "@a2a-js/sdk";

import { readDocument, refusing, serve, writeDocument } from "../node/proofmark-adapter.mjs";

const TYPES = { AgentCard, SendMessageRequest };
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const installed = new URL("../package.json", import.meta.resolve("@a2a-js/sdk"));

serve({
  name: "npm @a2a-js/sdk",
  version: JSON.parse(readFileSync(installed, "utf8")).version,
  roles: [],
  operations: {
    "a2a.read": ({ type, document }) => {
      const bytes = readDocument(document);
      const written = refusing(() => TYPES[type].toJSON(TYPES[type].fromJSON(JSON.parse(utf8.decode(bytes)))));
      return { document: writeDocument(new TextEncoder().encode(JSON.stringify(written))) };
    },
  },
});
