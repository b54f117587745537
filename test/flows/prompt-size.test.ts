// The size of the first request of a conversation with the default tools, counted as OpenAI's models count.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { createAgentHost } from "../../src/app/host/agent/agent-host.ts";
import { estimateTokens } from "../../src/agent/context/estimate-tokens.ts";
import { fakeModel } from "../support/models/fake-model.ts";
import { modelOn } from "../support/models/provider-model.ts";
import { WIRES } from "../support/models/provider-streams.ts";
import { openBorderHost } from "../support/sandboxes/border-host.ts";

const MOST_TOKENS = 6000;
const MOST_BYTES = 24_000;

for (const wire of [WIRES.anthropic, WIRES.openai, WIRES["openai-chat"], WIRES.google])
  test(`${wire.id}: the first request has at most ${MOST_TOKENS} tokens and ${MOST_BYTES} bytes`, async (t) => {
    const { model, server } = await modelOn(t, wire, [{ body: wire.stream({ text: "Done." }) }]);
    const place = await openBorderHost(t, {});
    await fill(place);
    await using open = await createAgentHost(place.host).open({
      model,
      kind: "run",
      budget: {},
      onEvent: () => undefined,
    });
    assert.equal((await open.agent.send("Hello.")).kind, "answered");
    const [request] = server.requests;
    const text = request?.text ?? "";
    assert.match(text, /key29/);
    t.diagnostic(`${countTokens(text)} tokens, ${Buffer.byteLength(text)} bytes`);
    assert.ok(countTokens(text) <= MOST_TOKENS, `${countTokens(text)} tokens`);
    assert.ok(Buffer.byteLength(text) <= MOST_BYTES, `${Buffer.byteLength(text)} bytes`);
  });

test("the estimate of a request is not below what is counted, and at most two thirds above", async (t) => {
  const model = fakeModel(() => ({ text: "Done." }));
  const { host } = await openBorderHost(t, {});
  await using open = await createAgentHost(host).open({
    model,
    kind: "run",
    budget: {},
    onEvent: () => undefined,
  });
  await open.agent.send("Hello.");
  const [request] = model.requests;
  assert.ok(request !== undefined);
  const { instructions, messages, tools } = request;
  const counted = countTokens(JSON.stringify([instructions, messages, tools]));
  const ratio = estimateTokens(request) / counted;
  t.diagnostic(`estimated ${estimateTokens(request)}, counted ${counted}`);
  assert.ok(ratio >= 1 && ratio <= 1.67, String(ratio));
});

/** Fills what is bounded in the prompt: memories and changed files. */
async function fill({ run, workspace }: Awaited<ReturnType<typeof openBorderHost>>): Promise<void> {
  execFileSync("git", ["init", "-q", workspace]);
  for (let index = 0; index < 30; index += 1) {
    writeFileSync(join(workspace, `a-file-with-a-long-name-${index}.txt`), "");
    await run("remember", { key: `key${index}`, value: "A value of many words. ".repeat(20) });
  }
}
