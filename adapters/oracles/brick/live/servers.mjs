// The servers of a case, by the official SDKs for JavaScript instead of Proofmark's own: @modelcontextprotocol/sdk 1 for
// versions with `initialize`, @modelcontextprotocol/server 2 for 2026-07-28. `play.py` drives it.
//
// Standard input, one JSON a line: `{"start": {NAME: table}}` is answered with `{"urls": {NAME: url}}` or, where the SDKs
// can't do what a table says, with `{"can_not": "…"}`; `{"finish": true}` with `{"requests": […]}`, all that came.
//
// What is no MCP (credentials, redirects, bare statuses, silence, dropped connections) is done in front of the SDK.

import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { createInterface } from "node:readline";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { Server as ServerOne } from "@modelcontextprotocol/sdk/server/index.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { CallToolRequestSchema, ListToolsRequestSchema, McpError } from "@modelcontextprotocol/sdk/types.js";
import { createMcpHandler, ProtocolError, Server as ServerTwo } from "@modelcontextprotocol/server";

const FIRST_STATELESS = "2026-07-28";
const KNOWN = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26"];
/** What came, in order, and the request that is being answered. */
let requests = [];
const current = new AsyncLocalStorage();
let running = [];

/** Why the SDKs can't stand in for this server; nothing where they can. */
function canNot({ versions = KNOWN, before = [], endless, list, tools = [], always }) {
  const unknown = versions.find((version) => !KNOWN.includes(version));
  if (unknown !== undefined) return `no SDK has the version ${unknown}`;
  if (before.some(({ id }) => id !== undefined)) return "the SDK asks no client for what it did not say it has";
  if (endless) return "pages without end";
  const answers = [list, always, ...tools.map(({ answer }) => answer)];
  if (answers.some((answer) => answer?.result?.resultType === "input_required")) return "input that is required";
  if (list?.result !== undefined) return "the SDK lists no nonsense";
  return undefined;
}

/** Answers that are no MCP. Gives whether it did. */
function answerRaw(answer, response, urls) {
  if (answer?.status !== undefined) {
    response.writeHead(answer.status, { "content-type": "text/plain" }).end(answer.body ?? "");
  } else if (answer?.redirect !== undefined) {
    const { to, status = 307, host = "127.0.0.1" } = answer.redirect;
    response.writeHead(status, { location: urls[to].replace("127.0.0.1", host) }).end();
  } else if (answer?.drop) {
    response.socket.destroy();
  } else if (!answer?.stall) {
    return false;
  }
  current.getStore().outcome = answer.drop ? "drop" : answer.stall ? "stall" : String(response.statusCode);
  return true;
}

/** What `tools/list` and `tools/call` do, for either SDK. */
function toolset(table, Failure, listed) {
  let listings = 0;
  return {
    list({ cursor } = {}) {
      if (table.list?.error !== undefined) throw new Failure(table.list.error.code, table.list.error.message);
      const [listing, page] = cursor === undefined ? [(listings += 1), 0] : cursor.split(".").map(Number);
      const tools = (table.tools ?? [])
        .filter(({ listed: there = true, since = 1, until = Infinity }) => there && since <= listing && listing <= until)
        .map(({ name, description = name, input = { type: "object" }, more = {} }) => ({
          ...more,
          name,
          description,
          inputSchema: input,
        }));
      const size = table.page ?? Math.max(tools.length, 1);
      const result = { tools: tools.slice(page * size, (page + 1) * size) };
      if (tools.length > (page + 1) * size) result.nextCursor = `${listing}.${page + 1}`;
      listed();
      return result;
    },
    async call({ name }, notify) {
      const tool = (table.tools ?? []).find((one) => one.name === name);
      if (tool === undefined) throw new Failure(-32602, `Unknown tool: ${name}`);
      current.getStore().reached = true;
      for (const message of table.before ?? []) await notify(message);
      const { text, result, error } = tool.answer ?? { text: "done" };
      if (error !== undefined) throw new Failure(error.code, error.message, error.data);
      return result ?? { content: [{ type: "text", text }] };
    },
  };
}

