import assert from "node:assert/strict";
import { test } from "node:test";
import { jobOf, pathFact, toolNamed } from "../../../test/support/engines/policy-jobs.ts";
import { KNOWLEDGE, shellSubject } from "../../../test/support/engines/shell-subject.ts";
import type { CommandReading } from "../../core/command.ts";
import type { Fact } from "../../core/fact.ts";
import { PathView } from "./match-path.ts";
import {
  isFileEdit,
  isReadOnly,
  provenArgv,
  staysInside,
  systemNames,
  toSubject,
  type Subject,
} from "./subject.ts";

const host: Fact = { kind: "host", host: "a.com" };
const server: Fact = { kind: "mcp", server: "s", tool: "t" };
const WORKSPACE = ["/w", "/v"];

/** Returns the subject with another reading of its commands. */
function readAs(subject: Subject, reading: Partial<CommandReading>, place?: string): Subject {
  const { job } = subject;
  const facts = job.facts.map((fact) =>
    fact.kind === "command" && fact.reading !== undefined
      ? { ...fact, reading: { ...fact.reading, ...reading } }
      : fact,
  );
  const tool = { ...job.tool, ...(place !== undefined && { place }) };
  return toSubject({ ...job, tool, facts }, KNOWLEDGE);
}

const NEAR = { workspace: WORKSPACE, border: "deny" } as const;

for (const [text, expected] of [
  ["ls; git status; ls", ["ls", "git"]],
  ["LS", ["ls"]],
  ["$x", undefined],
  ["mytool", undefined],
  ["./ls", undefined],
  ["python3 a", undefined],
  ["(ls", undefined],
  ["env ls", ["env", "ls"]],
] as const)
  test(`${text} starts ${expected === undefined ? "perhaps any program" : expected.join(" and ")}`, async () => {
    assert.deepEqual((await shellSubject(text)).programs, expected);
  });

for (const [paths, expected] of [
  [["/bin/rm"], ["cp", "rm"]],
  [
    ["/usr/bin/RM", "/bin/rm"],
    ["cp", "rm"],
  ],
  [["/bin/cp"], ["cp"]],
  [["/w/rm"], ["cp"]],
  [["/bin/r*"], undefined],
  [["/w/rm", "/bin/r?"], undefined],
] as const)
  test(`with the paths ${paths.join(" and ")} a command may start ${expected === undefined ? "any program" : expected.join(" and ")}`, async () => {
    const facts = paths.map((path): Fact => ({ ...pathFact(path), suspected: true }));
    const subject = await shellSubject("cp a b");
    const all = toSubject(jobOf([...subject.job.facts, ...facts]), KNOWLEDGE);
    assert.deepEqual(all.programs, expected);
  });

test("the file of a program counts by each of its names; a name with signs is one, unless it is only suspected", () => {
  const namesOf = (path: string, names: readonly string[], isSuspected: boolean) =>
    systemNames(new PathView({ ...pathFact(path), names, ...(isSuspected && { suspected: true }) }));
  assert.deepEqual(namesOf("/usr/bin/a", ["/bin/B", "/w/c"], false), ["a", "b"]);
  assert.deepEqual(namesOf("/bin/[", [], false), ["["]);
  assert.deepEqual(namesOf("/bin/a", [], true), ["a"]);
  assert.deepEqual(namesOf("/bin/a?", [], true), [undefined]);
  assert.deepEqual(namesOf("/bin?/a", [], true), []);
});

test("with the border ask a command may read in any known folder, and git only in the workspace", async () => {
  const isProven = async (text: string, cwd = "/w") =>
    isReadOnly(await shellSubject(text, [], { cwd }), { workspace: WORKSPACE, border: "ask" });
  assert.equal(await isProven("ls", "/other"), true);
  assert.equal(await isProven("git status", "/other"), false);
  assert.equal(await isProven("git status"), true);
  const lost = await shellSubject("ls");
  const [view] = lost.commands;
  const reading = view?.fact.reading;
  assert.ok(reading);
  const nowhere = readAs(lost, { commands: reading.commands.map((one) => ({ ...one, cwds: [] })) });
  assert.equal(isReadOnly(nowhere, { workspace: WORKSPACE, border: "ask" }), false);
});

test("one of several commands that cannot be read may start any program, and one of several folders makes a call open-ended", async () => {
  assert.equal((await shellSubject(["ls", "(ls"])).programs, undefined);
  const folder = { ...pathFact("/w/a", "write"), inode: 1 };
  assert.equal(toSubject(jobOf([folder, pathFact("/w/b")]), undefined).isOpenEnded, true);
  assert.deepEqual((await shellSubject("> out; ls")).programs, ["ls"]);
});

test("a command that runs text which is only known later may start any program", async () => {
  const subject = await shellSubject("ls");
  assert.equal(readAs(subject, { runsUnknown: true }).programs, undefined);
});

