import assert from "node:assert/strict";
import { test } from "node:test";
import type { McpMessage } from "../../../sources/mcp/types/source-types.ts";
import { createListeners } from "../../../util/async/listeners.ts";
import { followTraffic } from "./mcp-traffic.ts";

const message = (parts: Partial<McpMessage>): McpMessage => ({
  at: 0,
  direction: "sent",
  isError: false,
  bytes: 2,
  text: "{}",
  ...parts,
});

test("an answer has the method and the time of its request, also if both sides number alike", () => {
  const { add, emit } = createListeners<[McpMessage]>();
  const traffic = followTraffic([{ name: "mcp:x", watchMessages: add }]);
  emit(message({ at: 10, id: "1", method: "tools/call" }));
  emit(message({ at: 12, id: "1", method: "sampling/createMessage", direction: "received" }));
  emit(message({ at: 15, id: "1", direction: "sent", isError: true }));
  emit(message({ at: 30, id: "1", direction: "received" }));
  emit(message({ at: 31, method: "notifications/progress", direction: "received" }));
  assert.deepEqual(
    traffic.of("mcp:x").map(({ kind, method, tookMs }) => [kind, method, tookMs]),
    [
      ["request", "tools/call", null],
      ["request", "sampling/createMessage", null],
      ["error", "sampling/createMessage", 3],
      ["answer", "tools/call", 20],
      ["notification", "notifications/progress", null],
    ],
  );
  assert.deepEqual(traffic.of("mcp:y"), []);
});

test("the last 200 messages of a server are held, and none after the end", () => {
  const { add, emit, isAny } = createListeners<[McpMessage]>();
  const traffic = followTraffic([{ name: "mcp:x", watchMessages: add }]);
  for (let at = 0; at < 250; at += 1) emit(message({ at }));
  assert.deepEqual([traffic.of("mcp:x").length, traffic.of("mcp:x")[0]?.at], [200, 50]);
  traffic.close();
  assert.equal(isAny(), false);
});
