// Signed AgentCards with `@a2a-js/sdk` from npm, whichever version is handed in.
//
// A card gets in in one of two ways, both of them met by users of the SDK:
//
// - `--form plain` (default): a strict `TextDecoder` and `JSON.parse`, and the value goes to the SDK as it is;
// - `--form instance`: `AgentCard.fromJSON` makes the SDK's own type of that value first, which is what the SDK's
//   functions are declared to take; a signed card comes out through `AgentCard.toJSON`.
//
// The SDK's client hands out either, depending on what the card says about security.
//
// The SDK has one canonical form and no notion of profiles, and its verifier tells that some signature is valid, not
// which. So after it has accepted the card, each signature is put to it once more, alone.

import { readFileSync } from "node:fs";

import { Refused, readDocument, refusing, serve, writeDocument } from "../node/proofmark-adapter.mjs";

const utf8 = new TextDecoder("utf-8", { fatal: true });

const FORMS = {
  plain: () => ({ enter: (json) => json, leave: (card) => card }),
  instance: ({ AgentCard }) => ({
    enter: (json) => AgentCard.fromJSON(json),
    leave: (card) => AgentCard.toJSON(card),
  }),
};

/** Serves the SDK: its module, and the address of its main file. */
export function serveCards(sdk, main) {
  const form = chosenForm();
  const { enter, leave } = FORMS[form](sdk);
  const read = ({ card }) => {
    const bytes = readDocument(card);
    return refusing(() => enter(JSON.parse(utf8.decode(bytes))));
  };

  const preimage = (params) => {
    const card = read(params);
    return { canonical: encoded(refusing(() => sdk.canonicalizeAgentCard(card))) };
  };

  const sign = async (params) => {
    const card = read(params);
    // The SDK wants `typ` in every protected header.
    const header = { alg: params.alg, kid: params.kid, typ: params.typ ?? "JOSE" };
    const signed = await settled(() => sdk.generateAgentCardSignature(params.key, header)(card));
    return { card: encoded(refusing(() => JSON.stringify(leave(signed)))) };
  };

  const verify = async (params) => {
    const card = read(params);
    const verifier = sdk.verifyAgentCardSignature(async (kid) => {
      // The keys of the params alone: what `jku` names is never fetched.
      const key = params.keys.find((jwk) => jwk.kid === kid);
      if (key === undefined) throw new Error(`no key is named ${kid}`);
      return key;
    });
    await settled(() => verifier(card));
    const verified = [];
    for (const [index, signature] of card.signatures.entries()) {
      if (await accepted(() => verifier({ ...card, signatures: [signature] }))) verified.push(index);
    }
    return { verified };
  };

  serve({
    name: form === "plain" ? "@a2a-js/sdk" : "@a2a-js/sdk, AgentCard instances",
    version: JSON.parse(readFileSync(new URL("../package.json", main), "utf8")).version,
    url: "https://github.com/a2aproject/a2a-js",
    roles: ["federation/host"],
    operations: {
      "federation.card_preimage": preimage,
      "federation.card_sign": sign,
      "federation.card_verify": verify,
    },
  });
}

function chosenForm() {
  const option = process.argv.indexOf("--form");
  const form = option === -1 ? "plain" : process.argv[option + 1];
  if (Object.hasOwn(FORMS, form)) return form;
  console.error(`--form is one of: ${Object.keys(FORMS).join(", ")}`);
  process.exit(2);
}

function encoded(text) {
  return writeDocument(new TextEncoder().encode(text));
}

/** What the SDK's promise gives; what it throws is a refusal. */
async function settled(call) {
  try {
    return await call();
  } catch (error) {
    return refusing(() => {
      throw error;
    });
  }
}

async function accepted(call) {
  try {
    await settled(call);
    return true;
  } catch (error) {
    if (error instanceof Refused) return false;
    throw error;
  }
}
