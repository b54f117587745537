import assert from "node:assert/strict";
import { test } from "node:test";
import { kindOf, locationsOf, titleOf } from "./tool-calls.ts";

const TITLES = [
  ["shell", { command: "npm test" }, "npm test"],
  ["read_file", { path: "src/sum.ts" }, "read_file src/sum.ts"],
  ["ls", {}, "ls"],
  ["ls", undefined, "ls"],
  ["shell", undefined, "shell"],
] as const;

for (const [name, input, title] of TITLES)
  test(`a call of ${name} with ${JSON.stringify(input)} has the title ${title}`, () => {
    assert.equal(titleOf(name, input), title);
  });

const KINDS = [
  ["read_file", { group: "files", effects: "none" }, "read"],
  ["edit_file", { group: "files", effects: "unsafe" }, "edit"],
  ["delete_file", { group: "files", effects: "unsafe" }, "delete"],
  ["grep", { group: "files", effects: "none" }, "search"],
  ["shell", { group: "running", effects: "unsafe" }, "execute"],
  ["web_fetch", { group: "web", effects: "none" }, "fetch"],
  ["mine", { group: "own", effects: "none" }, "other"],
  ["unknown", undefined, "other"],
] as const;

for (const [name, spec, kind] of KINDS)
  test(`${name} of the group ${spec?.group ?? "none"} has the kind ${kind}`, () => {
    assert.equal(kindOf(name, spec), kind);
  });

test("an editor follows the files that a call touches, and no suspected ones", () => {
  const touched = {
    kind: "path",
    path: "/project/a.ts",
    canonical: "/project/a.ts",
    access: "read",
  } as const;
  const facts = [
    touched,
    { ...touched, path: "/project/b", suspected: true },
    { kind: "command", command: "ls" },
  ];
  assert.deepEqual(locationsOf(facts as never), [{ path: "/project/a.ts" }]);
  assert.deepEqual(locationsOf([touched] as never, 7), [{ path: "/project/a.ts", line: 7 }]);
});
