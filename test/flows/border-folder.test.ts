import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { answerOf, approvalQuestion } from "../../src/app/host/approvals/approval-question.ts";
import type { ApprovalRequest } from "../../src/core/approval.ts";
import { loadConfig } from "../../src/app/config/config.ts";
import { textOf } from "../support/engines/engine.ts";
import { openBorderHost } from "../support/sandboxes/border-host.ts";

/** Answers with the choice whose label matches; declines what does not offer it. */
const choosing = (label: RegExp) => (request: ApprovalRequest) => {
  const question = approvalQuestion(request);
  const choice = question.choices.find((one) => label.test(one.label));
  return answerOf(question, choice?.id ?? "no");
};

test("a folder that a person adds to the workspace for the session belongs to it for all tools, in this session only", async (t) => {
  const label = /^Add .*\/other to the workspace, for this session$/;
  const { run, asked, other, home } = await openBorderHost(t, { mode: "edits" }, choosing(label));
  const file = join(other, "a.txt");
  writeFileSync(file, "content of a\n");
  assert.match(textOf(await run("read_file", { path: file })), /content of a/);
  assert.equal(asked.length, 1);
  const calls: readonly (readonly [string, object])[] = [
    ["read_file", { path: file }],
    ["write_file", { path: join(other, "b.txt"), content: "b" }],
    ["shell", { command: `cat ${file}` }],
    ["shell", { command: `cd ${other} && ls` }],
    ["grep", { pattern: "content", path: other }],
  ];
  for (const [tool, input] of calls) assert.equal((await run(tool, input)).ok, true, tool);
  assert.equal(asked.length, 1, "none of them is a question");
  assert.equal((await run("shell", { command: `rm ${file}` })).ok, false);
  assert.match(asked.at(-1)?.reason ?? "", /mode edits/, "it is judged as in the workspace");
  assert.equal((await run("read_file", { path: join(other, ".env") })).ok, false);
  assert.match(asked.at(-1)?.reason ?? "", /can contain secrets/);
  await run("read_file", { path: file }, "another");
  assert.match(asked.at(-1)?.reason ?? "", /is outside the workspace/);
  assert.equal(existsSync(join(home, ".toolwright/config.json")), false);
});

test("a folder that a person always adds goes into the setting roots, beside those that are there", async (t) => {
  const label = /^Always add .*\/other to the workspace$/;
  const { run, asked, other, home, workspace } = await openBorderHost(t, { mode: "auto" }, choosing(label));
  writeFileSync(join(other, "a.txt"), "content of a\n");
  const read = () => run("read_file", { path: join(other, "a.txt") });
  assert.equal((await read()).ok, true);
  assert.equal((await read()).ok, true);
  assert.equal(asked.length, 1, "it takes effect in the running session");
  const file = join(home, ".toolwright/config.json");
  assert.deepEqual(JSON.parse(readFileSync(file, "utf8")), { roots: [other] });
  const variables = { HOME: home };
  const { paths } = loadConfig({}, { cwd: workspace, variables, userHome: home });
  assert.deepEqual(paths.workspace, [workspace, other]);
});

test("once allows the call, and always this path for the tool, each without a change of the workspace", async (t) => {
  let label = /^Allow once$/;
  const { run, asked, other } = await openBorderHost(t, { mode: "auto" }, (request) =>
    choosing(label)(request),
  );
  for (const name of ["a", "b"]) writeFileSync(join(other, name), "text\n");
  const read = (name: string) => run("read_file", { path: join(other, name) });
  await read("a");
  await read("a");
  assert.equal(asked.length, 2);
  label = /^Always allow read_file/;
  await read("a");
  assert.equal((await read("a")).ok, true);
  assert.equal(asked.length, 3);
  await read("b");
  assert.equal(asked.length, 4);
});

test("with the border deny, nobody is asked, and a project can set it but not loosen it", async (t) => {
  const { run, asked, other, workspace, home } = await openBorderHost(t, { mode: "yolo" }, undefined, {
    border: "deny",
  });
  writeFileSync(join(other, "a"), "text\n");
  const result = await run("shell", { command: "cat ../other/a" });
  assert.ok(
    !result.ok && result.error.hint?.includes(`toolwright policy allow --access read --path '${other}/**'`),
  );
  assert.equal(asked.length, 0);
  const borderOf = (own: object, project: object): string => {
    const { files } = loadConfig({}, { cwd: workspace, variables: { HOME: home }, userHome: home }).paths;
    for (const [file, value] of [
      [files.user, own],
      [files.project, project],
    ] as const) {
      writeFileSync(file, JSON.stringify(value), { mode: 0o600 });
    }
    return loadConfig({}, { cwd: workspace, variables: { HOME: home }, userHome: home }).policy.border;
  };
  for (const folder of [workspace, home]) mkdirSync(join(folder, ".toolwright"), { recursive: true });
  assert.equal(borderOf({}, {}), "ask");
  assert.equal(borderOf({}, { border: "deny" }), "deny");
  assert.equal(borderOf({ border: "deny" }, { border: "ask" }), "deny");
});
