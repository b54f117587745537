import assert from "node:assert/strict";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import {
  TOKEN_FILES,
  TOKEN_RIGHTS,
  hasRight,
  type TokenName,
} from "../../src/app/config/access/http-tokens.ts";
import { ROUTES, type RouteName } from "../../src/app/http/api.ts";
import { untilTrue } from "../support/running.ts";
import { createPlace, runCli, type Place } from "./support/cli.ts";
import { connectHttp, serveMcp } from "./support/mcp-client.ts";
import { startServe, type ServedPlace } from "./support/serve.ts";

const NAMES = Object.keys(TOKEN_RIGHTS) as readonly TokenName[];

const tokenOf = (place: Place, name: TokenName): string =>
  readFileSync(join(place.home, TOKEN_FILES[name]), "utf8").trim();

/** Sends a request with a token. The body of a stream is not read. */
async function request(served: ServedPlace, token: string, method: string, path: string, body?: unknown) {
  const ended = new AbortController();
  const response = await fetch(new URL(path, served.address), {
    method,
    signal: ended.signal,
    headers: {
      authorization: `Bearer ${token}`,
      ...(method !== "GET" && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const isStream = response.headers.get("content-type") === "text/event-stream";
  const text = isStream ? "" : await response.text();
  ended.abort();
  return { status: response.status, text };
}

/** Returns what requests can change. */
async function stateOf(served: ServedPlace): Promise<string> {
  const read = async (path: string): Promise<unknown> =>
    JSON.parse((await request(served, served.token, "GET", path)).text);
  const paths = [
    "/api/policy",
    "/api/approvals",
    "/api/grants",
    "/api/chats",
    "/api/sessions?all=true",
    "/api/calls",
  ];
  return JSON.stringify(await Promise.all(paths.map(read)));
}

/** A call that needs approval and waits for it. */
async function askedCall(served: ServedPlace, file: string): Promise<string> {
  const body = { name: "write_file", input: { path: file, content: "x" }, wait: false } as const;
  await served.send<"run">("POST", "/api/calls", body);
  let id = "";
  await untilTrue("the call waits", async () => {
    const { body: waiting } = await served.send<"approvals">("GET", "/api/approvals");
    id = waiting.approvals.at(-1)?.id ?? "";
    return id !== "";
  });
  return id;
}

/** Valid bodies: a route that changes something would do it. */
const BODIES: Partial<Record<RouteName, unknown>> = {
  run: { name: "write_file", input: { path: "run.txt", content: "x" } },
  decide: { choice: "once" },
  setMode: { mode: "yolo" },
  explain: { command: "touch x" },
  allow: { command: "touch x" },
  approvePins: { changes: [] },
  openChat: {},
  sendMessage: { text: "hello" },
  forkChat: { before: 1 },
  setChatModel: { model: "scripted/none" },
  renameSession: { title: "other" },
};

async function start(t: TestContext) {
  const place = createPlace(t);
  const served = await startServe(t, place, ["--mode", "ask"]);
  const id = await askedCall(served, "asked.txt");
  const pathOf = (name: RouteName): string =>
    ROUTES[name].path.replaceAll(/\{\w+\}/g, name === "decide" ? id : "none");
  return { place, served, id, pathOf };
}

test("a request whose token lacks the right of its route has no effect; with the right it is let in", async (t) => {
  const { place, served, pathOf } = await start(t);
  const before = await stateOf(served);
  for (const [name, { method, rights }] of Object.entries(ROUTES) as [
    RouteName,
    (typeof ROUTES)[RouteName],
  ][])
    for (const token of NAMES) {
      if (hasRight(TOKEN_RIGHTS[token], rights)) continue;
      const answer = await request(served, tokenOf(place, token), method, pathOf(name), BODIES[name]);
      assert.equal(answer.status, 403, `${name} with the token ${token}: ${answer.text}`);
      assert.match(answer.text, /"code":"DENIED".*this token may not/);
      if (method !== "GET") assert.equal(await stateOf(served), before, `${name} with the token ${token}`);
    }
  for (const [name, { method, rights }] of Object.entries(ROUTES) as [
    RouteName,
    (typeof ROUTES)[RouteName],
  ][])
    for (const token of NAMES) {
      // These wait for an approval, or change what the next request needs: see the other tests.
      if (!hasRight(TOKEN_RIGHTS[token], rights) || ["run", "decide", "setMode"].includes(name)) continue;
      const answer = await request(served, tokenOf(place, token), method, pathOf(name), BODIES[name]);
      assert.ok(![401, 403].includes(answer.status), `${name} with the token ${token}: ${answer.text}`);
    }
  assert.equal(existsSync(join(place.folder, "asked.txt")), false);
});

test("what is not in the table of routes needs a right too", async (t) => {
  const { place, served } = await start(t);
  const before = await stateOf(served);
  const call = { tool: "write_file", params: { path: "executed.txt", content: "x" } };
  const initialize = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
  for (const [method, path, right, body] of [
    ["POST", "/execute", "call", call],
    ["POST", "/mcp", "call", initialize],
    ["GET", "/mcp", "call", undefined],
    ["GET", "/metrics", "read", undefined],
  ] as const)
    for (const token of NAMES) {
      if (hasRight(TOKEN_RIGHTS[token], [right])) continue;
      assert.equal(
        (await request(served, tokenOf(place, token), method, path, body)).status,
        403,
        `${path} ${token}`,
      );
    }
  assert.equal(await stateOf(served), before);
});

test("a client with the token of calls can ask, and neither approve nor change the mode", async (t) => {
  const { place, served, id } = await start(t);
  const call = tokenOf(place, "call");
  const approve = tokenOf(place, "approve");
  const decide = { choice: "once" };
  const path = `/api/approvals/${id}`;
  assert.equal((await request(served, call, "POST", path, decide)).status, 403);
  assert.equal((await request(served, call, "PUT", "/api/policy/mode", { mode: "yolo" })).status, 403);
  assert.equal((await request(served, approve, "PUT", "/api/policy/mode", { mode: "yolo" })).status, 403);
  assert.equal((await served.send<"policy">("GET", "/api/policy")).body.mode, "ask");
  assert.equal(existsSync(join(place.folder, "asked.txt")), false);
  assert.equal((await request(served, approve, "POST", path, decide)).status, 200);
  await untilTrue("the approved call ran", () => existsSync(join(place.folder, "asked.txt")));
  assert.equal((await served.send<"setMode">("PUT", "/api/policy/mode", { mode: "yolo" })).status, 200);
  const body = { name: "write_file", input: { path: "ran.txt", content: "x" } };
  assert.equal((await request(served, call, "POST", "/api/calls", body)).status, 200);
  assert.ok(existsSync(join(place.folder, "ran.txt")));
});

for (const [token, isWritten] of [
  ["call", false],
  ["admin", true],
] as const)
  test(`a form that an MCP client with the token ${token} answers ${isWritten ? "counts" : "is not even shown"}`, async (t) => {
    const place = createPlace(t);
    const served = await startServe(t, place, ["--mode", "ask"]);
    const client = new Client({ name: "c", version: "1" }, { capabilities: { elicitation: { form: {} } } });
    let forms = 0;
    client.setRequestHandler("elicitation/create", () => {
      forms += 1;
      return { action: "accept", content: { answer: "once" } };
    });
    const url = new URL(`/mcp?token=${tokenOf(place, token)}`, served.address);
    await client.connect(new StreamableHTTPClientTransport(url));
    t.after(() => client.close());
    const calling = client.callTool({ name: "write_file", arguments: { path: "f.txt", content: "x" } });
    calling.catch(() => undefined);
    if (isWritten) await calling;
    else
      await untilTrue("it waits in the queue", async () => {
        const { body } = await served.send<"approvals">("GET", "/api/approvals");
        return body.approvals.length === 1;
      });
    assert.deepEqual([forms > 0, existsSync(join(place.folder, "f.txt"))], [isWritten, isWritten]);
  });

test("a token that was written into the config of a client before there were others may only call tools", async (t) => {
  const place = createPlace(t);
  const old = "o".repeat(43);
  writeFileSync(join(place.home, "http-token"), `${old}\n`, { mode: 0o600 });
  const served = await startServe(t, place);
  assert.notEqual(served.token, old);
  assert.equal((await request(served, old, "GET", "/api/tools")).status, 200);
  assert.equal((await request(served, old, "GET", "/api/approvals")).status, 403);
  const state = JSON.parse((await request(served, old, "GET", "/api/state")).text) as { rights: unknown };
  assert.deepEqual(state.rights, ["call"]);
  for (const name of NAMES) assert.equal(statSync(join(place.home, TOKEN_FILES[name])).mode & 0o777, 0o600);
});

test("the console of a token has its rights, and its cookie no others", async (t) => {
  const { place, served, id } = await start(t);
  const visit = await fetch(new URL(`/?token=${tokenOf(place, "read")}`, served.address), {
    redirect: "manual",
  });
  const cookie = visit.headers.get("set-cookie")?.split(";")[0] ?? "";
  const own = { cookie, "sec-fetch-site": "same-origin", "content-type": "application/json" };
  const send = (method: string, path: string, body?: unknown) =>
    fetch(new URL(path, served.address), {
      method,
      headers: own,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const state = (await (await send("GET", "/api/state")).json()) as { rights: unknown };
  assert.deepEqual(state.rights, ["read"]);
  assert.equal((await send("POST", `/api/approvals/${id}`, { choice: "once" })).status, 403);
  assert.equal(existsSync(join(place.folder, "asked.txt")), false);
});

test("a client needs a token that may call tools, and its form counts only with one that may approve", async (t) => {
  const place = createPlace(t);
  const { address } = await serveMcp(t, place);
  const withToken = (file: string): URL => {
    const url = new URL(address);
    url.searchParams.set("token", readFileSync(join(place.home, file), "utf8").trim());
    return url;
  };
  for (const file of ["http-token-read", "http-token-approve"])
    await assert.rejects(connectHttp(t, withToken(file)), /403|may not call tools/);
  for (const isModern of [false, true]) {
    let forms = 0;
    const accept = () => {
      forms += 1;
      return { action: "accept", content: { answer: "once" } } as const;
    };
    const { client } = await connectHttp(t, withToken("http-token"), { elicit: accept, isModern });
    const ended = new AbortController();
    const file = `made-${isModern}`;
    const call = { name: "shell", arguments: { command: `touch ${file}` } };
    const calling = client.callTool(call, { signal: ended.signal });
    calling.catch(() => undefined);
    await untilTrue("it waits in the queue", async () =>
      (await runCli(place, ["approve", "--json"])).stdout.includes(file),
    );
    assert.deepEqual([forms, existsSync(join(place.folder, file))], [0, false]);
    ended.abort();
  }
});
