// Proofmark's adapter protocol, version 1, for implementations in JavaScript.
//
// Copy this file beside your adapter, or import it from here. It needs Node 20 and nothing else. An adapter says who
// it is, which roles it claims and which operations it offers:
//
//     import { canonicalizer, serve } from "./proofmark-adapter.mjs";
//
//     serve({
//       name: "my-library", version: "1.2.3",
//       roles: ["jcs/canonicalizer"],
//       operations: { "jcs.canonicalize": canonicalizer(myLibrary.canonicalize) },
//     });
//
// An operation is a function (which may be async) from the request's params to the value of `ok`. It throws `Refused`
// where the implementation read the input and turned it down; anything else thrown is a fault of the adapter. Never
// judge or correct in an adapter: what the implementation does is the answer.
//
// Standard input and output by default. With `--http`, an endpoint on 127.0.0.1 instead: its URL is printed on standard
// output, and `--port N` picks the port.

import { Buffer } from "node:buffer";
import { createServer } from "node:http";

const PROTOCOL = 1;

/** The implementation read the input and turned it down. */
export class Refused extends Error {
  constructor(message, { code, at } = {}) {
    super(message);
    this.members = { code, at, message: message === undefined ? undefined : plain(message) };
  }
}

/**
 * Calls the implementation and answers what it throws as a refusal. Wrap the call of the implementation alone, so that a
 * mistake in the adapter stays a fault. "Maximum call stack size exceeded" is an exception like any other: a process that
 * dies is not.
 */
export function refusing(call) {
  try {
    return call();
  } catch (error) {
    throw new Refused(describe(error));
  }
}

/** The bytes of a document as it travels in params: `{"text": …}` or `{"base64": …}`. */
export function readDocument(document) {
  if (typeof document?.text === "string") return Buffer.from(document.text, "utf8");
  if (typeof document?.base64 === "string") return Buffer.from(document.base64, "base64");
  throw new TypeError("a document has the member text or base64");
}

/** A document for a reply, from bytes: as text where they are UTF-8, else as base64. */
export function writeDocument(content) {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  try {
    return { text: decodeExactly(bytes) };
  } catch {
    return { base64: bytes.toString("base64") };
  }
}

/** The operation `jcs.canonicalize`, from a function that takes bytes and gives bytes. */
export function canonicalizer(canonicalize) {
  return (params) => {
    const document = readDocument(params.document);
    let canonical;
    // `repeat` is asked for by benchmarks alone: do the whole work that often, answer once.
    for (let i = params.repeat ?? 1; i > 0; i--) canonical = refusing(() => canonicalize(document));
    return { document: writeDocument(canonical) };
  };
}

/** Answers requests until the input closes (or, over HTTP, until the process is ended). */
export function serve({ name, version, roles, operations, language, url, inFlight = 32 }) {
  const implementation = { name, version, language: language ?? `JavaScript (Node ${process.versions.node})`, url };
  const offered = new Map([
    ["hello", () => ({ protocol: PROTOCOL, implementation, roles, in_flight: inFlight })],
    // Proves that any bytes get through the adapter unharmed.
    ["echo", (params) => ({ document: writeDocument(readDocument(params.document)) })],
    ...Object.entries(operations),
  ]);
  // Whatever the implementation prints must not get between the replies.
  console.log = console.info = console.debug = console.error;
  if (process.argv.includes("--http")) overHttp(offered);
  else overStandardInput(offered);
}

async function overStandardInput(offered) {
  let pending = []; // the pieces of a line whose end has not come yet
  for await (const chunk of process.stdin) {
    let start = 0;
    for (let end; (end = chunk.indexOf(10, start)) !== -1; start = end + 1) {
      pending.push(chunk.subarray(start, end));
      const line = Buffer.concat(pending);
      pending = [];
      // At once: an answer held back behind a slow request would look slow itself.
      process.stdout.write(`${await answer(line, offered)}\n`);
    }
    if (start < chunk.length) pending.push(chunk.subarray(start));
  }
}

function overHttp(offered) {
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const reply = Buffer.from(await answer(Buffer.concat(chunks), offered), "utf8");
    response.writeHead(200, { "content-type": "application/json", "content-length": reply.length });
    response.end(reply);
  });
  server.keepAliveTimeout = 0; // a connection may rest between two requests for as long as its client likes
  const option = process.argv.indexOf("--port");
  const port = option === -1 ? 0 : Number(process.argv[option + 1]);
  server.listen(port, "127.0.0.1", () => process.stdout.write(`http://127.0.0.1:${server.address().port}/\n`));
}

/** The reply to one request, both as JSON text. */
async function answer(bytes, offered) {
  let request;
  try {
    request = JSON.parse(decodeExactly(bytes));
    if (!Number.isInteger(request?.id) || typeof request.op !== "string") {
      throw new TypeError("a request is an object with a number as id and a string as op");
    }
  } catch (error) {
    return JSON.stringify({ id: null, fault: { message: `no request: ${describe(error)}` } });
  }
  const { id, op, params = {} } = request;
  const operation = offered.get(op);
  if (operation === undefined) return JSON.stringify({ id, unsupported: { what: plain(op) } });
  try {
    return JSON.stringify({ id, ok: (await operation(params)) ?? null });
  } catch (error) {
    if (error instanceof Refused) return JSON.stringify({ id, refused: error.members });
    return JSON.stringify({ id, fault: { message: describe(error) } });
  }
}

/** Strict UTF-8, with a byte order mark kept as the character that it is. */
function decodeExactly(bytes) {
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
}

function describe(error) {
  return plain(error instanceof Error ? `${error.name}: ${error.message}` : error);
}

/** A message as a reply may carry it: not endless, and without lone surrogates. */
function plain(text) {
  return String(text).slice(0, 1000).toWellFormed();
}
