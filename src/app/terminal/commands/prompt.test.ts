import assert from "node:assert/strict";
import { test } from "node:test";
import type { McpPrompt, McpPromptMessage, McpServers } from "../../../sources/mcp/types/source-types.ts";
import { createMcpServers } from "../../../sources/mcp/registry.ts";
import { mcpEngine, rawServer } from "../../../../test/support/servers/mcp.ts";
import { engineOf } from "../../../../test/support/engines/sources.ts";
import { readPromptText, readPromptArguments, promptCommand, promptCommands, promptText } from "./prompt.ts";

const SIGNAL = new AbortController().signal;

function promptOf(...names: readonly string[]): McpPrompt {
  return {
    name: "/s:p",
    server: "s",
    prompt: "p",
    description: "",
    arguments: names.map((name) => ({
      name: name.replace("?", ""),
      description: "",
      isRequired: !name.endsWith("?"),
    })),
  };
}

for (const [names, text, values] of [
  [["file"], "  a b.ts  ", { file: "a b.ts" }],
  [["file"], "file=a.ts", { file: "a.ts" }],
  [["file"], 'say "hi" = it\'s', { file: 'say "hi" = it\'s' }],
  [["a", "b?"], "a=1", { a: "1" }],
  [["a", "b?"], `a="one two" b='3 "4"'`, { a: "one two", b: '3 "4"' }],
  [["a", "b"], "a= b=x=y", { a: "", b: "x=y" }],
  [["a?"], "", {}],
  [[], " ", {}],
] as const) {
  test(`of the line ${JSON.stringify(text)} a prompt with ${names.join(", ") || "none"} is given ${JSON.stringify(values)}`, () => {
    assert.deepEqual(readPromptText(promptOf(...names), text), values);
  });
}

test("a quote that is not closed is an error, unless the prompt takes the whole line", () => {
  assert.throws(() => readPromptText(promptOf("a", "b?"), 'a="one two'), /unclosed quote/);
  assert.deepEqual(readPromptText(promptOf("a"), `it's "so`), { a: `it's "so` });
});

test("words that a shell has taken apart are not taken apart again", () => {
  assert.deepEqual(readPromptArguments(promptOf("a", "b"), ["a=one two", 'b="quoted"']), {
    a: "one two",
    b: '"quoted"',
  });
  assert.deepEqual(readPromptArguments(promptOf("a"), ["one", "two  three"]), { a: "one two  three" });
});

for (const [names, text, told] of [
  [["file"], "", /needs file/],
  [["a", "b"], "", /needs a and b/],
  [["first", "b?"], "frist=1", /does not take "frist=1"/],
  [["a", "b?"], "1", /does not take "1"/],
  [[], "x", /does not take "x"/],
] as const) {
  test(`the line ${JSON.stringify(text)} for a prompt with ${names.join(", ") || "none"} is an error that says what it takes`, () => {
    assert.throws(() => readPromptText(promptOf(...names), text), {
      code: "INVALID_INPUT",
      message: told,
      hint: /./,
    });
  });
}

test("a prompt of a server is a command that shows its messages", async (t) => {
  const prompts = [
    { name: "review", description: "Reviews.", arguments: [{ name: "file", required: true }] },
  ];
  const { source, engine } = await mcpEngine(t, { name: "s", server: rawServer(t, { prompts }).server });
  const dead = await mcpEngine(t, { name: "dead", server: rawServer(t, { start: "die" }).server });
  const commands = await promptCommands(createMcpServers([source, dead.source]), SIGNAL);
  assert.deepEqual(
    commands.map(({ name, summary, usage }) => [name, summary, usage]),
    [["s:review", "Reviews.", "file=VALUE"]],
  );
  let text = "";
  await commands[0]?.run("a b.ts", { engine, print: (piece) => void (text += piece) });
  assert.equal(text, 'review {"file":"a b.ts"}\n');
});

test("messages show who says them, what cannot be shown as what it is, and no secret", async (t) => {
  const engine = engineOf(t);
  engine.masker.learn("s3cret-value");
  const messages: readonly McpPromptMessage[] = [
    { role: "user", content: { type: "text", text: "Look at s3cret-value:\u{1b}[31m" } },
    { role: "user", content: { type: "image", data: "AAAA", mimeType: "image/png" } },
    { role: "assistant", content: { type: "text", text: "Yes." } },
  ];
  assert.equal(
    promptText(messages, { engine }),
    "user:\nLook at ⟦masked⟧:\\u{1b}[31m\n\nuser:\n[image, image/png, 3 bytes]\n\nassistant:\nYes.\n",
  );
});

test("a prompt that fails says what its server said", async (t) => {
  const servers: Pick<McpServers, "prompt"> = { prompt: () => Promise.reject(new Error("gone")) };
  const command = promptCommand(promptOf(), servers as McpServers, SIGNAL);
  await assert.rejects(command.run("", { engine: engineOf(t), print: () => undefined }), /gone/);
});
