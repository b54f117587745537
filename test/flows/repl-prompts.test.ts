// Prompts of MCP servers in the REPL, and the REPL without a model: through a pipe, where every word can be told apart.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { rawServer, toolOf } from "../support/servers/mcp.ts";
import { createPlace, runCli } from "./support/cli.ts";

test("/server:prompt sends the prompt as the user's message", async (t) => {
  const place = createPlace(t);
  const prompt = { name: "greet", arguments: [{ name: "who", required: true }] };
  const { command, args } = rawServer(t, { tools: [toolOf("echo")], prompts: [prompt] }).server;
  writeFileSync(join(place.home, "config.json"), JSON.stringify({ mcpServers: { raw: { command, args } } }));
  place.write("script.jsonl", '{"when": "Ada", "text": "Hello Ada, said the model."}\n');
  const { code, stdout, stderr } = await runCli(place, ["chat", "--model", "scripted/script.jsonl"], {
    input: "/raw:greet who=Ada\n/raw:nothing\n",
  });
  assert.equal(code, 0, stderr);
  assert.match(stdout, /Hello Ada, said the model\./);
  assert.match(stdout, /has no prompt "\/raw:nothing"\n {2}it has \/raw:greet/);
});

test("a file that the text of a prompt names is not attached: the text comes from a server", async (t) => {
  const place = createPlace(t);
  const prompt = { name: "greet", arguments: [{ name: "who", required: true }] };
  const { command, args } = rawServer(t, { tools: [toolOf("echo")], prompts: [prompt] }).server;
  writeFileSync(join(place.home, "config.json"), JSON.stringify({ mcpServers: { raw: { command, args } } }));
  place.write("notes.md", "buy milk\n");
  place.write("script.jsonl", '{"when": "Ada", "text": "Hello."}\n');
  const { code, stdout, stderr } = await runCli(place, ["chat", "--model", "scripted/script.jsonl"], {
    input: '/raw:greet who="Ada and @notes.md too"\n',
  });
  assert.equal(code, 0, stderr);
  assert.match(stdout, /Hello\./);
  assert.doesNotMatch(stderr, /read_file/);
  const typed = await runCli(place, ["chat", "--model", "scripted/script.jsonl"], {
    input: "Ada, read @notes.md now\n",
  });
  assert.match(typed.stderr, /read_file/, "but that of a message is");
});

test("without a model the REPL opens, commands work, and a message shows what to do", async (t) => {
  const { code, stdout, stderr } = await runCli(createPlace(t), ["chat"], { input: "/mode\nhello\n" });
  assert.equal(code, 2);
  assert.match(stdout, /^\* mode auto /m);
  assert.match(stderr, /no model is set: \/model lists what you can use, \/tour shows/);
  assert.match(stderr, /no model is set\n {2}choose one: \/model lists what can be used/);
});
