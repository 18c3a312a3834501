// A Proofmark adapter: puts your implementation in front of `proofmark`, one line in, one line out.
//
//     proofmark check -- node adapter.mjs     is this adapter sound?
//     proofmark run -- node adapter.mjs       does the implementation conform?
//
// It needs nothing but Node (20 or later). Change the parts marked YOURS.

// YOURS: who you are, and the roles you claim (`proofmark list` names them all).
const HELLO = {
  protocol: 1,
  implementation: { name: "my-implementation", version: "0.0.0", language: "JavaScript" },
  roles: ["jcs/canonicalizer"],
};

/** The implementation read the input and turned it down. That is an answer; anything else thrown is a fault. */
class Refused extends Error {}

/** Bytes in, bytes out, or `Refused`. */
function canonicalize(document) {
  // YOURS: call your implementation here. This stand-in is what people write first, and it fails many cases.
  try {
    return Buffer.from(JSON.stringify(sortKeys(JSON.parse(decode(document)))), "utf8");
  } catch (error) {
    throw new Refused(error.message);
  }
}

function sortKeys(value) {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (value === null || typeof value !== "object") return value;
  const sorted = {};
  for (const key of Object.keys(value).sort()) sorted[key] = sortKeys(value[key]);
  return sorted;
}

// A document travels as {"text": …}, or as {"base64": …} where its bytes are not UTF-8. Always work on the bytes.

function decode(bytes) {
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
}

function readDocument(document) {
  return "text" in document ? Buffer.from(document.text, "utf8") : Buffer.from(document.base64, "base64");
}

function writeDocument(bytes) {
  try {
    return { text: decode(bytes) };
  } catch {
    return { base64: bytes.toString("base64") };
  }
}

// YOURS: one entry for every operation of the roles you claim. Each takes params and returns the value of "ok".
const OPERATIONS = new Map([
  ["hello", () => HELLO],
  ["echo", (params) => ({ document: writeDocument(readDocument(params.document)) })],
  ["jcs.canonicalize", (params) => {
    let canonical;
    // Benchmarks ask for the same work several times over; everyone else asks once.
    for (let i = params.repeat ?? 1; i > 0; i--) canonical = canonicalize(readDocument(params.document));
    return { document: writeDocument(canonical) };
  }],
]);

function answer(line) {
  let request;
  try {
    request = JSON.parse(decode(line));
    if (typeof request.id !== "number" || typeof request.op !== "string") throw new Error();
  } catch {
    return { id: null, fault: { message: "this line is no request" } };
  }
  const { id, op, params = {} } = request;
  if (!OPERATIONS.has(op)) return { id, unsupported: { what: op } };
  try {
    return { id, ok: OPERATIONS.get(op)(params) };
  } catch (error) {
    return { id, [error instanceof Refused ? "refused" : "fault"]: { message: String(error.message).toWellFormed() } };
  }
}

// Print to standard error (`console.error`) if you print at all.
let pieces = []; // of a line whose end has not come yet
for await (let chunk of process.stdin) {
  for (let end; (end = chunk.indexOf("\n")) !== -1; chunk = chunk.subarray(end + 1)) {
    process.stdout.write(`${JSON.stringify(answer(Buffer.concat([...pieces, chunk.subarray(0, end)])))}\n`);
    pieces = [];
  }
  pieces.push(chunk);
}
