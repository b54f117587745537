import assert from "node:assert/strict";
import { existsSync, readdirSync, statSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import { isRunning } from "../support/programs/is-running.ts";
import {
  createPlace,
  longCommand,
  processesWith,
  runCli,
  startCli,
  until,
  withoutProc,
} from "./support/cli.ts";
import { connectHttp, serveMcp, textOf } from "./support/mcp-client.ts";

const CALL = {
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name: "shell", arguments: { command: "touch made" } },
};
const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "x", version: "1" } },
};
const JSON_HEADERS = { "content-type": "application/json", accept: "application/json, text/event-stream" };

interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
  readonly method?: string;
}

/** Node's own client: `fetch` would not send a Host or an Origin of our choice. */
function send(
  address: URL,
  { headers = {}, body = INITIALIZE, method = "POST" }: Sent,
): Promise<{ status: number; session: string; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(address, { method, headers: { ...JSON_HEADERS, ...headers } }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      response.on("end", () => {
        const session = String(response.headers["mcp-session-id"] ?? "");
        resolve({ status: response.statusCode ?? 0, session, text });
      });
    });
    sent.on("error", reject).end(method === "POST" ? JSON.stringify(body) : undefined);
  });
}

function without(address: URL, parameter: string): URL {
  const url = new URL(address);
  url.searchParams.delete(parameter);
  return url;
}

test("a request from another origin, or without a token, is refused and has no effect", async (t) => {
  const place = createPlace(t);
  const { address } = await serveMcp(t, place, ["--mode", "yolo"]);
  const token = address.searchParams.get("token") ?? "";
  const { session } = await send(address, {});
  assert.notEqual(session, "");
  const known = { "mcp-session-id": session };
  const own = address.host;
  const cases: readonly (readonly [string, number, Sent, URL?])[] = [
    ["a foreign Host", 403, { headers: { host: "evil.example.com" } }],
    ["a foreign Host with our port", 403, { headers: { host: `evil.example.com:${address.port}` } }],
    ["our Host with another port", 403, { headers: { host: "127.0.0.1:1" } }],
    ["a Host that only begins like ours", 403, { headers: { host: `127.0.0.1.evil.com:${address.port}` } }],
    ["a foreign Origin", 403, { headers: { origin: "https://evil.example.com" } }],
    ["a foreign Origin that begins like ours", 403, { headers: { origin: `http://${own}.evil.com` } }],
    ["an Origin on another port of this machine", 403, { headers: { origin: "http://127.0.0.1:1" } }],
    ["Origin: null", 403, { headers: { origin: "null" } }],
    ["no token", 401, {}, without(address, "token")],
    ["a wrong token", 401, { headers: { authorization: "Bearer wrong" } }],
    [
      "half a token",
      401,
      { headers: { authorization: `Bearer ${token.slice(0, 10)}` } },
      without(address, "token"),
    ],
    ["a text/plain POST", 403, { headers: { "content-type": "text/plain" } }],
    ["a form", 403, { headers: { "content-type": "application/x-www-form-urlencoded" } }],
    [
      "a cross-origin upgrade",
      403,
      {
        method: "GET",
        headers: { connection: "Upgrade", upgrade: "websocket", origin: "https://evil.example.com" },
      },
    ],
    [
      "a question before a cross-origin request",
      403,
      { method: "OPTIONS", headers: { origin: "https://evil.example.com" } },
    ],
  ];
  for (const [what, status, sent, to = address] of cases) {
    const headers = { ...known, ...sent.headers };
    assert.equal((await send(to, { body: CALL, ...sent, headers })).status, status, what);
    assert.equal(existsSync(join(place.folder, "made")), false, what);
  }
  const bearer = { ...known, authorization: `Bearer ${token}`, origin: `http://${own}` };
  assert.equal((await send(without(address, "token"), { body: CALL, headers: bearer })).status, 200);
  assert.equal(
    existsSync(join(place.folder, "made")),
    true,
    "the same call of someone who may make it has its effect",
  );
});

test("it listens on other interfaces only with both flags", async (t) => {
  const place = createPlace(t);
  for (const host of ["0.0.0.0", "::", "192.0.2.1", "example.com"]) {
    const { code, stderr, stdout } = await runCli(place, ["mcp", "--http", "0", "--host", host]);
    assert.equal(code, 2, host);
    assert.match(stderr, /can be reached by other machines[\s\S]*--network/);
    assert.equal(stdout, "");
  }
  const { address } = await serveMcp(t, place, ["--host", "0.0.0.0", "--network"]);
  assert.equal((await send(address, {})).status, 200);
  assert.equal((await send(address, { headers: { host: `evil.example.com:${address.port}` } })).status, 403);
});

test("the token is the same after a restart, and only its owner can read it", async (t) => {
  const place = createPlace(t);
  const first = await serveMcp(t, place);
  const second = await serveMcp(t, place);
  const tokenOf = ({ address }: { readonly address: URL }): string | null =>
    address.searchParams.get("token");
  assert.equal(tokenOf(first), tokenOf(second));
  assert.equal(statSync(join(place.home, "http-token")).mode & 0o777, 0o600);
});

