import assert from "node:assert/strict";
import { test } from "node:test";
import { call } from "../../../../test/support/engines/engine.ts";
import { mcpEngine, rawServer, toolOf } from "../../../../test/support/servers/mcp.ts";
import type { McpMessage } from "../types/source-types.ts";

test("messages are reported to listeners, each once, with secrets masked; without a listener none is", async (t) => {
  const { server } = rawServer(t, { tools: [toolOf("echo"), toolOf("refuse")] });
  const { engine, source } = await mcpEngine(t, { server, mask: (text) => text.replaceAll("s3cret", "***") });
  const seen: McpMessage[] = [];
  const stop = source.watchMessages((message) => seen.push(message));
  await engine.run(call("raw__echo", { text: "my s3cret" }));
  const [request, answer, ...others] = seen;
  assert.deepEqual([request?.direction, request?.method, request?.isError], ["sent", "tools/call", false]);
  assert.deepEqual([answer?.direction, answer?.method, answer?.id], ["received", undefined, request?.id]);
  assert.deepEqual(others, []);
  assert.match(request?.text ?? "", /"text":"my \*\*\*"/);
  assert.doesNotMatch(`${request?.text} ${answer?.text}`, /s3cret/);
  stop();
  await engine.run(call("raw__echo", { text: "later" }));
  assert.equal(seen.length, 2);
});
