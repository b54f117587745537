import assert from "node:assert/strict";
import { test } from "node:test";
import { ToolError } from "../../core/errors.ts";
import { parsePolicyFile } from "./parse-policy.ts";

test("parsing returns the mode and the rules as written", () => {
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
    { command: ["ls"], folder: "/w", decision: "allow" },
    { source: "mcp", group: "g", domain: "*.example.com", input: { a: null }, exact: true, decision: "ask" },
  ];
  assert.deepEqual(parsePolicyFile({ mode: "ask", rules }, "p"), { mode: "ask", rules });
  assert.deepEqual(parsePolicyFile({ $schema: "x" }, "p"), { rules: [] });
});

for (const [text, message, hint] of [
  ["[]", /^policy\.json: the document: expected object, got empty array$/, undefined],
  ['{"rule": []}', /^policy\.json: unknown key "rule"$/, /^did you mean rules\?$/],
  [
    '{"mode": "fast"}',
    /^policy\.json: mode: expected one of "yolo", "edits", "auto", "ask", "plan", got string "fast"$/,
    undefined,
  ],
  [
    '{"rules": [{"command": ["ls"], "folder": "/w", "decision": "deny"}]}',
    /^policy\.json: rules\[0\]\.folder: only a rule that allows a command can have a folder$/,
    undefined,
  ],
  [
    '{"rules": [{"folder": "/w", "decision": "allow"}]}',
    /rules\[0\]\.folder: only a rule that allows a command can have a folder$/,
    undefined,
  ],
  [
    '{"rules": [{"command": ["ls"], "folder": "w", "decision": "allow"}]}',
    /rules\[0\]\.folder: expected an absolute path, got "w"$/,
    undefined,
  ],
  ['{"rules": [{"decision": "deny", "input": 5}]}', /rules\[0\]\.input: expected object/, undefined],
  ['{"rules": {}}', /^policy\.json: rules: expected array, got object \{\}$/, undefined],
  ['{"rules": [null]}', /^policy\.json: rules\[0\]: expected object, got null$/, undefined],
  [
    '{"rules": [{}]}',
    /^policy\.json: rules\[0\]\.decision is missing: expected one of "allow", "ask", "deny"$/,
    undefined,
  ],
  [
    '{"rules": [{"decision": "deny"}, {"descision": "deny"}]}',
    /\n- rules\[1\]: unknown key "descision"; did you mean decision\?$/,
    undefined,
  ],
  ['{"rules": [{"decision": "deny", "zzz": 1}]}', /rules\[0\]: unknown key "zzz"$/, /one of "id", "tool"/],
  [
    '{"rules": [{"decision": "no"}]}',
    /rules\[0\]\.decision: expected one of "allow", "ask", "deny", got string "no"$/,
    undefined,
  ],
  [
    '{"rules": [{"decision": "deny", "command": "git diff"}]}',
    /rules\[0\]\.command: expected array, got string "git diff"$/,
    undefined,
  ],
  ['{"rules": [{"decision": "deny", "command": []}]}', /rules\[0\]\.command: expected at least 1/, undefined],
  ['{"rules": [{"decision": "deny", "tool": ""}]}', /rules\[0\]\.tool: expected at least 1/, undefined],
  ['{"rules": [{"decision": "deny", "path": [1]}]}', /rules\[0\]\.path\[0\]: expected string/, undefined],
  [
    '{"rules": [{"decision": "deny", "path": "a{b"}]}',
    /rules\[0\]\.path: invalid pattern "a\{b": .*brace/,
    undefined,
  ],
  [
    '{"rules": [{"decision": "deny", "access": "exec"}]}',
    /rules\[0\]\.access: expected one of "read", "write"/,
    undefined,
  ],
  [
    '{"rules": [{"decision": "deny", "match": [{"path": "a"}]}]}',
    /rules\[0\]\.match\[0\]\.input is missing/,
    undefined,
  ],
  [
    '{"rules": [{"id": "a", "decision": "ask"}, {"id": "a", "decision": "ask"}]}',
    /rules\[1\]\.id: rules\[0\] has the same id$/,
    undefined,
  ],
  ['{"rules": [{"decision": "deny", "__proto__": {}}]}', /rules\[0\]: unknown key "__proto__"/, undefined],
  ['{"rules": [{"__proto__": {"decision": "allow"}}]}', /rules\[0\]: unknown key "__proto__"/, undefined],
  ['{"rules": [{"decision": "constructor"}]}', /rules\[0\]\.decision: expected one of/, undefined],
] as const) {
  test(`this is rejected, naming the place: ${text}`, () => {
    assert.throws(
      () => parsePolicyFile(JSON.parse(text), "policy.json"),
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

test("a file of more than a thousand rules is rejected", () => {
  const rules = Array.from({ length: 1001 }, () => ({ decision: "deny" }));
  assert.throws(() => parsePolicyFile({ rules }, "p"), /rules: expected at most 1000 items/);
});

test("the keys of an input are plain data, including __proto__", () => {
  const { rules } = parsePolicyFile(
    JSON.parse('{"rules": [{"decision": "deny", "input": {"__proto__": 1, "toString": 2}}]}'),
    "p",
  );
  assert.deepEqual(Object.entries(rules[0]?.input ?? {}), [
    ["__proto__", 1],
    ["toString", 2],
  ]);
});
