import assert from "node:assert/strict";
import { test } from "node:test";
import { openAgent } from "../../../test/support/agents/agent.ts";
import { say } from "../../../test/support/engines/sources.ts";
import { estimateTokens } from "../context/estimate-tokens.ts";

const IMAGE = { type: "image", mimeType: "image/png", data: "AAAA" } as const;

test("the parts are those of the next request, and together as large as it", async (t) => {
  const { agent, engine, model } = await openAgent(
    t,
    [{ calls: [{ name: "saw", input: {} }] }, { text: "Done." }, { text: "Again." }],
    {
      instructions: [
        { name: "manners", text: "Be kind." },
        { name: "place", text: "You are here." },
      ],
    },
  );
  engine.groups.create("wood");
  engine.add([
    { ...say("saw"), group: "wood", source: "built-in" },
    { ...say("axe"), source: "mcp:shed" },
  ]);
  const before = await agent.context();
  assert.equal(before.countedTokens, undefined);
  assert.deepEqual(
    before.parts.map(({ kind, name }) => `${kind} ${name}`),
    ["prompt manners", "prompt place", "tools wood", "tools mcp:shed"],
  );
  await agent.send([{ type: "text", text: "Go." }, IMAGE]);
  const { parts, countedTokens } = await agent.context();
  assert.equal(countedTokens, 10);
  assert.deepEqual(
    parts.filter(({ kind }) => kind === "messages").map(({ name, count }) => [name, count]),
    [
      ["user", 1],
      ["attachments", 1],
      ["assistant", 2],
      ["results", 1],
    ],
  );
  assert.ok(parts.every(({ tokens }) => tokens > 0));
  const sum = parts.reduce((all, { tokens }) => all + tokens, 0);
  await agent.send("More.");
  const request = model.requests.at(-1);
  assert.ok(request !== undefined);
  const whole = estimateTokens({ ...request, messages: request.messages.slice(0, -1) });
  assert.ok(Math.abs(whole - sum) < 20, `${whole} and ${sum}`);
});
