import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { connectionOf } from "./connection/connection.ts";
import { call, codeOf, textOf } from "../../../test/support/engines/engine.ts";
import { mcpEngine, until } from "../../../test/support/servers/mcp.ts";
import { rawHttp } from "../../../test/support/servers/mcp-http.ts";
import { names, reasons } from "../../../test/support/engines/sources.ts";
import { provide } from "../../core/context.ts";
import { childEnvironment } from "../../system/process/environment.ts";
import { StreamEnd } from "./types/client-keys.ts";

const SIGNAL = new AbortController().signal;

for (const [what, plan] of [
  ["streamable HTTP, answered at once", {}],
  ["streamable HTTP, answered by a stream", { streams: true }],
  ["the older server-sent events", { isSse: true }],
] as const) {
  test(`a server on ${what} works, and gets the configured headers with every request`, async (t) => {
    const raw = await rawHttp(t, plan);
    const server = { ...raw.server, headers: { Authorization: "Bearer abc", "X-Team": "blue" } };
    const { engine } = await mcpEngine(t, { server });
    assert.deepEqual([names(engine), engine.sources.problems()], [["raw__echo", "raw__big"], []]);
    assert.equal(textOf(await engine.run(call("raw__echo", { text: "hi" }))), "hi");
    assert.ok(raw.requests.some(({ method }) => method === "tools/call"));
    for (const { headers } of raw.requests)
      assert.deepEqual([headers["authorization"], headers["x-team"]], ["Bearer abc", "blue"]);
  });
}

test("a server that refuses access is unauthorized, with a hint", async (t) => {
  const raw = await rawHttp(t, { status: 401 });
  const { engine, source } = await mcpEngine(t, { server: raw.server });
  const [problem] = engine.sources.problems();
  assert.deepEqual([problem?.reason, /header/.test(problem?.hint ?? "")], ["unauthorized", true]);
  await assert.rejects(source.connection(SIGNAL), { code: "UNAUTHORIZED" });
});

for (const streams of [false, true]) {
  test(`an answer beyond the limit ends the connection${streams ? ", in a stream too" : ""}, and the next call opens a new one`, async (t) => {
    const raw = await rawHttp(t, { streams });
    const { engine } = await mcpEngine(t, { server: raw.server, maxMessageBytes: 100_000 });
    assert.equal(codeOf(await engine.run(call("raw__big", { bytes: 50_000 }))), "ok");
    const big = await engine.run(call("raw__big", { bytes: 500_000 }));
    assert.equal(codeOf(big), "INVALID_OUTPUT");
    await until(async () => codeOf(await engine.run(call("raw__echo"))) === "ok", "it works again");
  });
}

test("a session that the server no longer knows is started again, and the call is answered", async (t) => {
  const raw = await rawHttp(t);
  const { engine } = await mcpEngine(t, { server: raw.server });
  raw.forget();
  assert.equal(textOf(await engine.run(call("raw__echo", { text: "hi" }))), "hi");
  assert.equal(raw.requests.filter(({ method }) => method === "initialize").length, 2);
});

test("a server may end the stream of a call and answer when it is resumed, which a gateway can pass on", async (t) => {
  const raw = await rawHttp(t, { polls: true });
  const { engine } = await mcpEngine(t, { server: raw.server });
  const ended: string[] = [];
  const follow = (text: string) => {
    const context = [provide(StreamEnd, () => void ended.push(text))];
    return engine.run(call("raw__echo", { text }), { context });
  };
  for (const text of ["one", "two"]) assert.equal(textOf(await follow(text)), text);
  assert.deepEqual(ended, ["one", "two"]);
});

test("a call to a server that is down is UNAVAILABLE, and works when it is up again", async (t) => {
  const raw = await rawHttp(t);
  const { engine } = await mcpEngine(t, { server: raw.server });
  await raw.close();
  assert.equal(codeOf(await engine.run(call("raw__echo"))), "UNAVAILABLE");
  assert.equal(codeOf(await engine.run(call("raw__echo"))), "UNAVAILABLE");
  await raw.open();
  await until(async () => codeOf(await engine.run(call("raw__echo"))) === "ok", "it works again");
});

test("a URL without a server is reported as unreachable", async (t) => {
  const raw = await rawHttp(t);
  await raw.close();
  const { engine } = await mcpEngine(t, { server: raw.server });
  assert.deepEqual(reasons(engine.sources.problems()), ["mcp:raw raw unreachable"]);
  assert.match(engine.sources.problems()[0]?.message ?? "", /ECONNREFUSED/);
});

test("a server that supports only the newest protocol is used with it", async (t) => {
  const script = fileURLToPath(
    new URL("../../../test/support/servers/modern-mcp-server.ts", import.meta.url),
  );
  const environment = childEnvironment(process.env);
  const server = { kind: "stdio", command: process.execPath, args: [script], environment, cwd: "/" } as const;
  const { engine, source } = await mcpEngine(t, { name: "modern", server });
  assert.deepEqual(engine.sources.problems(), []);
  assert.equal(textOf(await engine.run(call("modern__echo", { text: "hi" }))), "hi");
  const { client } = await connectionOf(source, SIGNAL);
  assert.equal(client.getProtocolEra(), "modern");
});
