import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { call } from "../../../../test/support/engines/engine.ts";
import { mcpEngine, rawServer, toolOf, until, type RawServer } from "../../../../test/support/servers/mcp.ts";
import type { ServerPlan } from "../../../../test/support/servers/mcp-server.ts";
import type { Engine } from "../../../engine/types/engine.ts";
import type { AccessCheck, UpstreamMcp } from "../types/gateway-types.ts";
import { createUpstream } from "./upstream-mcp.ts";

const { signal } = new AbortController();
const ALLOWED: AccessCheck = { checkPrompt: () => undefined, checkResource: () => Promise.resolve() };

interface Opened {
  readonly raw: RawServer;
  readonly engine: Engine;
  readonly upstream: UpstreamMcp;
}

async function open(t: TestContext, plan: ServerPlan): Promise<Opened> {
  const raw = rawServer(t, plan);
  const { engine, source } = await mcpEngine(t, { server: raw.server });
  // A source that is watched is started again by itself.
  t.after(source.watch?.(() => undefined) ?? (() => undefined));
  const upstream = createUpstream({ sources: [source] });
  t.after(() => upstream.close());
  return { raw, engine, upstream };
}

function count(raw: RawServer, line: string): number {
  return raw.diary().filter((one) => one === line).length;
}

test("one subscription at the server serves all subscribers, and ends with the last of them", async (t) => {
  const { raw, upstream } = await open(t, { resources: [{ uri: "note://one", name: "one" }] });
  const stops = await Promise.all(
    [1, 2, 3].map(() => upstream.subscribe("note://one", () => undefined, ALLOWED, signal)),
  );
  assert.equal(count(raw, "resources/subscribe"), 1);
  const [first, ...others] = stops;
  first?.();
  first?.();
  assert.equal(count(raw, "resources/unsubscribe"), 0, "the others still watch");
  for (const stop of others) stop?.();
  await raw.told("resources/unsubscribe");
});

test("a restarted server is subscribed again, and each subscriber receives an update", async (t) => {
  const { raw, engine, upstream } = await open(t, {
    resources: [{ uri: "note://one", name: "one" }],
    tools: [toolOf("die")],
  });
  let updates = 0;
  const lists: string[] = [];
  upstream.watch((what) => lists.push(what));
  await upstream.subscribe("note://one", () => (updates += 1), ALLOWED, signal);
  await engine.run(call("raw__die"));
  await until(() => updates > 0, "the subscriber is notified");
  assert.equal(count(raw, "resources/subscribe"), 2);
  assert.deepEqual(new Set(lists), new Set(["prompts", "resources"]));
});

test("a server that reports changes without end is throttled, and later changes still arrive", async (t) => {
  const { engine, upstream } = await open(t, {
    resources: [{ uri: "note://one", name: "one" }],
    tools: [toolOf("updated")],
  });
  let updates = 0;
  await upstream.subscribe("note://one", () => (updates += 1), ALLOWED, signal);
  const since = performance.now();
  await engine.run(call("raw__updated", { uri: "note://one", count: 5000 }));
  const before = updates;
  const most = 3 + (performance.now() - since) / 100;
  assert.ok(before >= 1 && before <= most, `${before} were passed on, at most ${most}`);
  await engine.run({ ...call("raw__updated", { uri: "note://one", count: 1 }), id: "2" });
  await until(() => updates > before, "the next is passed on");
});

test("what a server that is gone has listed is known to be its own, and is not listed", async (t) => {
  const { raw, engine, upstream } = await open(t, {
    resources: [{ uri: "note://one", name: "one" }],
    tools: [toolOf("die")],
  });
  assert.equal((await upstream.resources(signal)).length, 1);
  raw.plan({ start: "die" });
  await engine.run(call("raw__die"));
  assert.deepEqual(await upstream.resources(signal), []);
  assert.deepEqual(await upstream.locate("note://one", signal), { server: "raw", uri: "note://one" });
});

test("prompts with the same name get different names, and one that is listed twice is one", async (t) => {
  const prompts = ["a b", "a_b", "a b", `${"x".repeat(70)}1`, `${"x".repeat(70)}2`].map((name) => ({ name }));
  const { upstream } = await open(t, { prompts });
  const listed = (await upstream.prompts(signal)).map(({ name }) => name as string);
  assert.equal(listed.length, 4);
  assert.equal(new Set(listed).size, 4);
  for (const name of listed) assert.match(name, /^raw__[A-Za-z0-9_-]{1,59}$/);
  const [first = "", second = ""] = listed;
  const texts = await Promise.all(
    [first, second].map((name) => upstream.getPrompt(name, {}, ALLOWED, { signal })),
  );
  assert.match(JSON.stringify(texts[0]), /a b/);
  assert.match(JSON.stringify(texts[1]), /a_b/);
});

test("an address that means something to us is never a server's own", async (t) => {
  const listed = ["artifact://abc", "mcp:raw/x", "note://one"];
  const { upstream } = await open(t, { resources: listed.map((uri) => ({ uri, name: uri })) });
  const uris = (await upstream.resources(signal)).map(({ uri }) => uri as string);
  assert.deepEqual(uris, ["mcp:raw/artifact://abc", "mcp:raw/mcp:raw/x", "note://one"]);
  for (const [index, uri] of uris.entries())
    assert.deepEqual(await upstream.locate(uri, signal), { server: "raw", uri: listed[index] });
});

test("an address stays with the server it was given to, also when that server fails to list it once", async (t) => {
  const plan: ServerPlan = { resources: [{ uri: "note://one", name: "one" }] };
  const [first, second] = [rawServer(t, plan), rawServer(t, plan)];
  const { source: a } = await mcpEngine(t, { name: "a", server: first.server });
  const { source: b } = await mcpEngine(t, { name: "b", server: second.server });
  const upstream = createUpstream({ sources: [a, b] });
  t.after(() => upstream.close());
  const addresses = async (): Promise<readonly unknown[]> =>
    (await upstream.resources(signal)).map(({ uri }) => uri);
  assert.deepEqual(await addresses(), ["note://one", "mcp:b/note://one"]);
  first.plan({ resources: "none" as never });
  assert.deepEqual(await addresses(), ["note://one", "mcp:b/note://one"]);
  assert.equal((await upstream.locate("note://one", signal))?.server, "a");
});