test("the facts of a call are sorted by kind", async () => {
  const subject = await shellSubject("ls > /dev/null", [host, server, pathFact("/w/a")]);
  assert.deepEqual([subject.hosts, subject.isMcp, subject.isOpenEnded], [["a.com"], true, true]);
  assert.deepEqual(
    subject.paths.map(({ path }) => path),
    ["/w/a"],
  );
  const write = toSubject(jobOf([pathFact("/dev/null", "write")]), undefined);
  assert.deepEqual(
    [write.paths.length, write.isOpenEnded, write.isMcp, write.programs],
    [1, false, false, []],
  );
  const folder = toSubject(jobOf([{ ...pathFact("/w/a", "write"), inode: 1 }]), undefined);
  assert.equal(folder.isOpenEnded, true);
  const none = toSubject(jobOf([]), undefined);
  assert.deepEqual([none.paths, none.programs, none.isOpenEnded, none.isMcp], [[], [], false, false]);
});

for (const [what, text, more, isProven] of [
  ["a reading command", "ls", [], true],
  ["two reading commands", ["ls", "git status"], [], true],
  ["a reading and another command", ["ls", "make"], [], false],
  ["a reading command, and a file that is read", "ls", [pathFact("/w/a")], true],
  ["a reading command, and a file that is written", "ls", [pathFact("/w/a", "write")], false],
  ["a reading command, and a host", "ls", [host], false],
  ["a reading command, and a server", "ls", [server], false],
  ["no command", [], [pathFact("/w/a")], false],
] as const)
  test(`${what} ${isProven ? "is" : "is not"} proven to only read`, async () => {
    assert.equal(isReadOnly(await shellSubject(text, more), NEAR), isProven);
  });

test("a proof that needs a sandbox holds for a tool that runs in one", async () => {
  const subject = await shellSubject("ls");
  for (const [box, place, isProven] of [
    ["needed", undefined, false],
    ["needed", "host", false],
    ["needed", "sandbox", true],
    ["useful", "host", true],
  ] as const)
    assert.equal(isReadOnly(readAs(subject, { box }, place), NEAR), isProven);
});

test("a command stays inside if every folder it may run in is, of git only the workspace folders themselves", async () => {
  for (const [text, cwd, isInside] of [
    ["ls", "/w", true],
    ["ls", "/w/sub", true],
    ["ls", "/x", false],
    ["git status", "/w", true],
    ["git status", "/v", true],
    ["git status", "/w/sub", false],
    ["git status", "/x", false],
    ["cd /x || true; ls", "/w", false],
    ["cd sub || true; git status", "/w", false],
    ["cd $x; ls", "/w", false],
    ["cd $x; git status", "/w", false],
  ] as const) {
    const part = (await shellSubject(text, [], { cwd })).parts.findLast(({ program }) => program !== "cd");
    assert.ok(part);
    assert.equal(staysInside(part, WORKSPACE), isInside, `${text} in ${cwd}`);
    if (text === "ls") assert.equal(isReadOnly(await shellSubject(text, [], { cwd }), NEAR), isInside);
  }
});

const write = pathFact("/w/a", "write");
for (const [what, facts, isEdit, changes = {}] of [
  ["a changed file", [write], true],
  ["a changed file in the second folder", [pathFact("/v/a", "write")], true],
  ["a changed file of a tool of the host program", [write], true, { source: "app" }],
  ["a changed and a read file", [pathFact("/w/b"), write], true],
  ["a read file", [pathFact("/w/b")], false],
  ["a file outside", [write, pathFact("/x/b")], false],
  ["a suspected file", [write, { ...pathFact("/w/b"), suspected: true }], false],
  ["a host", [write, host], false],
  ["a server", [write, server], false],
  ["a replaced folder", [{ ...write, inode: 1 }], false],
  ["a command", [write, { kind: "command", text: "ls", cwd: "/w" }], false],
  ["no file", [], false],
  ["a changed file of a tool of a server", [write], false, { source: "mcp:s" }],
  ["a changed file at high risk", [write], false, { risk: "high" }],
  ["a changed file at low risk", [write], false, { risk: "low" }],
] as const)
  test(`a call with ${what} is ${isEdit ? "" : "not "}a change of files`, () => {
    const { risk = "medium", source = "built-in" } = changes as {
      readonly risk?: "low" | "high";
      readonly source?: string;
    };
    const tool = { ...toolNamed("t", risk), source };
    assert.equal(
      isFileEdit(toSubject(jobOf(facts as readonly Fact[], { tool }), KNOWLEDGE), WORKSPACE),
      isEdit,
    );
  });

test("the program and its arguments are known of one proven command", async () => {
  assert.deepEqual(provenArgv(await shellSubject("ls -a")), ["ls", "-a"]);
  assert.equal(provenArgv(await shellSubject(["ls", "ls"])), undefined);
  assert.equal(provenArgv(await shellSubject("ls $x")), undefined);
  assert.equal(provenArgv(await shellSubject("ls", [], { interactive: true })), undefined);
  assert.equal(provenArgv(await shellSubject([])), undefined);
});
