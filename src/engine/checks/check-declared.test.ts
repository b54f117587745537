import assert from "node:assert/strict";
import { test } from "node:test";
import { runTool } from "../../../test/support/engines/run-tool.ts";
import type { Fact, PathFact } from "../../core/fact.ts";
import type { Mode, Policy } from "../../core/policy.ts";
import type { Risk } from "../../core/spec.ts";
import { defineTool } from "../../schema/define/define-tool.ts";
import { createEngine } from "../engine.ts";

const RISKS: readonly (readonly [unknown, RegExp])[] = [
  [undefined, /"t" did not run: its riskOf returned nothing/],
  [null, /riskOf returned null/],
  ["none", /riskOf returned "none"/],
  ["Low", /riskOf returned "Low"/],
  [0, /riskOf returned 0/],
  [Promise.resolve("low"), /riskOf returned a promise/],
];

for (const mode of ["yolo", "edits", "auto", "ask", "plan"] satisfies readonly Mode[])
  test(`in mode ${mode} a tool whose riskOf returns no risk does not run`, async () => {
    for (const [risk, problem] of RISKS) {
      const { code, text, runs } = await runTool({ riskOf: () => risk }, { mode });
      assert.deepEqual([code, runs], ["INVALID_OUTPUT", 0], text);
      assert.match(text, problem);
      assert.match(text, /it must return low, medium, high/);
    }
  });

test("a rejected promise in place of a risk refuses the call, and is no unhandled rejection", async () => {
  const riskOf = (): unknown => Promise.reject(new Error("no such table"));
  assert.equal((await runTool({ riskOf })).code, "INVALID_OUTPUT");
  // Node reports an unhandled rejection by then, which fails this test.
  await new Promise(setImmediate);
});

test("a tool whose riskOf returns more than its own risk does not run, and less or the same is judged", async () => {
  const ran = async (risk: Risk, returned: Risk): Promise<string> =>
    (await runTool({ risk, riskOf: () => returned }, { mode: "auto" })).code;
  assert.deepEqual(
    await Promise.all([ran("low", "low"), ran("high", "low"), ran("high", "medium"), ran("high", "high")]),
    ["ok", "ok", "DENIED", "DENIED"],
  );
  assert.deepEqual(await Promise.all([ran("low", "medium"), ran("low", "high"), ran("medium", "high")]), [
    "INVALID_OUTPUT",
    "INVALID_OUTPUT",
    "INVALID_OUTPUT",
  ]);
  const { text } = await runTool({ risk: "low", riskOf: () => "high" });
  assert.match(text, /its own risk is only low\ndeclare risk: "high"/);
});

const PATH: PathFact = { kind: "path", path: "/w/a", access: "write" };

const FACTS: readonly (readonly [unknown, RegExp])[] = [
  [undefined, /"t" did not run: its facts returned nothing/],
  [null, /facts returned null/],
  [PATH, /facts returned an object/],
  [Promise.resolve(undefined), /facts returned nothing/],
  [[undefined], /facts\[0\]: expected a fact, got nothing/],
  [["/w/a"], /expected a fact, got "\/w\/a"/],
  [[{ path: "/w/a", access: "write" }], /unknown kind nothing/],
  [[PATH, { ...PATH, kind: "pth" }], /facts\[1\]: unknown kind "pth"/],
  [[{ ...PATH, kind: "constructor" }], /unknown kind "constructor"/],
  [[{ ...PATH, kind: ["path"] }], /unknown kind a list/],
  [[{ ...PATH, names: "/w/b" }], /its names is "\/w\/b"/],
  [[{ ...PATH, names: {} }], /its names is an object/],
  [[{ ...PATH, names: ["/w/b", "c"] }], /its names is a list/],
  [[{ ...PATH, names: [{ startsWith: true }] }], /its names is a list/],
  [[{ ...PATH, path: undefined }], /its path is nothing/],
  [[{ ...PATH, path: "a" }], /its path is "a"/],
  [[{ ...PATH, path: 1 }], /its path is 1/],
  [[{ ...PATH, access: "Write" }], /its access is "Write"/],
  [[{ kind: "path", path: "/w/a" }], /its access is nothing/],
  [[{ ...PATH, unread: "yes" }], /its unread is "yes"/],
  [[{ ...PATH, suspected: false }], /its suspected is false/],
  [[{ ...PATH, change: "remove" }], /its change is "remove"/],
  [[{ ...PATH, inode: "7" }], /its inode is "7"/],
  [[{ ...PATH, acess: "write" }], /unknown member "acess"/],
  [[{ kind: "command", text: "ls" }], /its cwd is nothing/],
  [[{ kind: "command", cwd: "/w" }], /its text is nothing/],
  [[{ kind: "command", text: 5, cwd: "/w" }], /its text is 5/],
  [[{ kind: "command", text: "ls", cwd: "w" }], /its cwd is "w"/],
  [[{ kind: "command", text: "ls", cwd: "/w", outside: 1 }], /its outside is 1/],
  [[{ kind: "command", text: "ls", cwd: "/w", interactive: "no" }], /its interactive is "no"/],
  [[{ kind: "command", text: "rm", cwd: "/w", argv: ["ls"] }], /unknown member "argv"/],
  [[{ kind: "command", text: "rm", cwd: "/w", reading: { isReadOnly: true } }], /unknown member "reading"/],
  [[{ kind: "host", host: "" }], /its host is ""/],
  [[{ kind: "host", host: 5 }], /its host is 5/],
  [[{ kind: "host", url: "http://a.com" }], /unknown member "url"/],
  [[{ kind: "mcp", server: "s" }], /its tool is nothing/],
  [[{ kind: "mcp", server: null, tool: "t" }], /its server is null/],
];

