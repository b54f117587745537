import assert from "node:assert/strict";
import { chmodSync, chownSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import type { Verdict } from "../../../core/verdict.ts";
import type { Rule } from "../../../core/rule.ts";
import { createPolicy } from "../../../policy/policy.ts";
import { COMMANDS, jobOf, pathFact, toolNamed } from "../../../../test/support/engines/policy-jobs.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import {
  parsePolicyText,
  policyFilesOf,
  readPolicyFiles,
  type PolicyFiles,
  type PolicyFilesOptions,
} from "./policy-files.ts";

interface Place {
  readonly root: string;
  readonly files: { readonly user: string; readonly project: string };
  readonly read: (options?: Partial<PolicyFilesOptions>) => Promise<PolicyFiles>;
}

function place(t: TestContext): Place {
  const folder = temporaryFolder(t);
  const [home, root] = [join(folder, "home"), join(folder, "work")];
  mkdirSync(home);
  mkdirSync(join(root, ".toolwright"), { recursive: true });
  const options: PolicyFilesOptions = {
    home,
    userHome: folder,
    workspace: [root],
    isTrusted: () => false,
    builtIn: [{ id: "disaster", command: ["mkfs"], decision: "deny" }],
    commands: COMMANDS,
  };
  return {
    root,
    files: policyFilesOf(options),
    read: (more = {}) => readPolicyFiles({ ...options, ...more }),
  };
}

const write = (file: string, value: unknown, mode = 0o644): void => {
  writeFileSync(file, typeof value === "string" ? value : JSON.stringify(value), { mode });
  chmodSync(file, mode);
};

const allowWrite: Rule = { tool: "write_file", decision: "allow" };

function judge(
  { layers }: PolicyFiles,
  root: string,
  mode: "auto" | "yolo" = "auto",
  name = "write_file",
): Verdict {
  const policy = createPolicy({ mode, workspace: [root], home: "/", layers, commands: COMMANDS });
  return policy.judge(jobOf([pathFact(join(root, "a"), "write")], { tool: toolNamed(name) }));
}

test("without files there is what is built in", async (t) => {
  const { read } = place(t);
  const { layers, problems, notes } = await read();
  assert.deepEqual([layers.map(({ name }) => name), problems, notes], [["built-in"], [], []]);
});

test("the user's file may allow and say the mode; its rules are named by their place", async (t) => {
  const { files, root, read } = place(t);
  write(files.user, { mode: "yolo", rules: [allowWrite] });
  const found = await read();
  assert.equal(judge(await read({ modeIsChosen: true }), root).rule, "user.rules[0]");
  assert.equal(judge(found, root, "auto", "other").rule, "mode.yolo");
  assert.equal(
    judge(await read({ modeIsChosen: true }), root, "auto", "other").kind,
    "ask",
    "a flag beats the file",
  );
});

test("a project's file tightens at once, and loosens nothing before it is trusted", async (t) => {
  const { files, root, read } = place(t);
  write(files.project, { mode: "yolo", rules: [allowWrite, { tool: "other", decision: "deny" }] });
  const found = await read();
  assert.equal(judge(found, root).kind, "ask");
  assert.equal(judge(found, root, "yolo", "other").kind, "deny");
  assert.match(found.notes.join("\n"), /1 rule that allows is off until you trust .*project\.rules\[0\]/);
  write(files.project, { mode: "ask", rules: [] });
  assert.equal(judge(await read(), root, "yolo").kind, "ask", "a stricter mode holds at once");
});

test("trust is asked for each rule and for the mode, by its content", async (t) => {
  const { files, root, read } = place(t);
  write(files.project, { mode: "yolo", rules: [allowWrite, { id: "b", tool: "b", decision: "allow" }] });
  const asked: string[] = [];
  const only = await read({
    isTrusted(name, content) {
      asked.push(`${name} ${JSON.stringify(content)}`);
      return name === "b";
    },
  });
  assert.deepEqual([...new Set(asked)].sort(), [
    'b {"id":"b","tool":"b","decision":"allow"}',
    'mode {"mode":"yolo"}',
    `project.rules[0] ${JSON.stringify(allowWrite)}`,
  ]);
  assert.equal(judge(only, root, "auto", "b").kind, "allow");
  assert.equal(judge(only, root).kind, "ask");
  assert.equal(judge(await read({ isTrusted: () => true }), root, "auto", "other").rule, "mode.yolo");
});

