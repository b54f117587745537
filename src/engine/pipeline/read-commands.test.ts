import assert from "node:assert/strict";
import { test } from "node:test";
import { call, codeOf } from "../../../test/support/engines/engine.ts";
import { ToolError } from "../../core/errors.ts";
import type { CommandReading } from "../../core/command.ts";
import type { Fact } from "../../core/fact.ts";
import type { Policy } from "../../core/policy.ts";
import { defineTool } from "../../schema/define/define-tool.ts";
import { object, string } from "../../schema/define/schema.ts";
import { createEngine } from "../engine.ts";

const READING: CommandReading = {
  certainty: "proven",
  commands: [],
  paths: [
    { text: "a.txt", cwd: "/w", access: "read" },
    { text: "b.txt", cwd: "/w", access: "write", suspected: true },
    { text: "/b.txt", cwd: "/w", access: "read" },
  ],
  isReadOnly: false,
  argv: ["cat", "a.txt"],
};

function engineWith(policy: Policy, seen: Fact[]) {
  const shell = defineTool({
    name: "shell",
    description: "",
    input: object({ command: string() }),
    facts: ({ command }) => [{ kind: "command", text: command, cwd: "/w" }],
    run: (_, context) => (seen.push(...context.facts), "ran"),
  });
  return createEngine({
    policy,
    tools: [shell],
    resolvePath: async ({ text, cwd, access }) => {
      if (text.endsWith("b.txt")) throw new Error("cannot be resolved");
      return { kind: "path", path: `${cwd}/${text}`, access, inode: 1 };
    },
  });
}

test("the paths that a command names are judged as facts, and the tool sees what was judged", async () => {
  const judged: Fact[] = [];
  const ran: Fact[] = [];
  const policy: Policy = {
    read: () => READING,
    judge: ({ facts }) => (
      judged.push(...facts),
      { kind: "allow", reason: "", rule: "r", proven: ["cat", "a.txt"] }
    ),
  };
  assert.equal(codeOf(await engineWith(policy, ran).run(call("shell", { command: "cat a.txt" }))), "ok");
  const paths: readonly Fact[] = [
    { kind: "path", path: "/w/a.txt", access: "read", inode: 1 },
    { kind: "path", path: "/w/b.txt", access: "write", suspected: true },
    // Taken below the folder of the command, it would count as a path inside the workspace.
    { kind: "path", path: "/b.txt", access: "read", suspected: true },
  ];
  const command = { kind: "command", text: "cat a.txt", cwd: "/w", reading: READING } as const;
  assert.deepEqual(judged, [command, ...paths]);
  assert.deepEqual(ran, [{ ...command, argv: ["cat", "a.txt"] }, ...paths]);
});

for (const [errno, text, certainty] of [
  ["ENAMETOOLONG", "link", "unreadable"],
  ["ENAMETOOLONG", `${"a/".repeat(2047)}b`, "unreadable"],
  ["ENAMETOOLONG", "a/".repeat(2048), "proven"],
  ["ENAMETOOLONG", `x/${"a".repeat(256)}`, "proven"],
  ["EACCES", "link", "proven"],
] as const)
  test(`a command with ${errno} at a path of ${text.length} characters is ${certainty}`, async () => {
    const judged: Fact[] = [];
    const path = { text, cwd: "/w", access: "read" } as const;
    const engine = createEngine({
      policy: {
        read: () => ({ ...READING, isReadOnly: true, paths: [path] }),
        judge: ({ facts }) => (judged.push(...facts), { kind: "deny", reason: "", rule: "r" }),
      },
      tools: [
        defineTool({
          name: "shell",
          description: "",
          facts: () => [{ kind: "command", text: "x", cwd: "/w" }],
          run: () => "ran",
        }),
      ],
      resolvePath: () =>
        Promise.reject(new ToolError("TOOL_FAILED", "cannot resolve", { details: { errno } })),
    });
    await engine.run(call("shell", {}));
    const [command, named] = judged;
    assert.deepEqual(named, { kind: "path", path: `/w/${text}`, access: "read", suspected: true });
    assert.equal(command?.kind === "command" && command.reading?.certainty, certainty);
    assert.equal(command?.kind === "command" && command.reading?.isReadOnly, certainty === "proven");
  });

test("a command that policy fails to read does not run", async () => {
  const ran: Fact[] = [];
  const policy: Policy = {
    read: () => Promise.reject(new Error("no parser")),
    judge: () => ({ kind: "allow", reason: "", rule: "r" }),
  };
  assert.notEqual(codeOf(await engineWith(policy, ran).run(call("shell", { command: "x" }))), "ok");
  assert.deepEqual(ran, []);
});