test("a tool whose facts are none, or have an unknown kind or a wrong member, does not run", async () => {
  for (const [facts, problem] of FACTS) {
    const { code, text, runs } = await runTool({ facts: () => facts });
    assert.deepEqual([code, runs], ["INVALID_OUTPUT", 0], text);
    assert.match(text, problem);
  }
});

test("facts of every kind with all members that a tool may set are accepted", async () => {
  const facts: readonly Fact[] = [
    { ...PATH, names: [] },
    {
      ...PATH,
      names: ["/w/b", "/w/c"],
      device: 1,
      inode: 2,
      size: 3,
      modifiedMs: 4,
      unread: true,
      change: "delete",
      suspected: true,
    },
    { kind: "command", text: "", cwd: "/w", interactive: true, outside: true },
    { kind: "host", host: "a.com" },
    { kind: "mcp", server: "s", tool: "t" },
  ];
  const policy: Policy = { judge: () => ({ kind: "allow", reason: "", rule: "" }) };
  for (const given of [facts, Promise.resolve(facts), []])
    assert.equal((await runTool({ facts: () => given }, { policy })).code, "ok");
});

test("checks that return no list of problems refuse the call", async () => {
  for (const [problems, code] of [
    ["bad", "INVALID_OUTPUT"],
    [{ path: "" }, "INVALID_OUTPUT"],
    [false, "INVALID_OUTPUT"],
    [Promise.resolve(true), "INVALID_OUTPUT"],
    [undefined, "ok"],
    [[], "ok"],
  ] as const)
    assert.equal((await runTool({ check: () => problems })).code, code);
});

test("a path of a command that the resolver gets wrong is judged as one that may be any", async () => {
  const judged: Fact[][] = [];
  const policy: Policy = {
    read: () => ({ commands: [], paths: [{ text: "a", cwd: "/w", access: "write" }] }) as never,
    judge: ({ facts }) => (judged.push([...facts]), { kind: "allow", reason: "", rule: "" }),
  };
  for (const resolved of [null, { kind: "path", path: "a", access: "write" }, { ...PATH, access: "none" }])
    await runTool(
      { facts: () => [{ kind: "command", text: "touch a", cwd: "/w" }] },
      { policy, resolvePath: async () => resolved as PathFact },
    );
  const paths = judged.map((facts) => facts.find(({ kind }) => kind === "path"));
  const suspected = { kind: "path", path: "/w/a", access: "write", suspected: true };
  assert.deepEqual(paths, [suspected, suspected, suspected]);
});

test("a tool with a part of the wrong type is refused when it is added", () => {
  for (const part of ["check", "riskOf", "facts", "calls", "parse", "limitsOf", "describe", "attributes"])
    assert.throws(
      () => createEngine({ tools: [{ ...defined("t"), [part]: "low" }] }),
      new RegExp(`its ${part} is "low"`),
    );
  for (const flag of ["isUntrusted", "masks", "runsTogether", "startsInactive"])
    assert.throws(
      () => createEngine({ tools: [{ ...defined("t"), [flag]: "no" }] }),
      new RegExp(`its ${flag} is "no"`),
    );
});

function defined(name: string) {
  return defineTool({ name, description: "", run: () => 1 });
}
