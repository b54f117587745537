import assert from "node:assert/strict";
import { test } from "node:test";
import { ToolError } from "../../../core/errors.ts";
import { parseHookDefinitions } from "./parse-definitions.ts";

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
  assert.deepEqual(parseHookDefinitions([whole]), [
    {
      ...whole,
      on: ["after_tool"],
      match: { tool: ["write_*"], path: ["src/**"], risk: ["medium"] },
    },
  ]);
  assert.deepEqual(parseHookDefinitions([{ name: "a", on: "before_tool", action: block }]), [
    { name: "a", on: ["before_tool"], match: {}, action: block },
  ]);
  assert.deepEqual(parseHookDefinitions([]), []);
});

const BROKEN: readonly (readonly [string, unknown, RegExp])[] = [
  ["no list", { name: "a" }, /^is \{"name":"a"\}, expected a list of hooks/],
  ["no object", ["a"], /^\[0\] is "a", expected an object/],
  ["no name", [{ on: "before_tool", action: block }], /^\[0\]\.name is missing, expected a name/],
  ["a name with a slash", [{ name: "a/b", on: "before_tool", action: block }], /^\[0\]\.name is "a\/b"/],
  ["no point", [{ name: "a", action: block }], /^\[0\]\.on is missing/],
  ["an empty list of points", [{ name: "a", on: [], action: block }], /^\[0\]\.on is \[\]/],
  [
    "a misspelt point",
    [{ name: "a", on: "before_tol", action: block }],
    /\[0\]\.on is "before_tol".*did you mean before_tool/,
  ],
  [
    "an unknown key",
    [{ name: "a", on: "before_tool", action: block, matches: {} }],
    /\[0\]: "matches" is not known.*did you mean match\?/,
  ],
  [
    "__proto__ as a key",
    [
      JSON.parse(
        '{"name": "a", "on": "before_tool", "action": {"type": "block", "reason": "no"}, "__proto__": {}}',
      ),
    ],
    /"__proto__" is not known/,
  ],
  [
    "an unknown condition",
    [{ name: "a", on: "before_tool", match: { tools: "x" }, action: block }],
    /\[0\]\.match: "tools".*did you mean tool\?/,
  ],
  [
    "an unknown risk",
    [{ name: "a", on: "before_tool", match: { risk: "huge" }, action: block }],
    /\[0\]\.match\.risk is "huge"/,
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
    /\[0\]\.action\.type is "comand".*did you mean command/,
  ],
  [
    "a program as one text",
    [{ name: "a", on: "before_tool", action: { type: "command", program: "rm -rf x" } }],
    /\[0\]\.action\.program is "rm -rf x", expected a list/,
  ],
  [
    "an empty program",
    [{ name: "a", on: "before_tool", action: { type: "command", program: [] } }],
    /\[0\]\.action\.program is \[\]/,
  ],
  [
    "a field of another action",
    [{ name: "a", on: "before_tool", action: { ...block, prompt: "x" } }],
    /\[0\]\.action: "prompt" is not known/,
  ],
  [
    "an unknown placeholder",
    [{ name: "a", on: "before_tool", action: { type: "askAgent", prompt: "See {{file.pth}}" } }],
    /\{\{file\.pth\}\} stands for nothing.*did you mean \{\{file\.path\}\}/,
  ],
  [
    "a block where nothing can be blocked",
    [{ name: "a", on: ["before_tool", "session_end"], action: block }],
    /nothing to block at session_end/,
  ],
  [
    "no time",
    [{ name: "a", on: "before_tool", action: block, timeoutSeconds: 0 }],
    /\[0\]\.timeoutSeconds is 0/,
  ],
  [
    "an unknown onFailure",
    [{ name: "a", on: "before_tool", action: block, onFailure: "allow" }],
    /\[0\]\.onFailure is "allow", expected refuse, pass/,
  ],
  ["two of one name", [whole, whole], /^\[1\]\.name: there is another hook called "lint"/],
];

for (const [what, written, message] of BROKEN) {
  test(`${what} is an error that names the place`, () => {
    assert.throws(
      () => parseHookDefinitions(written),
      (error: unknown) => {
        assert.ok(error instanceof ToolError);
        assert.equal(error.code, "INVALID_INPUT");
        assert.match([error.message, error.hint].join(" "), message);
        return true;
      },
    );
  });
}
