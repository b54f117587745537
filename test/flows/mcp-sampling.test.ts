// Sampling requests of an MCP server, through the real program with a scripted model.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { rawServer, toolOf } from "../support/servers/mcp.ts";
import { createPlace, runCli, type Place } from "./support/cli.ts";

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

test("in other modes it answers after approval", async (t) => {
  const { code, stdout, stderr } = await runCli(place(t), [...CALL, "--yes"], { environment: MODEL });
  assert.equal(code, 0, stderr);
  assert.match(stdout, /Oslo\./);
});

test("if the call is allowed but nothing can approve the sampling request, it is declined with the reason", async (t) => {
  const at = place(t);
  const rule = { tool: "raw__sample", decision: "allow" };
  writeFileSync(join(at.home, "policy.json"), JSON.stringify({ rules: [rule] }));
  const { stdout, stderr } = await runCli(at, CALL, { environment: MODEL });
  assert.doesNotMatch(stdout, /Oslo/);
  assert.match(`${stdout}${stderr}`, /no terminal to prompt on/);
});

for (const policy of [
  { mode: "plan", rules: [{ tool: "raw__sample", decision: "allow" }] },
  { rules: [{ tool: "sampling", decision: "deny" }] },
  { rules: [{ tool: "sampling", input: { server: "raw" }, decision: "deny" }] },
])
  test(`in yolo too the rules decide about sampling: ${JSON.stringify(policy)}`, async (t) => {
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

test("without a model sampling is declined with the reason", async (t) => {
  const { stdout, stderr } = await runCli(place(t), [...CALL, "--mode", "yolo"]);
  assert.match(`${stdout}${stderr}`, /no model is set up for sampling/);
});

test("the error of the model provider is passed to the server", async (t) => {
  const at = place(t);
  at.write("script.jsonl", '{"when": "Sweden", "text": "Stockholm."}\n');
  const { stdout, stderr } = await runCli(at, [...CALL, "--mode", "yolo"], { environment: MODEL });
  assert.match(`${stdout}${stderr}`, /Sweden/);
});
