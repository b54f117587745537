// An MCP server that wants a model's answer, through the real program; the model is the scripted one.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { test } from "node:test";
import { rawServer, toolOf } from "../support/mcp.ts";
import type { Place } from "./support/cli.ts";
import { createPlace, runCli } from "./support/cli.ts";

const ASKED = {
  messages: [{ role: "user", content: { type: "text", text: "What is the capital of Norway?" } }],
  systemPrompt: "Be brief.",
  maxTokens: 100,
};

function place(t: TestContext): Place {
  const made = createPlace(t);
  const { command, args } = rawServer(t, {
    tools: [toolOf("sample", { annotations: { readOnlyHint: true } })],
  }).server;
  writeFileSync(join(made.home, "config.json"), JSON.stringify({ mcpServers: { raw: { command, args } } }));
  made.write("script.jsonl", '{"when": "Norway", "text": "Oslo."}\n');
  return made;
}

const MODEL = { TOOLWRIGHT_MODEL: "scripted/script.jsonl" };
const CALL = ["call", "raw__sample", "--args", JSON.stringify(ASKED)];

test("in yolo the configured model answers the server", async (t) => {
  const { code, stdout, stderr } = await runCli(place(t), [...CALL, "--mode", "yolo"], {
    environment: MODEL,
  });
  assert.equal(code, 0, stderr);
  assert.match(stdout, /Oslo\./);
  assert.match(stdout, /scripted\/script\.jsonl/);
});

test("else it answers once somebody has approved that", async (t) => {
  const { code, stdout, stderr } = await runCli(place(t), [...CALL, "--yes"], { environment: MODEL });
  assert.equal(code, 0, stderr);
  assert.match(stdout, /Oslo\./);
});

test("where the call is allowed but nobody can approve the question, the model is not asked, and the server is told why", async (t) => {
  const at = place(t);
  const rule = { tool: "raw__sample", decision: "allow" };
  writeFileSync(join(at.home, "policy.json"), JSON.stringify({ rules: [rule] }));
  const { stdout, stderr } = await runCli(at, CALL, { environment: MODEL });
  assert.doesNotMatch(stdout, /Oslo/);
  assert.match(`${stdout}${stderr}`, /no terminal to ask on/);
});

for (const policy of [
  { mode: "plan", rules: [{ tool: "raw__sample", decision: "allow" }] },
  { rules: [{ tool: "sampling", decision: "deny" }] },
  { rules: [{ tool: "sampling", input: { server: "raw" }, decision: "deny" }] },
])
  test(`in yolo too the rules decide whether the model is asked: ${JSON.stringify(policy)}`, async (t) => {
    const at = place(t);
    const { mcpServers } = JSON.parse(readFileSync(join(at.home, "config.json"), "utf8")) as {
      readonly mcpServers: { readonly raw: object };
    };
    // Of low risk, so that plan mode lets it run.
    const raw = { ...mcpServers.raw, trustAnnotations: true };
    writeFileSync(join(at.home, "config.json"), JSON.stringify({ mode: "yolo", mcpServers: { raw } }));
    writeFileSync(join(at.home, "policy.json"), JSON.stringify(policy));
    const { stdout, stderr } = await runCli(at, CALL, { environment: MODEL });
    assert.doesNotMatch(stdout, /Oslo/);
    assert.match(`${stdout}${stderr}`, /no model is asked on behalf of a server/);
  });

test("without a model it is declined, and the reason is told", async (t) => {
  const { stdout, stderr } = await runCli(place(t), [...CALL, "--mode", "yolo"]);
  assert.match(`${stdout}${stderr}`, /no model is set up for sampling/);
});

test("what the model's provider says is told to the server", async (t) => {
  const at = place(t);
  at.write("script.jsonl", '{"when": "Sweden", "text": "Stockholm."}\n');
  const { stdout, stderr } = await runCli(at, [...CALL, "--mode", "yolo"], { environment: MODEL });
  assert.match(`${stdout}${stderr}`, /Sweden/);
});
