import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { isLong } from "../support/property-runs.ts";
import { rawServer, toolOf } from "../support/servers/mcp.ts";
import type { ServerPlan } from "../support/servers/mcp-server.ts";
import { createPlace, until } from "./support/cli.ts";
import { connectMcp, textOf } from "./support/mcp-client.ts";

/** A long run has fifty servers and thousands of calls. */
const [LIVE, BROKEN, CALLS] = isLong ? [40, 5, 3000] : [8, 2, 300];
/** A hanging server times out after 30 s: a client that waited for one takes longer than this on any machine. */
const WITHOUT_WAITING_MS = 20_000;

test("of many servers some are dead and some hang: the others work without waiting for them", async (t) => {
  const place = createPlace(t);
  const plans: readonly (readonly [string, ServerPlan])[] = [
    ...names("dead", BROKEN).map((name) => [name, { start: "die" }] as const),
    ...names("hanging", BROKEN).map((name) => [name, { start: "hang" }] as const),
    ...names("live", LIVE).map((name) => [name, { tools: [toolOf("echo")] }] as const),
  ];
  const mcpServers = Object.fromEntries(
    plans.map(([name, plan]) => {
      const { command, args } = rawServer(t, plan).server;
      return [name, { command, args }];
    }),
  );
  writeFileSync(
    join(place.home, "config.json"),
    JSON.stringify({ mcpServers, toolLimit: 100_000, toolTokens: 10_000_000 }),
  );
  const startedAt = performance.now();
  const { client, heard } = await connectMcp(t, place, { args: ["--mode", "yolo"] });
  const greetedAt = performance.now();
  assert.ok(greetedAt - startedAt < WITHOUT_WAITING_MS, "the handshake waits for no server");
  const { tools } = await client.listTools();
  assert.ok(
    performance.now() - greetedAt < WITHOUT_WAITING_MS,
    "the first list does not wait for those that hang",
  );
  assert.ok(
    tools.some(({ name }) => name === "read_file"),
    "what needs no server is there",
  );
  const live = names("live", LIVE).map((name) => `${name}__echo`);
  let listed = tools.map(({ name }) => name);
  const isTold = (): boolean =>
    heard.splice(0).some(({ method }) => method === "notifications/tools/list_changed");
  while (!live.every((name) => listed.includes(name))) {
    await until("the list changes until all that live are in it", isTold, 60_000);
    listed = (await client.listTools()).tools.map(({ name }) => name);
  }
  const answers = await Promise.all(live.map((name) => client.callTool({ name, arguments: { text: name } })));
  assert.deepEqual(answers.map(textOf), live);
  assert.deepEqual(
    listed.filter((name) => /^(dead|hanging)/.test(name)),
    [],
  );
});

test("after many calls the gateway answers unusual calls exactly as it did at the start", async (t) => {
  const place = createPlace(t);
  const { command, args } = rawServer(t, { tools: [toolOf("echo")] }).server;
  writeFileSync(join(place.home, "config.json"), JSON.stringify({ mcpServers: { one: { command, args } } }));
  const { client } = await connectMcp(t, place, { args: ["--mode", "yolo", "--tools", "*"] });
  // The first list waits for the server.
  await client.listTools();
  const call = (name: string, input: object): Promise<string> =>
    client.callTool({ name, arguments: { ...input } }).then(textOf, String);
  const odd = async (): Promise<readonly string[]> => [
    await call("one__echo", { text: "ä\t\n".repeat(300) }),
    await call("one__echo", { text: "a\u2028b\u2029c\u0085d" }),
    await call("one__echo", { text: 7 }),
    await call("one__none", {}),
    await call("think", { thought: "why", more: [{}, null] }),
    await call("think", {}),
  ];
  const first = await odd();
  for (let made = 0; made < CALLS; made += 50) {
    const texts = Array.from({ length: 50 }, (_, index) => `text ${made + index}`);
    assert.deepEqual(await Promise.all(texts.map((text) => call("one__echo", { text }))), texts);
    for (const text of texts.slice(0, 25)) assert.equal(await call("one__echo", { text }), text);
  }
  assert.deepEqual(await odd(), first);
});

function names(kind: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `${kind}${index}`);
}
