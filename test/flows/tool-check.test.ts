import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";
import {
  createPlace,
  longCommand,
  processesWith,
  runCli,
  startCli,
  until,
  withoutProc,
} from "./support/cli.ts";
import { ARGS, echoTool } from "./support/echo-tool.ts";
import { PROGRAMS } from "./support/libexec.ts";
import { checkProgram, withoutProgram, writeProgram } from "./support/tools.ts";

test("a good tool passes every check, with and without arguments", async (t) => {
  const place = createPlace(t);
  const path = writeProgram(
    place,
    "echo tool.sh",
    echoTool({ first: '[ -n "$1" ] || echo called >> calls' }),
  );
  const without = await checkProgram(place, path);
  assert.deepEqual([without.code, without.ok, without.failed], [0, true, []]);
  const skipped = without.checks.filter(({ state }) => state === "skipped").map(({ check }) => check);
  assert.deepEqual(skipped, ["call"]);
  const withArgs = await checkProgram(place, path, ARGS);
  assert.deepEqual([withArgs.code, withArgs.failed], [0, []]);
  assert.ok(withArgs.checks.every(({ state }) => state === "pass"));
});

test("without --args a tool never gets input that it could act on", async (t) => {
  const place = createPlace(t);
  await checkProgram(place, writeProgram(place, "e.sh", echoTool({ answers: "touch acted; echo 1" })));
  assert.equal(existsSync(join(place.folder, "acted")), false);
});

test("a program that does not answer --schema is not run again", async (t) => {
  const place = createPlace(t);
  const path = writeProgram(place, "deploy.sh", "#!/bin/sh\necho run >> runs\necho deployed\n");
  const { code, failed } = await checkProgram(place, path, ARGS);
  assert.deepEqual([code, failed], [1, ["schema"]]);
  const { stdout } = await runCli(place, ["call", "read_file", "path=runs"]);
  assert.equal(stdout, "     1\trun\n");
});

test("a file that cannot run fails with a fix", async (t) => {
  const place = createPlace(t);
  const plain = writeProgram(place, "plain.sh", echoTool({}));
  chmodSync(plain, 0o644);
  mkdirSync(join(place.folder, "folder"));
  const open = writeProgram(place, "open.sh", echoTool({}));
  chmodSync(open, 0o757);
  const headless = writeProgram(place, "headless", "#!/nowhere/at-all\n");
  const says = async (path: string): Promise<string> => {
    const { code, checks } = await checkProgram(place, path);
    assert.equal(code, 1);
    return checks
      .filter(({ state }) => state === "fail")
      .map((one) => `${one.message}; ${one.fix}`)
      .join();
  };
  assert.match(await says("nowhere"), /it does not exist/);
  assert.match(await says("folder"), /not a regular file/);
  assert.match(await says(plain), /it is not executable; chmod \+x/);
  assert.match(await says(open), /every user can write it; chmod o-w/);
  assert.match(await says(headless), /cannot start .*; start a script with an interpreter line/);
});

for (const [args, says] of [
  [["--args", "[1]"], /--args must be a JSON object/],
  [["--args", "{"], /--args is not valid JSON: .*column 2/],
  [["--args", '{"text": []}'], /--args do not match its schema: \/text/],
  [["--force"], /--force cannot be used with "tool check"/],
  [["another"], /unexpected argument: another/],
] as const) {
  test(`tool check PATH ${args.join(" ")} is bad usage`, async (t) => {
    const place = createPlace(t);
    const path = writeProgram(place, "e.sh", echoTool({}));
    const { code, stdout, stderr } = await runCli(place, ["tool", "check", path, ...args]);
    assert.deepEqual([code, stdout], [2, ""]);
    assert.match(stderr, says);
  });
}

test("the report names each check, what is wrong and how to fix it", async (t) => {
  const place = createPlace(t);
  writeProgram(place, "e.sh", echoTool({ schema: '{"name": "a\u001b[31mb", "description": "x"}' }));
  const { code, stdout } = await runCli(place, ["tool", "check", "e.sh"]);
  assert.equal(code, 1);
  assert.match(stdout, /^e\.sh\n\npass +executable +it is an executable file\n/);
  assert.match(stdout, /\nFAIL +schema +with --schema it printed something that is not JSON/);
  assert.match(stdout, /\n +fix: print \{"name"/);
  assert.match(stdout, /\n1 passed, 1 failed, 1 skipped\n$/);
  assert.ok(!stdout.includes("\u001b"));
});

test("Ctrl-C ends a check and its processes", { skip: withoutProc }, async (t) => {
  const place = createPlace(t);
  const { command, mark } = longCommand();
  const path = writeProgram(place, "slow.sh", echoTool({ reads: `cat >/dev/null; ${command}` }));
  const { child, finished } = startCli(place, ["tool", "check", path]);
  await until("it runs", () => processesWith(mark).length > 0);
  child.kill("SIGINT");
  assert.equal((await finished).code, 130);
  assert.deepEqual(processesWith(mark), []);
});

for (const [name, args] of [
  ["bash", { command: "true" }],
  ["file_read", { path: "a.txt" }],
  ["file_write", { path: "b.txt", content: "x" }],
  ["file_edit", { path: "a.txt", old_string: "one", new_string: "two" }],
  ["glob", { pattern: "*" }],
  ["grep", { pattern: "one" }],
] as const) {
  test(`libexec/${name} meets the contract`, { skip: withoutProgram("node") }, async (t) => {
    const place = createPlace(t);
    place.write("a.txt", "one\n");
    const { code, failed, checks } = await checkProgram(place, resolve("libexec", name), args);
    assert.deepEqual([code, failed], [0, []], JSON.stringify(checks));
    assert.ok(PROGRAMS.includes(name));
  });
}

test("completion offers new and check besides tool names, and a tool is still shown by its name", async (t) => {
  const place = createPlace(t);
  const { stdout } = await runCli(place, ["completion", "--words", "--", "tool", ""]);
  for (const word of ["new", "check", "read_file"]) assert.ok(stdout.split("\n").includes(word));
  const shown = await runCli(place, ["tool", "read_file", "--json"]);
  assert.equal((JSON.parse(shown.stdout) as { readonly name: string }).name, "read_file");
  const refused = await runCli(place, ["tool", "read_file", "--lang", "sh"]);
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /--lang cannot be used with "tool NAME"/);
});