for (const [what, break_, why] of [
  [
    "malformed",
    (file: string) => write(file, '{"rules": [{"decision": "maybe"}]}'),
    /decision: expected one of/,
  ],
  ["half written", (file: string) => write(file, '{"rules": [{"decision": "al'), /not valid JSON/],
  ["empty", (file: string) => write(file, ""), /not valid JSON/],
  [
    "writable by its group",
    (file: string) => write(file, { rules: [allowWrite] }, 0o664),
    /can be written by others.*chmod go-w/,
  ],
  [
    "writable by everybody",
    (file: string) => write(file, { rules: [allowWrite] }, 0o646),
    /can be written by others/,
  ],
  ["over 1 MB", (file: string) => write(file, `{"rules": []}${" ".repeat(1024 * 1024)}`), /over 1 MB/],
  ["a folder", (file: string) => mkdirSync(file), /not a regular file/],
  ["a pipe", (file: string) => spawnSync("mkfifo", ["-m", "600", file]), /not a regular file/],
  [
    "with an example that fails",
    (file: string) => write(file, { rules: [{ ...allowWrite, match: ["read_file"] }] }),
    /rules\[0\]: it does not match its example "read_file"/,
  ],
] as const) {
  for (const whose of ["user", "project"] as const) {
    test(`the ${whose}'s file is refused when it is ${what}, and every call needs approval until it is fixed`, async (t) => {
      const { files, root, read } = place(t);
      break_(files[whose]);
      const found = await read({ isTrusted: () => true });
      assert.match(found.problems.join("\n"), why);
      for (const mode of ["auto", "yolo"] as const) {
        const verdict = judge(found, root, mode);
        assert.deepEqual([verdict.kind, verdict.rule], ["ask", `${whose}.refused`]);
      }
      const reads = createPolicy({ mode: "yolo", workspace: [root], layers: found.layers });
      assert.equal(
        reads.judge(jobOf([], { tool: toolNamed("read_file", "low") })).kind,
        "ask",
        "reading too",
      );
    });
  }
}

test("a link is refused, wherever it leads; so is a linked folder of the project", async (t) => {
  const { files, root, read } = place(t);
  const elsewhere = join(root, "elsewhere.json");
  write(elsewhere, { rules: [allowWrite] });
  symlinkSync(elsewhere, files.user);
  assert.match((await read()).problems.join("\n"), /policy\.json is a link/);
  rmSync(files.user);
  rmSync(join(root, ".toolwright"), { recursive: true });
  mkdirSync(join(root, "real"));
  write(join(root, "real", "policy.json"), { rules: [] });
  symlinkSync(join(root, "real"), join(root, ".toolwright"));
  assert.match((await read()).problems.join("\n"), /\.toolwright is a link/);
});

test(
  "a file of another user is refused",
  { skip: process.getuid?.() !== 0 && "only root can give files away" },
  async (t) => {
    const { files, read } = place(t);
    write(files.project, { rules: [allowWrite] });
    chownSync(files.project, 12_345, 12_345);
    assert.match((await read()).problems.join("\n"), /belongs to another user/);
  },
);

test("a refused file takes nothing from the others", async (t) => {
  const { files, root, read } = place(t);
  write(files.user, { rules: [{ tool: "write_file", decision: "deny" }] });
  write(files.project, "{");
  assert.equal(judge(await read(), root, "yolo").kind, "deny");
});

test("the error of a rule names its line and column", () => {
  const text =
    '{\n  "rules": [\n    { "tool": "ls", "decision": "allow" },\n    { "decision": "denny" }\n  ]\n}\n';
  assert.throws(() => parsePolicyText(text, "policy.json"), {
    message: /^policy\.json:4:19: rules\[1\]\.decision: expected one of .*, got string "denny"$/,
  });
  assert.throws(() => parsePolicyText('{\n  "rules": [{}]\n}', "policy.json"), {
    message: /^policy\.json:2:13: rules\[0\]\.decision is missing/,
  });
});
