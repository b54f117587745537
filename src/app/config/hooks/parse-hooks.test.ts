import assert from "node:assert/strict";
import { test } from "node:test";
import { ToolError } from "../../../core/errors.ts";
import { parseSetting } from "../layers.ts";

const block = { type: "block", reason: "no" };
const whole = {
  name: "lint",
  on: ["after_tool", "after_tool"],
  match: { tool: "write_*", path: ["src/**"], risk: "medium" },
  action: { type: "command", program: ["sh", "lint.sh"] },
  timeoutSeconds: 5,
  onFailure: "pass",
};

test("a definition is read with its single words as lists", () => {
  assert.deepEqual(parseSetting("hooks", [whole]), [
    {
      ...whole,
      on: ["after_tool"],
      match: { tool: ["write_*"], path: ["src/**"], risk: ["medium"] },
    },
  ]);
  assert.deepEqual(parseSetting("hooks", [{ name: "a", on: "before_tool", action: block }]), [
    { name: "a", on: ["before_tool"], match: {}, action: block },
  ]);
  assert.deepEqual(parseSetting("hooks", []), []);
});

const BROKEN: readonly (readonly [string, unknown, RegExp])[] = [
  ["no list", { name: "a" }, /^hooks: expected array, got object \{"name":"a"\}/],
  ["no object", ["a"], /^hooks\[0\]: expected object, got string "a"/],
  ["no name", [{ on: "before_tool", action: block }], /^hooks\[0\]\.name is missing/],
  [
    "a name with a slash",
    [{ name: "a/b", on: "before_tool", action: block }],
    /^hooks\[0\]\.name: expected a name of letters, .*got string "a\/b"/,
  ],
  ["no point", [{ name: "a", action: block }], /^hooks\[0\]\.on is missing/],
  [
    "an empty list of points",
    [{ name: "a", on: [], action: block }],
    /^hooks\[0\]\.on: expected at least 1 item,/,
  ],
  [
    "a misspelt point",
    [{ name: "a", on: "before_tol", action: block }],
    /hooks\[0\]\.on: expected one of .*"before_tol" did you mean before_tool/,
  ],
  [
    "an unknown key",
    [{ name: "a", on: "before_tool", action: block, matches: {} }],
    /hooks\[0\]: unknown key "matches" did you mean match\?/,
  ],
  [
    "__proto__ as a key",
    [
      JSON.parse(
        '{"name": "a", "on": "before_tool", "action": {"type": "block", "reason": "no"}, "__proto__": {}}',
      ),
    ],
    /unknown key "__proto__"/,
  ],
  [
    "an unknown condition",
    [{ name: "a", on: "before_tool", match: { tools: "x" }, action: block }],
    /hooks\[0\]\.match: unknown key "tools" did you mean tool\?/,
  ],
  [
    "an unknown risk",
    [{ name: "a", on: "before_tool", match: { risk: "huge" }, action: block }],
    /hooks\[0\]\.match\.risk: expected one of .*got string "huge"/,
  ],
  [
    "a broken glob",
    [{ name: "a", on: "before_tool", match: { path: "[a" }, action: block }],
    /\[0\]\.match\.path: .*without a \]/,
  ],
  ["no action", [{ name: "a", on: "before_tool" }], /\[0\]\.action is missing/],
  [
    "an unknown action",
    [{ name: "a", on: "before_tool", action: { type: "comand" } }],
    /\[0\]\.action\.type: expected one of "command", "askAgent", "block", got string "comand"/,
  ],
  [
    "a program as one text",
    [{ name: "a", on: "before_tool", action: { type: "command", program: "rm -rf x" } }],
    /\[0\]\.action\.program: expected array, got string "rm -rf x"/,
  ],
  [
    "an empty program",
    [{ name: "a", on: "before_tool", action: { type: "command", program: [] } }],
    /\[0\]\.action\.program: expected at least 1 item,/,
  ],
  [
    "a field of another action",
    [{ name: "a", on: "before_tool", action: { ...block, prompt: "x" } }],
    /\[0\]\.action: unknown key "prompt"/,
  ],
  [
    "an unknown placeholder",
    [{ name: "a", on: "before_tool", action: { type: "askAgent", prompt: "See {{file.pth}}" } }],
    /unknown placeholder \{\{file\.pth\}\}.*did you mean \{\{file\.path\}\}/,
  ],
  [
    "a block where nothing can be blocked",
    [{ name: "a", on: ["before_tool", "session_end"], action: block }],
    /nothing to block at session_end/,
  ],
  [
    "no time",
    [{ name: "a", on: "before_tool", action: block, timeoutSeconds: 0 }],
    /\[0\]\.timeoutSeconds: expected more than 0, got integer 0/,
  ],
  [
    "an unknown onFailure",
    [{ name: "a", on: "before_tool", action: block, onFailure: "allow" }],
    /\[0\]\.onFailure: expected one of "refuse", "pass", got string "allow"/,
  ],
  ["two of one name", [whole, whole], /^hooks\[1\]\.name: hooks\[0\] has the same name "lint"/],
];

for (const [what, written, message] of BROKEN) {
  test(`${what} is an error that names the place`, () => {
    assert.throws(
      () => parseSetting("hooks", written),
      (error: unknown) => {
        assert.ok(error instanceof ToolError);
        assert.equal(error.code, "INVALID_INPUT");
        assert.match([error.message, error.hint].join(" "), message);
        return true;
      },
    );
  });
}
