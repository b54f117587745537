import assert from "node:assert/strict";
import { test } from "node:test";
import { createPlace, longCommand, processesWith, until, withoutProc } from "./support/cli.ts";
import { serveMcp } from "./support/mcp-client.ts";

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "x", version: "1" } },
};

async function post(
  address: URL,
  body: object | string,
  session = "",
): Promise<{
  readonly status: number;
  readonly type: string;
  readonly session: string;
  readonly text: string;
}> {
  const response = await fetch(address, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(session !== "" && { "mcp-session-id": session, "mcp-protocol-version": "2025-11-25" }),
    },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  return {
    status: response.status,
    type: response.headers.get("content-type") ?? "",
    session: response.headers.get("mcp-session-id") ?? "",
    text: await response.text(),
  };
}

function call(id: number, name: string, given: object, meta?: object): object {
  const params = { name, arguments: given, ...(meta !== undefined && { _meta: meta }) };
  return { jsonrpc: "2.0", id, method: "tools/call", params };
}

test("a short call is answered with a plain response; a long one, and one with progress, with a stream", async (t) => {
  const { address } = await serveMcp(t, createPlace(t), ["--mode", "yolo", "--tools", "*"]);
  const { session } = await post(address, INITIALIZE);
  const thought = { thought: "x" };
  const short = await post(address, call(1, "think", thought), session);
  assert.match(short.type, /^application\/json/);
  assert.deepEqual(JSON.parse(short.text), {
    jsonrpc: "2.0",
    id: 1,
    result: { content: [{ type: "text", text: "Noted." }] },
  });
  const long = await post(address, call(2, "shell", { command: "sleep 0.1; echo late" }), session);
  assert.match(long.type, /^text\/event-stream/);
  assert.match(long.text, /^data: .*late.*"id":2/m);
  const told = await post(address, call(3, "think", thought, { progressToken: 1 }), session);
  assert.match(told.type, /^text\/event-stream/);
  assert.equal((await post(address, "{", session)).status, 400);
  assert.match((await post(address, call(4, "nothing", {}), session)).text, /no tool is named/);
});

test("a call can be cancelled at every stage of its answer", { skip: withoutProc }, async (t) => {
  const { address } = await serveMcp(t, createPlace(t), ["--mode", "yolo", "--tools", "*"]);
  const { session } = await post(address, INITIALIZE);
  for (const [id, isLate] of [
    [1, false],
    [2, true],
  ] as const) {
    const { command, mark } = longCommand();
    let isStreamed = false;
    const running = post(address, call(id, "shell", { command }), session).catch(() => undefined);
    await until("it runs", () => processesWith(mark).length > 0);
    // A request behind it is answered when the first is long past the time of short calls.
    if (isLate)
      isStreamed = (await post(address, call(9, "shell", { command: "sleep 0.1" }), session)).status === 200;
    assert.equal(isStreamed, isLate);
    const cancelled = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } };
    await post(address, cancelled, session);
    await until("it is gone", () => processesWith(mark).length === 0);
    void running;
  }
});

test("a client whose commands are hard to read keeps no other client waiting", async (t) => {
  // Nobody can approve a call there, so one that needs approval is denied at once.
  const { address } = await serveMcp(t, createPlace(t), [
    "--mode",
    "auto",
    "--store",
    ":memory:",
    "--tools",
    "*",
  ]);
  const [hostile, other] = [await post(address, INITIALIZE), await post(address, INITIALIZE)];
  const commands = [
    `${"env ".repeat(10_000)} ls`,
    `${"$(".repeat(10_000)}ls${")".repeat(10_000)}`,
    "a|".repeat(30_000),
    "a ".repeat(500_000),
  ];
  const over = new AbortController();
  let refused = 0;
  const attack = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const command = commands[refused % commands.length] ?? "";
      const { text } = await post(address, call(refused, "shell", { command }), hostile.session);
      assert.match(text, /cannot be analyzed/);
      refused += 1;
    }
  };
  const attacking = attack();
  for (let id = 1; id <= 20; id += 1) {
    const { text } = await post(address, call(id, "think", { thought: "x" }), other.session);
    assert.match(text, /Noted/);
  }
  over.abort();
  await attacking;
  assert.ok(refused > 0);
});
