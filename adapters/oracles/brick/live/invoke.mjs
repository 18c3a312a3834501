// A runtime adapter on an official MCP client for JavaScript. It reads manifests only as far as valid ones need.
//
//     node invoke.mjs               @modelcontextprotocol/client 2: both revisions
//     node invoke.mjs --sdk-1       @modelcontextprotocol/sdk 1: 2025-11-25 and earlier
//     node invoke.mjs --handshake   @modelcontextprotocol/client 2, opening with `initialize` only
//     node invoke.mjs --follow      as the first, with redirects left to fetch

import * as two from "@modelcontextprotocol/client";
import { Client as ClientOne } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as TransportOne } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { readDocument, serve } from "../../../node/proofmark-adapter.mjs";

const flag = (name) => process.argv.includes(name);
const STEP = 3000;

function bindings(manifest, wanted) {
  const capability = manifest.capabilities.find(({ id }) => id === wanted);
  const own = new Map();
  for (const reference of capability.toolRefs ?? []) {
    const server = manifest.mcpServers.find(
      ({ id, allowedTools }) =>
        reference.startsWith(`${id}:`) && allowedTools.includes(reference.slice(id.length + 1)),
    );
    if (!own.has(server.id)) own.set(server.id, { server, tools: new Set() });
    own.get(server.id).tools.add(reference.slice(server.id.length + 1));
  }
  return own;
}

async function connect({ transport, endpoint }, token) {
  if (transport !== "streamable-http") throw new Error(`no transport ${transport}`);
  const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  const about = { name: "brick-invoke", version: "1" };
  let client;
  let carrier;
  if (flag("--sdk-1")) {
    client = new ClientOne(about);
    carrier = new TransportOne(new URL(endpoint), { requestInit: { headers, redirect: "manual" } });
  } else {
    const mode = flag("--handshake") ? "legacy" : "auto";
    client = new two.Client(about, { versionNegotiation: { mode } });
    const redirectPolicy = flag("--follow") ? "follow" : "same-origin";
    carrier = new two.StreamableHTTPClientTransport(new URL(endpoint), { requestInit: { headers }, redirectPolicy });
  }
  await client.connect(carrier, { timeout: STEP });
  const names = new Set();
  let cursor;
  for (let page = 0; page < 100; page += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const list = await client.listTools(params, { timeout: STEP });
    for (const { name } of list.tools) names.add(name);
    cursor = list.nextCursor;
    if (cursor === undefined) break;
  }
  const call = (name, given) => {
    const options = { timeout: STEP };
    const params = { name, arguments: given };
    return flag("--sdk-1") ? client.callTool(params, undefined, options) : client.callTool(params, options);
  };
  return { names, call, close: () => client.close() };
}

async function invoke({ manifest, capability, calls, credentials = {} }) {
  const own = bindings(JSON.parse(readDocument(manifest).toString("utf8")), capability);
  const connections = new Map();
  const offered = [];
  const missing = [];
  await Promise.all(
    [...own].map(async ([id, { server }]) => {
      try {
        connections.set(id, await connect(server, Object.hasOwn(credentials, id) ? credentials[id] : undefined));
      } catch (error) {
        connections.set(id, error);
      }
    }),
  );
  for (const [id, { tools }] of own) {
    const { names } = connections.get(id);
    if (names === undefined) continue;
    for (const tool of tools) (names.has(tool) ? offered : missing).push(`${id}:${tool}`);
  }
  const results = [];
  for (const { server, tool, arguments: given } of calls) {
    if (!own.get(server)?.tools.has(tool)) {
      results.push({ refused: { message: "not this capability's" } });
      continue;
    }
    try {
      const connection = connections.get(server);
      if (connection instanceof Error) throw connection;
      if (!connection.names.has(tool)) throw new Error("not listed");
      results.push({ result: await connection.call(tool, given) });
    } catch (error) {
      results.push({ error: { message: String(error).slice(0, 500) } });
    }
  }
  await Promise.allSettled([...connections.values()].map((connection) => connection.close?.()));
  return { offered, missing, results };
}

serve({
  name: flag("--sdk-1") ? "@modelcontextprotocol/sdk" : "@modelcontextprotocol/client",
  version: flag("--sdk-1") ? "1.32.2" : "2.4.0",
  roles: ["brick/runtime-adapter"],
  operations: {
    "brick.invoke": invoke,
    "brick.load": ({ manifest }) => ({
      capabilities: JSON.parse(readDocument(manifest).toString("utf8")).capabilities.map(({ id }) => id),
      unavailable: [],
      unsupported: [],
      resources: [],
      warnings: [],
    }),
    "brick.expose": ({ manifest, capability }) => ({
      tools: [...bindings(JSON.parse(readDocument(manifest).toString("utf8")), capability)].flatMap(
        ([id, { tools }]) => [...tools].map((tool) => `${id}:${tool}`),
      ),
    }),
  },
});
