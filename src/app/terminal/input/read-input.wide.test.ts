import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { defineTool } from "../../../schema/define/define-tool.ts";
import type { Tool } from "../../../core/tool.ts";
import { readInput } from "./read-input.ts";

const tool: Tool = defineTool({
  name: "sample",
  description: "Takes everything.",
  aliases: [{ name: "other", parameters: { many: "count" } }],
  parameterAliases: { file_path: "path" },
  run: () => undefined,
  input: {
    type: "object",
    required: ["path"],
    properties: {
      path: { type: "string" },
      count: { type: "integer" },
      ratio: { type: "number" },
      deep: { type: "object", properties: { flag: { type: "boolean" }, name: { type: "string" } } },
      flag: { type: "boolean" },
      names: { type: "array", items: { type: "string" } },
      numbers: { type: "array", items: { type: "integer" } },
      edits: {
        type: "array",
        items: { type: "object", properties: { old: { type: "string" }, all: { type: "boolean" } } },
      },
      either: { anyOf: [{ type: "string" }, { type: "integer" }] },
      maybe: { type: ["integer", "null"] },
      word: { enum: ["1", "2"] },
      any: {},
      "dotted.name": { type: "integer" },
      table: { type: "object", additionalProperties: { type: "integer" } },
    },
  },
});

const CASES: readonly (readonly [readonly string[], unknown])[] = [
  [["path=42"], { path: "42" }],
  [["path="], { path: "" }],
  [["path=a=b"], { path: "a=b" }],
  [["path=true"], { path: "true" }],
  [["count=42"], { count: 42 }],
  [["ratio=-0.5"], { ratio: -0.5 }],
  [["flag=true"], { flag: true }],
  [["count=many"], { count: "many" }],
  [["maybe=null"], { maybe: null }],
  [["names=a"], { names: ["a"] }],
  [["names=a", "names=b"], { names: ["a", "b"] }],
  [["names=1"], { names: ["1"] }],
  [['names=["a","b"]', "names=c"], { names: ["a", "b", "c"] }],
  [["names=[x"], { names: ["[x"] }],
  [["numbers=1", "numbers=2"], { numbers: [1, 2] }],
  [['deep={"flag":true}'], { deep: { flag: true } }],
  [["deep.flag=true", "deep.name=7"], { deep: { flag: true, name: "7" } }],
  [
    ["edits.0.old=1", "edits.0.all=true", "edits.1.old=x"],
    { edits: [{ old: "1", all: true }, { old: "x" }] },
  ],
  [["either=5"], { either: "5" }],
  [["word=1"], { word: "1" }],
  [["any=5"], { any: 5 }],
  [["any=five"], { any: "five" }],
  [["path:=5"], { path: 5 }],
  [["path:=null"], { path: null }],
  [["dotted.name=5"], { "dotted.name": 5 }],
  [["table.x=5"], { table: { x: 5 } }],
  [["file_path=5", "many=6"], { file_path: "5", many: 6 }],
  [["unknown=5"], { unknown: "5" }],
];

for (const [words, expected] of CASES) {
  test(`${words.join(" ")} is ${JSON.stringify(expected)}`, () => {
    assert.deepEqual(readInput(tool, words, undefined), { input: expected });
  });
}

test("words go on top of JSON, part by part, and change no more than they name", () => {
  const json = '{"path": "old", "names": ["x"], "deep": {"flag": true, "name": "n"}}';
  const read = readInput(tool, ["path=new", "names=y", "deep.name=m"], json);
  assert.deepEqual(read, { input: { path: "new", names: ["y"], deep: { flag: true, name: "m" } } });
});

test("JSON that cannot be read says where", () => {
  assert.deepEqual(readInput(tool, [], '{"path" 1}'), {
    unreadable:
      "--args is not valid JSON: Expected ':' after property name in JSON at position 8 (line 1 column 9)",
  });
  assert.deepEqual(readInput(tool, [], "[1]"), { input: [1] }, "what is no object is the engine's to refuse");
  assert.ok("unreadable" in readInput(tool, ["path=a"], "[1]"));
});

const REFUSED: readonly (readonly [readonly string[], RegExp])[] = [
  [["a.md", "b.md"], /unexpected argument "b\.md": path is already given; quote a value that has spaces/],
  [["=x"], /not key=value/],
  [["path=a", "path=b"], /path is given twice/],
  [["count:=x"], /count is not valid JSON/],
  [["edits.5.old=x"], /no item 5 yet/],
  [["edits.4294967295.old=x"], /no item 4294967295 yet/],
  [["path=a", "path.b=c"], /path is not an object/],
];
for (const [words, says] of REFUSED) {
  test(`${words.join(" ")} is refused`, () => {
    assert.throws(() => readInput(tool, words, undefined), says);
  });
}

for (const word of ["README.md", "git log --format=%h", "./a=b"]) {
  test(`${word} alone is the value of the only required parameter`, () => {
    assert.deepEqual(readInput(tool, [word], undefined), { input: { path: word } });
  });
}

test("a value alone of an unknown tool is the engine's to refuse, with the tool", () => {
  assert.deepEqual(readInput(undefined, ["a.md", "count=2"], undefined), { input: { count: "2" } });
});

test("prototype keys are plain keys", () => {
  const read = readInput(undefined, ["__proto__.polluted=yes", "constructor.x=1", "toString=a"], undefined);
  assert.ok("input" in read);
  assert.deepEqual(Object.keys(read.input as object), ["__proto__", "constructor", "toString"]);
  assert.equal(({} as Record<string, unknown>)["polluted"], undefined);
});

test("any text comes through a string parameter unchanged", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      assert.deepEqual(readInput(tool, [`path=${text}`], undefined), { input: { path: text } });
    }),
  );
});

test("any JSON comes through := unchanged", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const read = readInput(tool, [`any:=${JSON.stringify(value)}`], undefined);
      assert.deepEqual(JSON.stringify(read), JSON.stringify({ input: { any: value } }));
    }),
  );
});
