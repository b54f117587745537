import assert from "node:assert/strict";
import { test } from "node:test";
import { call, textOf } from "../../../../test/support/engines/engine.ts";
import { mcpEngine, rawServer, toolOf, until } from "../../../../test/support/servers/mcp.ts";
import { subscribeToLists } from "./client.ts";
import type { Sample } from "../types/source-types.ts";

const FORM = {
  message: "Who?",
  requestedSchema: { type: "object", properties: { name: { type: "string" } } },
};
const SAMPLE = { messages: [], maxTokens: 10 };

for (const [method, params] of [
  ["elicitation/create", FORM],
  ["sampling/createMessage", SAMPLE],
] as const) {
  test(`of a flood of ${method} requests a few are passed on, and the rest is declined`, async (t) => {
    const raw = rawServer(t, { tools: [toolOf("interrogate")] });
    const answered = (): number => raw.diary().filter((line) => line === "answered").length;
    let asked = 0;
    // Each stays open until the others are declined.
    const hold = (): Promise<void> => {
      asked += 1;
      return until(() => asked > 8 || answered() >= 92, "the rest was declined");
    };
    const sample: Sample = async () => {
      await hold();
      return { model: "m", role: "assistant", content: { type: "text", text: "yes" } };
    };
    const approver = {
      async ask() {
        await hold();
        return { approved: true, scope: "once", input: { name: "Ada" } } as const;
      },
    };
    const { engine } = await mcpEngine(t, { server: raw.server, sample }, { approver });
    const result = await engine.run(call("raw__interrogate", { method, count: 100, ...params }));
    const answers = JSON.parse(textOf(result)) as readonly unknown[];
    const declined = answers.filter((one) => JSON.stringify(one).includes("decline"));
    assert.deepEqual([asked, answers.length, declined.length], [8, 100, 92]);
  });
}

test("a server that does not acknowledge the subscription to its lists is connected after a second", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const asked: unknown[] = [];
  const client = {
    getProtocolEra: () => "modern",
    getServerCapabilities: () => ({ tools: { listChanged: true }, prompts: {} }),
    listen(filter: unknown) {
      asked.push(filter);
      return new Promise(() => undefined);
    },
  };
  const subscribed = subscribeToLists(client as never);
  t.mock.timers.tick(1000);
  await subscribed;
  assert.deepEqual(asked, [{ toolsListChanged: true }]);
});
