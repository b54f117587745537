import assert from "node:assert/strict";
import { test } from "node:test";
import { call, codeOf, textOf } from "../../../test/support/engines/engine.ts";
import { mcpEngine, rawServer } from "../../../test/support/servers/mcp.ts";
import { createMcpServers } from "./registry.ts";
import { mcpResourceTools } from "./resource-tools.ts";

const SIGNAL = new AbortController().signal;

test("list_resources and read_resource reach all servers; one that is gone is reported and does not affect the others", async (t) => {
  const resources = [
    { uri: "a://one", name: "one", mimeType: "text/plain", description: "The\nfirst." },
    { name: "no address" },
  ];
  const alive = await mcpEngine(t, { name: "alive", server: rawServer(t, { resources }).server });
  const dead = await mcpEngine(t, { name: "dead", server: rawServer(t, { start: "die" }).server });
  const { engine } = alive;
  engine.add([...mcpResourceTools(createMcpServers([alive.source, dead.source]))]);
  const listed = await engine.run(call("list_resources"));
  assert.match(textOf(listed), /^alive a:\/\/one one \(text\/plain\): The first\.$/m);
  assert.match(textOf(listed), /\(dead: .*exit code 7/);
  const read = await engine.run(call("read_resource", { server: "alive", uri: "a://one" }));
  assert.equal(textOf(read), "read a://one");
  const unknown = await engine.run(call("read_resource", { server: "alife", uri: "a://one" }));
  assert.deepEqual(
    [codeOf(unknown), unknown.ok || unknown.error.hint],
    ["INVALID_INPUT", "servers: alive, dead"],
  );
  const { verdict, facts } = await engine.explain(call("read_resource", { server: "alive", uri: "a://one" }));
  assert.deepEqual(
    [verdict?.kind, facts],
    ["allow", [{ kind: "mcp", server: "alive", tool: "resources/read" }]],
  );
});

test("prompts are named /server:prompt and return their messages under that name", async (t) => {
  const prompts = [
    { name: "review", description: "Reviews.", arguments: [{ name: "file", required: true }] },
  ];
  const { source } = await mcpEngine(t, { name: "s", server: rawServer(t, { prompts }).server });
  const servers = createMcpServers([source]);
  assert.deepEqual(await servers.prompts(SIGNAL), {
    items: [
      {
        name: "/s:review",
        server: "s",
        prompt: "review",
        description: "Reviews.",
        arguments: [{ name: "file", description: "", isRequired: true }],
      },
    ],
    unavailable: [],
  });
  assert.deepEqual(await servers.prompt("/s:review", { file: "a.ts" }, SIGNAL), [
    { role: "user", content: { type: "text", text: 'review {"file":"a.ts"}' } },
  ]);
  await assert.rejects(servers.prompt("/other:review", {}, SIGNAL), { code: "INVALID_INPUT" });
  assert.equal((await servers.findPrompt("/s:review", SIGNAL)).prompt, "review");
  for (const [name, message] of [
    ["/s:other", /"s" has no prompt "\/s:other"/],
    ["/other:review", /unknown MCP server "other"/],
    ["review", /expected \/server:prompt/],
  ] as const)
    await assert.rejects(servers.findPrompt(name, SIGNAL), { code: "INVALID_INPUT", message });
});
