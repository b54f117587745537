import assert from "node:assert/strict";
import { test } from "node:test";
import { ToolError } from "../../core/errors.ts";
import { parsePolicyFile } from "./parse-rules.ts";

test("a policy file is its mode and its rules, as written", () => {
  const rules = [
    { tool: "shell", command: ["git", "diff"], decision: "allow" },
    {
      id: "env",
      path: ["**/.env", "~/.ssh/**"],
      access: "read",
      decision: "deny",
      reason: "secrets",
      match: [".env", { tool: "read_file", input: { path: ".env" } }],
      not_match: ["a"],
    },
    { source: "mcp", group: "g", domain: "*.example.com", input: { a: null }, exact: true, decision: "ask" },
  ];
  assert.deepEqual(parsePolicyFile(JSON.stringify({ mode: "ask", rules }), "p"), { mode: "ask", rules });
  assert.deepEqual(parsePolicyFile('\u{feff}{"$schema": "x"}', "p"), { rules: [] });
});

for (const [text, message, hint] of [
  ["", /^policy\.json: it is not valid JSON: /, /comma/],
  ['{"rules": [{"decision": "deny"}', /^policy\.json: it is not valid JSON: .*position 31/, /comma/],
  ["[]", /^policy\.json: it must be one JSON object/, undefined],
  ['{"rule": []}', /^policy\.json: "rule" is not a key of a policy file$/, /did you mean rules\?/],
  ['{"mode": "fast"}', /^policy\.json: mode must be yolo, auto, ask, plan, it is "fast"$/, undefined],
  ['{"rules": {}}', /^policy\.json: rules must be a list, it is \{\}$/, undefined],
  ['{"rules": [null]}', /^policy\.json: rules\[0\] must be an object, it is null$/, undefined],
  ['{"rules": [{}]}', /^policy\.json: rules\[0\]\.decision is missing: allow, ask or deny$/, undefined],
  [
    '{"rules": [{"decision": "deny"}, {"descision": "deny"}]}',
    /^policy\.json: rules\[1\]: "descision" is not a key of a rule$/,
    /did you mean decision\?/,
  ],
  ['{"rules": [{"decision": "deny", "zzz": 1}]}', /"zzz" is not a key/, /keys: id, tool/],
  [
    '{"rules": [{"decision": "no"}]}',
    /rules\[0\]\.decision must be "allow", "ask" or "deny", it is "no"/,
    undefined,
  ],
  [
    '{"rules": [{"decision": "deny", "command": "git diff"}]}',
    /rules\[0\]\.command must be a list of tokens such as \["git", "diff"\], it is "git diff"/,
    undefined,
  ],
  ['{"rules": [{"decision": "deny", "command": []}]}', /rules\[0\]\.command must be/, undefined],
  ['{"rules": [{"decision": "deny", "tool": ""}]}', /rules\[0\]\.tool must be/, undefined],
  ['{"rules": [{"decision": "deny", "path": [1]}]}', /rules\[0\]\.path must be/, undefined],
  [
    '{"rules": [{"decision": "deny", "path": "a{b"}]}',
    /rules\[0\]\.path: "a\{b" is no pattern: .*brace/,
    undefined,
  ],
  [
    '{"rules": [{"decision": "deny", "access": "exec"}]}',
    /rules\[0\]\.access must be "read" or "write"/,
    undefined,
  ],
  [
    '{"rules": [{"decision": "deny", "match": [{"path": "a"}]}]}',
    /rules\[0\]\.match must be a list of examples/,
    undefined,
  ],
  [
    '{"rules": [{"id": "a", "decision": "ask"}, {"id": "a", "decision": "ask"}]}',
    /rules\[1\]\.id is taken by rules\[0\]/,
    undefined,
  ],
  ['{"rules": [{"decision": "deny", "__proto__": {}}]}', /"__proto__" is not a key of a rule/, undefined],
  ['{"rules": [{"__proto__": {"decision": "allow"}}]}', /"__proto__" is not a key of a rule/, undefined],
  ['{"rules": [{"decision": "constructor"}]}', /rules\[0\]\.decision must be/, undefined],
] as const) {
  test(`this is refused, naming the place: ${text || "an empty file"}`, () => {
    assert.throws(
      () => parsePolicyFile(text, "policy.json"),
      (error: unknown) => {
        assert.ok(error instanceof ToolError);
        assert.equal(error.code, "INVALID_INPUT");
        assert.match(error.message, message);
        if (hint !== undefined) assert.match(error.hint ?? "", hint);
        return true;
      },
    );
  });
}

test("a file of more than a thousand rules is refused", () => {
  const rules = Array.from({ length: 1001 }, () => ({ decision: "deny" }));
  assert.throws(() => parsePolicyFile(JSON.stringify({ rules }), "p"), /more than 1000 rules/);
});

test("the keys of an input are plain data, whatever their names", () => {
  const { rules } = parsePolicyFile(
    '{"rules": [{"decision": "deny", "input": {"__proto__": 1, "toString": 2}}]}',
    "p",
  );
  assert.deepEqual(Object.entries(rules[0]?.input ?? {}), [
    ["__proto__", 1],
    ["toString", 2],
  ]);
});
