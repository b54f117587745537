import assert from "node:assert/strict";
import { test } from "node:test";
import { callsOf, cut, readParts, readWhole, textOf } from "../../../test/support/models/text-calls.ts";
import type { TextReaderOptions } from "./create-text-reader.ts";
import type { DialectName } from "./dialects/dialects.ts";

const TOOLS = ["edit", "ls"].map((name) => ({
  name,
  input: {
    type: "object",
    properties: {
      path: { type: "string" },
      count: { type: "integer" },
      all: { type: "boolean" },
      options: { type: "object", properties: { deep: { type: "boolean" } } },
    },
    required: ["path"],
  },
}));
const EDIT = { name: "edit", input: { path: "it's <a>", count: 2, all: true, options: { deep: false } } };
const LS = { name: "ls", input: { path: "src" } };

/** Two calls as the chat templates of servers write them, of models whose format is an existing dialect, with what surrounds them. */
const FORMATS: Readonly<
  Record<string, readonly [dialect: DialectName, text: string, more?: "in reasoning"]>
> = {
  "Bielik 3, MiMo VL, Granite 4.1": [
    "hermes",
    `Well.
<tool_call>
{"name": "edit", "arguments": {"path": "it's <a>", "count": 2, "all": true, "options": {"deep": false}}}
</tool_call>
<tool_call>
{"name": "ls", "arguments": {"path": "src"}}
</tool_call>`,
  ],
  "Cohere2 MoE, Command 4": [
    "command-r7b",
    `Well.<|END_THINKING|><|START_ACTION|>[
    {"tool_call_id": "0", "tool_name": "edit", "parameters": {"path": "it's <a>", "count": 2, "all": true, "options": {"deep": false}}},
    {"tool_call_id": "1", "tool_name": "ls", "parameters": {"path": "src"}}
]<|END_ACTION|><|END_OF_TURN_TOKEN|>`,
    "in reasoning",
  ],
  "LFM 2.5": [
    "lfm2",
    `<think>[ls(path='no')]</think>Well.<|tool_call_start|>[edit(path="it's <a>", count=2, all=True, options={"deep": false}), ls(path='src')]<|tool_call_end|>`,
  ],
  "LFM 2, calls without their tokens": [
    "pythonic",
    `Well.\n[edit(path="it's <a>", count=2, all=true, options={"deep": false}), ls(path='src')]`,
  ],
  Cogito: [
    "deepseek-v3",
    `Well.<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>edit
\`\`\`json
{"path":"it's <a>","count":2,"all":true,"options":{"deep":false}}
\`\`\`<｜tool▁call▁end｜>
<｜tool▁call▁begin｜>function<｜tool▁sep｜>ls
\`\`\`json
{"path":"src"}
\`\`\`<｜tool▁call▁end｜><｜tool▁calls▁end｜><｜end▁of▁sentence｜>`,
  ],
  "GLM-OCR, GLM 5, Laguna S": [
    "glm47",
    `Well.
<tool_call>edit<arg_key>path</arg_key><arg_value>it's <a></arg_value><arg_key>count</arg_key><arg_value>2</arg_value><arg_key>all</arg_key><arg_value>true</arg_value><arg_key>options</arg_key><arg_value>{"deep": false}</arg_value></tool_call>
<tool_call>ls<arg_key>path</arg_key><arg_value>src</arg_value></tool_call>`,
  ],
  "Hunyuan 3 with the suffix of its open weights": [
    "hunyuan",
    `Well.<tool_calls:opensource>
<tool_call:opensource>edit<tool_sep:opensource>
<arg_key:opensource>path</arg_key:opensource>
<arg_value:opensource>it's <a></arg_value:opensource>
<arg_key:opensource>count</arg_key:opensource>
<arg_value:opensource>2</arg_value:opensource>
<arg_key:opensource>all</arg_key:opensource>
<arg_value:opensource>true</arg_value:opensource>
<arg_key:opensource>options</arg_key:opensource>
<arg_value:opensource>{"deep": false}</arg_value:opensource>
</tool_call:opensource>
<tool_call:opensource>ls<tool_sep:opensource>
<arg_key:opensource>path</arg_key:opensource>
<arg_value:opensource>src</arg_value:opensource>
</tool_call:opensource>
</tool_calls:opensource><｜hy_eos:opensource｜>`,
  ],
  "Qwen 3.5, Ornith, Nemotron 3.5": [
    "qwen3-coder",
    `Well.

<tool_call>
<function=edit>
<parameter=path>
it's <a>
</parameter>
<parameter=count>
2
</parameter>
<parameter=all>
true
</parameter>
<parameter=options>
{"deep": false}
</parameter>
</function>
</tool_call>
<tool_call>
<function=ls>
<parameter=path>
src
</parameter>
</function>
</tool_call>`,
  ],
  "Intern S1": [
    "internlm2",
    `Well.<|action_start|> <|plugin|>
{"name": "edit", "parameters": {"path": "it's <a>", "count": 2, "all": true, "options": {"deep": false}}}<|action_end|>
<|action_start|> <|plugin|>
{"name": "ls", "parameters": {"path": "src"}}<|action_end|>`,
  ],
};

for (const [models, [dialect, text, more]] of Object.entries(FORMATS)) {
  for (const name of [dialect, "auto"] as const) {
    test(`the calls of ${models} are read as ${name}`, () => {
      const options: TextReaderOptions = {
        dialect: name,
        tools: TOOLS,
        startsInReasoning: more !== undefined,
      };
      const pieces = readWhole(text, options);
      assert.deepEqual(callsOf(pieces), [EDIT, LS], JSON.stringify(pieces));
      assert.match(textOf(pieces), /^(?:<think>\[ls\(path='no'\)\]<\/think>)?Well\./);
      assert.doesNotMatch(textOf(pieces), /edit|src/);
      for (const length of [1, 7]) assert.deepEqual(readParts(cut(text, [length]), options), pieces);
    });
  }
}

test("an apostrophe that LFM 2.5 does not escape is repaired where the text has one end", () => {
  const call = "<|tool_call_start|>[ls(path='it's')]<|tool_call_end|>";
  assert.deepEqual(callsOf(readWhole(call, { dialect: "lfm2", tools: TOOLS })), [
    { name: "ls", input: { path: "it's" } },
  ]);
});