test("two clients have separate sessions", async (t) => {
  const place = createPlace(t);
  const { address } = await serveMcp(t, place);
  let asked = 0;
  const one = await connectHttp(t, address, {
    elicit: () => {
      asked += 1;
      return { action: "accept", content: { answer: "session" } };
    },
  });
  const other = await connectHttp(t, address, { elicit: () => ({ action: "decline" }) });
  const call = { name: "shell", arguments: { command: "touch said" } };
  assert.match(textOf(await one.client.callTool(call)), /no output/);
  assert.match(textOf(await one.client.callTool(call)), /no output/);
  assert.equal(asked, 1);
  assert.equal((await other.client.callTool(call)).isError, true, "what one was granted the other was not");
  await one.client.callTool({ name: "activate_tools", arguments: { groups: ["files"], replace: true } });
  const names = async ({ client }: typeof one): Promise<readonly string[]> =>
    (await client.listTools()).tools.map(({ name }) => name);
  assert.equal((await names(one)).includes("shell"), false);
  assert.equal((await names(other)).includes("shell"), true);
});

test("a client of the newest revision is served at the same URL", async (t) => {
  const place = createPlace(t);
  const { address } = await serveMcp(t, place);
  const { client } = await connectHttp(t, address, {
    isModern: true,
    elicit: () => ({ action: "accept", content: { answer: "once" } }),
  });
  assert.equal(client.getNegotiatedProtocolVersion(), "2026-07-28");
  const told: (string | undefined)[] = [];
  const command = "echo first; sleep 0.2; touch made";
  await client.callTool(
    { name: "shell", arguments: { command } },
    { onprogress: ({ message }) => told.push(message) },
  );
  assert.ok(told.includes("first"));
  assert.equal(existsSync(join(place.folder, "made")), true);
});

test("a client can restrict itself: only the tools in its URL are offered", async (t) => {
  const { address } = await serveMcp(t, createPlace(t));
  address.searchParams.set("tools", "read_*");
  const { client } = await connectHttp(t, address);
  const { tools } = await client.listTools();
  assert.ok(tools.length > 0);
  assert.ok(tools.every(({ name }) => name.startsWith("read_")));
  address.searchParams.set("mode", "anything");
  assert.equal((await send(address, {})).status, 400);
});

test("a broken stream is resumed where it stopped", async (t) => {
  const place = createPlace(t);
  const { address } = await serveMcp(t, place, ["--mode", "yolo"]);
  const { session } = await send(address, {});
  const headers = { "mcp-session-id": session, "mcp-protocol-version": "2025-11-25" };
  await send(address, { headers, body: { jsonrpc: "2.0", method: "notifications/initialized" } });
  const call = {
    jsonrpc: "2.0",
    id: 7,
    method: "tools/call",
    params: { name: "shell", arguments: { command: "sleep 0.5; echo late" } },
  };
  const lastId = await new Promise<string>((resolve, reject) => {
    const sent = request(
      address,
      { method: "POST", headers: { ...JSON_HEADERS, ...headers } },
      (response) => {
        response.setEncoding("utf8").on("data", (chunk: string) => {
          const [, id] = /^id: (.+)$/m.exec(chunk) ?? [];
          if (id !== undefined) response.destroy();
          if (id !== undefined) resolve(id);
        });
      },
    );
    sent.on("error", reject).end(JSON.stringify(call));
  });
  const text = await new Promise<string>((resolve, reject) => {
    const resumed = { accept: "text/event-stream", "last-event-id": lastId, ...headers };
    const sent = request(address, { headers: resumed }, (response) => {
      let read = "";
      response.setEncoding("utf8").on("data", (chunk: string) => {
        read += chunk;
        if (!read.includes('"id":7')) return;
        response.destroy();
        resolve(read);
      });
    });
    sent.on("error", reject).end();
  });
  assert.match(text, /late/);
});

test(
  "a session that was ended is unknown afterwards, and what lived in it is gone",
  { skip: withoutProc },
  async (t) => {
    const { address } = await serveMcp(t, createPlace(t), ["--mode", "yolo"]);
    const { session } = await send(address, {});
    const headers = { "mcp-session-id": session, "mcp-protocol-version": "2025-11-25" };
    const { command, mark } = longCommand();
    const background = { name: "shell", arguments: { command, background: true } };
    await send(address, { headers, body: { ...CALL, params: background } });
    await until("it runs", () => processesWith(mark).length > 0);
    assert.equal((await send(address, { headers, method: "DELETE" })).status, 200);
    await until("it is gone", () => processesWith(mark).length === 0);
    assert.equal((await send(address, { headers, body: CALL })).status, 404);
  },
);

test(
  "asked to end it ends, with every client connected and every process gone",
  { skip: withoutProc },
  async (t) => {
    const place = createPlace(t);
    const { child, finished, shown } = startCli(place, ["mcp", "--http", "0", "--mode", "yolo"]);
    await until("the address is printed", () => shown.stdout.includes("\n"));
    const { client } = await connectHttp(t, new URL(shown.stdout.trim()));
    const { command, mark } = longCommand();
    const call = client.callTool({ name: "shell", arguments: { command } });
    await until("it runs", () => processesWith(mark).length > 0);
    child.kill("SIGTERM");
    assert.match(JSON.stringify(await call), /Toolwright was stopped during the call/);
    assert.equal((await finished).code, 0);
    await client.close();
    assert.equal(processesWith(mark).length, 0);
    assert.equal(isRunning(child.pid ?? 0), false);
  },
);

test("a port in use is reported, and nothing is left behind", async (t) => {
  const place = createPlace(t);
  const { address } = await serveMcp(t, place);
  const { code, stderr } = await runCli(place, ["mcp", "--http", address.port]);
  assert.equal(code, 1);
  assert.match(stderr, /cannot listen on 127\.0\.0\.1:\d+[\s\S]*another port/);
  for (const bad of ["x", "70000", "-1"])
    assert.equal((await runCli(place, ["mcp", `--http=${bad}`])).code, 2, bad);
  assert.equal((await runCli(place, ["mcp", "--host", "127.0.0.1"])).code, 2);
  assert.ok(readdirSync(place.home).includes("http-token"));
});
