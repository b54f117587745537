import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createPlace, runCli } from "./support/cli.ts";

test("explain judges a call as one of a person, and policy test a file of calls", async (t) => {
  const place = createPlace(t);
  const rules = [{ tool: "write_file", except: { groups: ["data"] }, decision: "deny" }];
  writeFileSync(join(place.home, "policy.json"), JSON.stringify({ rules }));
  await runCli(place, ["user", "add", "ada", "--group", "data"]);
  await runCli(place, ["user", "add", "eve"]);
  const explain = async (...args: readonly string[]) =>
    (await runCli(place, ["explain", "write_file", "path=a", "content=x", "--mode", "yolo", ...args])).stdout;
  assert.match(await explain("--as", "ada"), /^allow/);
  assert.match(await explain("--as", "eve"), /^deny/);
  assert.match(await explain(), /^deny/);
  const unknown = await runCli(place, ["explain", "ls", "--as", "bob"]);
  assert.match(unknown.stderr, /no person is named "bob"/);
  const call = { tool: "write_file", input: { path: "a", content: "x" } };
  const cases = [
    { ...call, as: "ada", mode: "yolo", expect: "allow" },
    { ...call, as: "ada", mode: "ask", expect: "ask" },
    { ...call, as: { id: "x", groups: ["web"] }, mode: "yolo", expect: "deny" },
    { command: "ls", as: "eve", mode: "yolo", expect: "allow" },
  ];
  const run = (lines: readonly object[]) => {
    place.write("cases.jsonl", `${lines.map((one) => JSON.stringify(one)).join("\n")}\n`);
    return runCli(place, ["policy", "test", join(place.folder, "cases.jsonl")]);
  };
  const passed = await run(cases);
  assert.deepEqual([passed.code, passed.stdout], [0, "4 of 4 as expected\n"], passed.stderr);
  const failed = await run([...cases, { ...call, as: "eve", expect: "allow" }]);
  assert.equal(failed.code, 2);
  assert.match(
    failed.stdout,
    /^line 5 {2}write_file {2}as eve {2}expected allow {2}got deny {2}.*\(user\.rules\[0\]\)\n4 of 5 as expected\n$/,
  );
  const asJson = await runCli(place, ["policy", "test", "cases.jsonl", "--json"]);
  const { ok, differences } = JSON.parse(asJson.stdout) as { ok: boolean; differences: readonly object[] };
  assert.deepEqual([asJson.code, ok, differences.length], [2, false, 1]);
  const unknownTool = await run([{ tool: "no_such", input: {}, expect: "deny" }]);
  assert.match(unknownTool.stdout, /got TOOL_NOT_FOUND/);
  for (const [wrong, message] of [
    [{ ...call, expected: "allow" }, /line 1: .*\n.*\n- unknown key "expected"/],
    [{ ...call, command: "ls", expect: "allow" }, /line 1: expected either tool or command/],
    [{ ...call, as: "bob", expect: "allow" }, /no person is named "bob"/],
  ] as const) {
    const refused = await run([wrong]);
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, message);
  }
});

test("policy test reads a list of cases in YAML", async (t) => {
  const place = createPlace(t);
  place.write("cases.yaml", "- command: ls\n  expect: allow\n- {command: rm -rf /, expect: ask}\n");
  const { code, stdout } = await runCli(place, ["policy", "test", "cases.yaml"]);
  assert.equal(code, 2);
  assert.match(stdout, /^case 2 {2}rm -rf \/ .*got deny.*\n1 of 2 as expected\n$/);
});

test("explain says who may call and who must approve, and policy lists the rules about a person", async (t) => {
  const place = createPlace(t);
  const rules = [
    { tool: "write_file", except: { groups: ["data"] }, decision: "deny" },
    { tool: "write_file", decision: "ask", approvers: { groups: ["dba"], count: 2, notSelf: true } },
  ];
  writeFileSync(join(place.home, "policy.json"), JSON.stringify({ rules }));
  await runCli(place, ["user", "add", "ada", "--group", "data"]);
  await runCli(place, ["user", "add", "eve"]);
  const call = ["explain", "write_file", "path=a", "content=x", "--as"];
  const denied = await runCli(place, [...call, "eve"]);
  assert.match(denied.stdout, /rule: user\.rules\[0\] \(write_file by anybody but group data\)\n/);
  const asked = await runCli(place, [...call, "ada"]);
  assert.match(asked.stdout, /\napproved by: 2 different people: group dba, but not the caller\n/);
  const listOf = async (name: string) => (await runCli(place, ["policy", "--as", name])).stdout;
  assert.match(await listOf("ada"), /user: 0 deny, 1 ask, 0 allow\n {2}ask {2}user\.rules\[1\]/);
  assert.match(await listOf("eve"), /user: 1 deny, 1 ask, 0 allow/);
});
