// Adapter for `gray-matter` from npm, as somebody would use it to read briefs: of Brief's operations, `brief.parse` alone.
// `../node/brief-reader.mjs` says how its answers are told.
//
// A document gets in as `matter.read` of the library lets a file in: decoded as UTF-8, with replacement characters for bytes
// that are none, and handed to `matter` without options. So the library's cache is on too: a text that was met before gets
// the answer that is remembered, and of one that was refused that is an answer without front matter.
//
// Front matter may name its language behind the first fence, and `gray-matter` evaluates JavaScript there, whoever wrote it.
// It does that here as well, since that is what it does; but the adapter starts in a process alone that may not write
// files, start other programs or open modules of its choice, and from which the network is taken before any document is read.

import dgram from "node:dgram";
import dns from "node:dns";
import { readFileSync } from "node:fs";
import Module, { syncBuiltinESMExports } from "node:module";
import net from "node:net";

import matter from "gray-matter";

import { briefAnswer } from "../node/brief-reader.mjs";
import { readDocument, refusing, serve } from "../node/proofmark-adapter.mjs";

if (!process.permission || process.permission.has("fs.write") || process.permission.has("child")) {
  console.error("front matter may hold code that gray-matter runs: start node with --experimental-permission");
  process.exit(2);
}

const installed = new URL("./package.json", import.meta.resolve("gray-matter"));
const { version } = JSON.parse(readFileSync(installed, "utf8"));

// One document of each language that is built in, so that everything is loaded which the library loads when it needs it.
for (const warm of ["---\na: 1\n---\n", '---json\n{"a": 1}\n---\n', "---js\n{ a: 1 }\n---\n"]) matter(warm);
matter.clearCache();
takeAway();

serve({
  name: "gray-matter",
  version,
  url: "https://github.com/jonschlinkert/gray-matter",
  roles: ["brief/delegatee"],
  operations: {
    "brief.parse": ({ document }) => {
      const text = readDocument(document).toString("utf8");
      const { data, content } = refusing(() => matter(text));
      return briefAnswer(data, content);
    },
  },
});

/** Leaves code in front matter nothing to reach out with. */
function takeAway() {
  const refuse = () => {
    throw new Error("not in an adapter");
  };
  // `require` of every module comes to the first of these, that of the library's too; `import()` comes to no function that
  // can be replaced, so what it could get hold of is made harmless as well.
  Module._load = refuse;
  for (const name of ["binding", "_linkedBinding", "dlopen", "getBuiltinModule", "kill"]) process[name] = refuse;
  for (const name of ["fetch", "WebSocket", "EventSource"]) delete globalThis[name];
  net.Socket.prototype.connect = net.Server.prototype.listen = refuse;
  for (const name of ["bind", "connect", "send"]) dgram.Socket.prototype[name] = refuse;
  for (const home of [dns, dns.promises, dns.Resolver.prototype, dns.promises.Resolver.prototype]) {
    for (const name of Object.getOwnPropertyNames(home)) {
      if (/^(resolve|lookup|reverse)/.test(name)) home[name] = refuse;
    }
  }
  syncBuiltinESMExports();
}
