import assert from "node:assert/strict";
import { test } from "node:test";
import type { PathFact } from "../../core/fact.ts";
import { HOME, jobOf, pathFact, toolNamed, WORKSPACE } from "../../../test/support/engines/policy-jobs.ts";
import { shellSubject } from "../../../test/support/engines/shell-subject.ts";
import { toSubject } from "../match/subject.ts";
import { createProtectedReads } from "./protected-reads.ts";
import { askOutside, findOutside, namesPrivate } from "./workspace-boundary.ts";

const SYSTEM = { isSystem: true, inode: 1, size: 1 } as const;
const protectedReads = createProtectedReads(HOME, []);
const LIMITS = {
  workspace: [WORKSPACE],
  sandbox: undefined,
  protectedReads,
  border: "ask",
  modes: ["auto"],
  readsOnly: true,
  protectedFolders: [],
} as const;
type LimitsOf = Partial<Parameters<typeof findOutside>[1]>;
const outsideOf = (subject: Parameters<typeof findOutside>[0], limits: LimitsOf = {}) =>
  findOutside(subject, { ...LIMITS, ...limits }, () => []);

function boxedJob(
  cwds: readonly string[],
  { place = "sandbox", box = "useful", facts = [] as PathFact[] } = {},
) {
  const tool = { ...toolNamed("shell", "high"), place: place as "sandbox" | "host" };
  const reading = {
    certainty: "proven",
    commands: [],
    paths: [],
    isReadOnly: true,
    ...(box !== "" && { box: box as "useful" }),
  } as const;
  return jobOf([...cwds.map((cwd) => ({ kind: "command", text: "ls", cwd, reading }) as const), ...facts], {
    tool,
  });
}

test("only a command that runs in the read-only sandbox reads files and folders of the operating system", () => {
  const facts = [{ ...pathFact("/usr/share/a"), ...SYSTEM }];
  const near = toSubject(boxedJob([WORKSPACE, "/usr/share"], { facts }), undefined);
  assert.equal(outsideOf(near), undefined);
  const path = { path: "/usr/share/a", access: "read", isCertain: true, isFolder: false };
  assert.deepEqual(outsideOf(near, { border: "deny" }), path);
  assert.deepEqual(outsideOf(near, { readsOnly: false }), path);
  for (const changes of [{ place: "host" }, { box: "" }])
    assert.deepEqual(outsideOf(toSubject(boxedJob([WORKSPACE], { ...changes, facts }), undefined)), path);
  const mixed = [...boxedJob([WORKSPACE], { facts }).facts, ...boxedJob([WORKSPACE], { box: "" }).facts];
  assert.deepEqual(outsideOf(toSubject({ ...boxedJob([WORKSPACE]), facts: mixed }, undefined)), path);
});

test("a folder in which a command starts, or a part of it runs, is outside; with the border deny only the first is a path of the call", async () => {
  const other = { path: "/other", access: "read", isCertain: true, isFolder: true } as const;
  assert.deepEqual(outsideOf(await shellSubject("pwd", [], { cwd: "/other" })), other);
  const moved = { ...(await shellSubject("cd /other && pwd")), paths: [] };
  assert.deepEqual(outsideOf(moved), other);
  assert.equal(outsideOf(moved, { border: "deny" }), undefined);
});

test("a path that is certainly outside comes before a folder and before one that only looks like a path", () => {
  const certain = pathFact("/b");
  const suspected: PathFact = { ...pathFact("/a"), suspected: true };
  const pathOf = (facts: readonly PathFact[], cwd = WORKSPACE) =>
    outsideOf(toSubject(boxedJob([cwd], { facts: [...facts] }), undefined))?.path;
  assert.equal(pathOf([suspected, certain]), "/b");
  assert.equal(pathOf([certain], "/other"), "/b");
  assert.equal(pathOf([suspected], "/other"), "/other");
  assert.equal(pathOf([suspected, { ...pathFact("/c"), suspected: true }]), "/a");
});

test("the question about a path offers its folder, unless outside is denied", () => {
  const outside = { path: "/other/a", isCertain: true, isFolder: false, access: "read" } as const;
  assert.deepEqual(askOutside(outside, LIMITS)?.offers?.[0]?.rule, {
    path: "/other{,/**}",
    decision: "allow",
  });
  assert.equal(askOutside(outside, { ...LIMITS, border: "deny" })?.offers, undefined);
  assert.equal(askOutside(outside, { ...LIMITS, modes: ["yolo"] }), undefined);
  assert.equal(askOutside(outside, { ...LIMITS, modes: ["yolo", "auto"] })?.kind, "ask");
  assert.equal(askOutside({ ...outside, path: "/srv/proc/a" }, LIMITS)?.offers?.[0]?.adds, "/srv/proc");
  const reasonOf = (isCertain: boolean) => askOutside({ ...outside, isCertain }, LIMITS)?.reason;
  assert.deepEqual([true, false].map(reasonOf), [
    "/other/a is outside the workspace",
    "/other/a looks like a path outside the workspace",
  ]);
});

test("the hint names a file in the workspace only instead of a file in /tmp", () => {
  const outside = { path: "/tmp/a", isCertain: true, isFolder: false, access: "write" } as const;
  const hintOn = (changes: object, limits: LimitsOf = {}) =>
    askOutside({ ...outside, ...changes }, { ...LIMITS, ...limits })?.hint ?? "";
  assert.match(hintOn({}), /^use a file in the workspace, such as \/w\/a, or allow/);
  for (const hint of [
    hintOn({ isFolder: true }),
    hintOn({ path: "/other/a" }),
    hintOn({}, { workspace: [] }),
  ])
    assert.match(hint, /^allow it with a rule: toolwright/);
});

test("a call in the session's sandbox names what is private there, unless all of it is the same on this machine", async () => {
  const sandbox = { isPrivate: () => true };
  const around = { workspace: [WORKSPACE], sandbox, protectedReads };
  const isPrivate = (facts: readonly PathFact[], one: object = sandbox) =>
    namesPrivate(toSubject(jobOf(facts), undefined), { ...around, sandbox: one });
  const inside = pathFact("/w/a");
  const system = { ...pathFact("/usr/a"), ...SYSTEM };
  assert.equal(isPrivate([pathFact("/tmp/a")]), true);
  assert.equal(isPrivate([pathFact("/tmp/a")], { isPrivate: () => false }), false);
  assert.equal(isPrivate([pathFact("/tmp/a")], {}), false);
  assert.equal(
    namesPrivate(toSubject(jobOf([pathFact("/tmp/a")]), undefined), { ...around, sandbox: undefined }),
    false,
  );
  assert.equal(isPrivate([inside]), false);
  assert.equal(isPrivate([{ ...inside, names: ["/tmp/link"] }]), true);
  assert.equal(isPrivate([inside, pathFact("/tmp/a")]), true);
  assert.equal(isPrivate([system]), false);
  assert.equal(isPrivate([system], { ...sandbox, hasOwnSystem: true }), true);
  assert.equal(isPrivate([pathFact("/usr/a")], { ...sandbox, hasOwnSystem: false }), true);
  for (const [cwd, expected] of [
    ["/w/sub", false],
    ["/usr/lib", false],
    ["/tmp", true],
  ] as const)
    assert.equal(namesPrivate(await shellSubject("pwd", [], { cwd }), around), expected, cwd);
  assert.equal(namesPrivate(await shellSubject("pwd", [pathFact("/tmp/a")]), around), true);
  const two = jobOf([...boxedJob(["/w", "/tmp"]).facts]);
  assert.equal(namesPrivate(toSubject(two, undefined), around), true);
});