/** The handler of 2025-11-25 and earlier: a transport of the SDK for each session. */
function withSessions(table) {
  const sessions = new Map();
  const about = { capabilities: { tools: { listChanged: table.announce ?? false }, logging: {} }, instructions: table.instructions };
  const announce = () => table.announce && [...sessions.values()].forEach(({ server }) => server.sendToolListChanged());
  const tools = toolset(table, McpError, announce);
  async function open() {
    const server = new ServerOne({ name: "sdk", version: "1" }, about);
    server.setRequestHandler(ListToolsRequestSchema, ({ params }) => tools.list(params));
    server.setRequestHandler(CallToolRequestSchema, ({ params }, { sendNotification }) => tools.call(params, sendNotification));
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: table.session === false ? undefined : randomUUID,
      enableJsonResponse: !table.sse,
      onsessioninitialized: (id) => {
        sessions.set(id, { server, transport });
        current.getStore().opened = id;
      },
    });
    await server.connect(transport);
    return transport;
  }
  return async (request, response, body) => {
    const known = sessions.get(request.headers["mcp-session-id"]);
    const transport = known?.transport ?? (await open());
    await transport.handleRequest(request, response, body);
  };
}

/** The handler of 2026-07-28. */
function withoutSessions(table) {
  let handler;
  const tools = toolset(table, ProtocolError, () => table.announce && handler.notify.toolsChanged());
  const about = { capabilities: { tools: { listChanged: table.announce ?? false } }, instructions: table.instructions };
  const factory = () => {
    const server = new ServerTwo({ name: "sdk", version: "2" }, about);
    server.setRequestHandler("tools/list", ({ params }) => tools.list(params));
    server.setRequestHandler("tools/call", ({ params }) => tools.call(params, async () => {}));
    return server;
  };
  handler = createMcpHandler(factory, { legacy: "reject", responseMode: table.sse ? "sse" : "auto" });
  return toNodeHandler(handler);
}

function stateless(headers, body) {
  return headers["mcp-protocol-version"] >= FIRST_STATELESS || body?.params?._meta?.["io.modelcontextprotocol/protocolVersion"] !== undefined;
}

async function host(name, table, urls) {
  const versions = table.versions ?? KNOWN;
  const older = versions.some((version) => version < FIRST_STATELESS) ? withSessions(table) : undefined;
  const newer = versions.includes(FIRST_STATELESS) ? withoutSessions(table) : undefined;
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString("utf8");
    let body;
    try {
      body = JSON.parse(text);
    } catch {
      body = undefined;
    }
    const headers = [];
    for (let at = 0; at < request.rawHeaders.length; at += 2) headers.push([request.rawHeaders[at].toLowerCase(), request.rawHeaders[at + 1]]);
    const record = { server: name, method: request.method, target: request.url, headers, body: text, outcome: "", reached: false };
    requests.push(record);
    response.on("finish", () => (record.outcome = String(response.statusCode)));
    await current.run(record, async () => {
      if (answerRaw(table.always, response, urls)) return;
      if (request.url !== "/mcp") return response.writeHead(404).end();
      if (table.token !== undefined && request.headers.authorization !== `Bearer ${table.token}`) {
        return response.writeHead(401, { "www-authenticate": "Bearer" }).end();
      }
      const tool = body?.method === "tools/call" && table.tools?.find((one) => one.name === body.params?.name);
      const raw = body?.method === "tools/list" ? table.list : tool?.answer;
      if (answerRaw(raw, response, urls)) {
        record.reached = Boolean(tool);
        return undefined;
      }
      const modern = stateless(request.headers, body);
      const handler = (modern ? newer : older) ?? newer ?? older;
      return handler(request, response, body);
    });
  });
  await new Promise((done) => server.listen(urls[name] ? Number(new URL(urls[name]).port) : 0, "127.0.0.1", done));
  return server;
}

/** Ports are chosen before the tables are read: they name each other's URLs. */
async function freePort() {
  const probe = createServer();
  await new Promise((done) => probe.listen(0, "127.0.0.1", done));
  const { port } = probe.address();
  await new Promise((done) => probe.close(done));
  return port;
}

function filled(value, urls) {
  const text = JSON.stringify(value).replaceAll(/\{\{servers\.([^.}]+)\.url\}\}/g, (_, name) => urls[name]);
  return JSON.parse(text);
}

async function start(tables) {
  for (const [name, table] of Object.entries(tables)) {
    const reason = canNot(table);
    if (reason !== undefined) return { can_not: `${name}: ${reason}` };
  }
  const urls = {};
  for (const name of Object.keys(tables)) urls[name] = `http://127.0.0.1:${await freePort()}/mcp`;
  for (const [name, table] of Object.entries(filled(tables, urls))) running.push(await host(name, table, urls));
  return { urls };
}

function finish() {
  for (const server of running) {
    server.closeAllConnections();
    server.close();
  }
  running = [];
  const all = requests;
  requests = [];
  return { requests: all };
}

for await (const line of createInterface({ input: process.stdin })) {
  const asked = JSON.parse(line);
  const answer = asked.start === undefined ? finish() : await start(asked.start);
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
process.exit(0);
