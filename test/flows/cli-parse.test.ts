import assert from "node:assert/strict";
import { test } from "node:test";
import { createPlace, runCli } from "./support/cli.ts";

const TEXT = "Let me look. <function=ls><parameter=depth>2</parameter></function>\nDone.";

test("parse prints the text, the calls and the problems of standard input", async (t) => {
  const { code, stdout } = await runCli(createPlace(t), ["parse"], {
    input: `${TEXT}\n<tool_call>{"name": "x", "arg`,
  });
  assert.equal(code, 0);
  const { text, calls, problems } = JSON.parse(stdout) as Record<string, readonly unknown[] | string>;
  assert.equal(text, "Let me look. \nDone.\n");
  assert.deepEqual(calls, [{ name: "ls", input: { depth: "2" } }]);
  assert.deepEqual(problems, [
    { text: '<tool_call>{"name": "x", "arg', message: "the text ends before the call does" },
  ]);
});

test("parse --dialect reads one dialect and treats all others as text", async (t) => {
  const { stdout } = await runCli(createPlace(t), ["parse", "--dialect", "mistral"], { input: TEXT });
  assert.deepEqual(JSON.parse(stdout), { text: TEXT, calls: [], problems: [] });
});

for (const [form, tool] of Object.entries({
  ours: { name: "ls", description: "", input: { properties: { depth: { type: "integer" } } } },
  openai: {
    type: "function",
    function: { name: "ls", parameters: { properties: { depth: { type: "integer" } } } },
  },
  anthropic: { name: "ls", input_schema: { properties: { depth: { type: "integer" } } } },
  google: {
    functionDeclarations: [{ name: "ls", parameters: { properties: { depth: { type: "integer" } } } }],
  },
  mcp: { name: "ls", inputSchema: { properties: { depth: { type: "integer" } } } },
})) {
  test(`parse --tools takes types from tools in the form of ${form}, and lists calls of others as problems`, async (t) => {
    const place = createPlace(t);
    place.write("tools.json", JSON.stringify([tool]));
    const input = `${TEXT}<function=cd></function>`;
    const { stdout } = await runCli(place, ["parse", "--tools", "tools.json"], { input });
    const { calls, problems } = JSON.parse(stdout) as Record<string, readonly { message?: string }[]>;
    assert.deepEqual(calls, [{ name: "ls", input: { depth: 2 } }]);
    assert.deepEqual(
      problems?.map(({ message }) => message),
      ['unknown tool "cd"'],
    );
  });
}

test("parse exits 2 for an unknown dialect, an invalid list of tools, and input that is not UTF-8", async (t) => {
  const place = createPlace(t);
  place.write("wrong.json", '{"a": 1}');
  place.write("broken.json", "[");
  const cases: readonly (readonly [readonly string[], RegExp])[] = [
    [["--dialect", "hermess"], /did you mean hermes\?/],
    [["--tools", "missing.json"], /cannot read missing\.json/],
    [["--tools", "wrong.json"], /wrong\.json is not a list of tools/],
    [["--tools", "broken.json"], /broken\.json is not valid JSON/],
    [["words"], /\S/],
  ];
  for (const [args, message] of cases) {
    const { code, stderr, stdout } = await runCli(place, ["parse", ...args], { input: "text" });
    assert.deepEqual([code, stdout], [2, ""], args.join(" "));
    assert.match(stderr, message);
  }
  const bytes = await runCli(place, ["parse"], { input: new Uint8Array([0x61, 0xff, 0x62]) });
  assert.equal(bytes.code, 2);
  assert.match(bytes.stderr, /not UTF-8/);
});

test("parse --help lists the dialects", async (t) => {
  const { stdout } = await runCli(createPlace(t), ["parse", "--help"]);
  for (const name of ["auto", "hermes", "qwen3-coder", "strix", "kimi-k2"]) assert.ok(stdout.includes(name));
});
