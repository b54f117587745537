import assert from "node:assert/strict";
import { test } from "node:test";
import { parsePythonCalls, parsePythonLiteral } from "./parse-python.ts";

const CALLS: readonly (readonly [string, unknown])[] = [
  ["f()", [{ name: "f", input: {} }]],
  ["[]", []],
  [
    "[f(a=1), g.h(b='x',)]",
    [
      { name: "f", input: { a: 1 } },
      { name: "g.h", input: { b: "x" } },
    ],
  ],
  [
    "f(a=-1.5e3, b=[1, (2, 3)], c={'k': {\"d\": None}}, d=True)",
    [{ name: "f", input: { a: -1500, b: [1, [2, 3]], c: { k: { d: null } }, d: true } }],
  ],
  [
    String.raw`f(a='it\'s', b="\d+\n", c=r'\n', d='\u00e9\x41')`,
    [{ name: "f", input: { a: "it's", b: "\\d+\n", c: "\\n", d: "éA" } }],
  ],
  ["f(a='''one\n'two' three''')", [{ name: "f", input: { a: "one\n'two' three" } }]],
  ["f(a='one' 'two')", [{ name: "f", input: { a: "onetwo" } }]],
  ["f(\n  a=1, # why\n  b=2\n)", [{ name: "f", input: { a: 1, b: 2 } }]],
  ["f(a={'x', 'y'}, b=0x1F, c=f'plain')", [{ name: "f", input: { a: ["x", "y"], b: 31, c: "plain" } }]],
  [`[f(a='sed -n '1,2p' it\\'s')]`, [{ name: "f", input: { a: "sed -n '1,2p' it's" }, repaired: true }]],
];
for (const [text, calls] of CALLS) {
  test(`${JSON.stringify(text)} is read as Python does`, () =>
    assert.deepEqual(parsePythonCalls(text), calls));
}

for (const text of [
  "f(1)",
  "f(a=b)",
  "f(a=1",
  "f(a=g())",
  "f a",
  "[f(a=1)] x",
  "f(a=1 b=2)",
  "f(a=['one' 'two'])",
  "f(a=02139)",
  "f(a=1, a=2)",
  "f(a=__import__('os'))",
  "f(a=f'{secret}')",
  "[f(a='echo 'hi', b='x' y')]",
  "[f(a='one' two'), g(b='x')]",
  "f(a=" + "[".repeat(500) + "]".repeat(500) + ")",
]) {
  test(`${JSON.stringify(text).slice(0, 40)} is not a call with values, and nothing is run`, () => {
    assert.equal(parsePythonCalls(text), undefined);
  });
}

for (const [text, a] of [
  [String.raw`f(a="""ends with \\""", b="""x""")`, "ends with \\"],
  [String.raw`f(a="""three \"\"\" inside""", b="""x""")`, 'three """ inside'],
  [`f(a="""says "hi"""", b="""x""")`, 'says "hi"'],
  [`f(a='''it's''', b="""x""")`, "it's"],
] as const)
  test(`${text} is read with its three quotes`, () => {
    assert.deepEqual(parsePythonCalls(text), [{ name: "f", input: { a, b: "x" } }]);
  });

for (const text of [`[f(a="""one quote at the end")]`, `[f(a="one quote at the begin""")]`])
  test(`${text} has no certain text`, () => {
    assert.equal(parsePythonCalls(text), undefined);
  });

test("a literal is only a value", () => {
  assert.deepEqual(parsePythonLiteral("{'a': [1, 'x', False]}"), { a: [1, "x", false] });
  assert.deepEqual(Object.keys(parsePythonLiteral("{'__proto__': 1}") as object), ["__proto__"]);
  for (const text of ["a", "1 +", "{'a'}", "{[]: 1}", "'\\U00ffffff'"])
    assert.equal(parsePythonLiteral(text), undefined);
});
