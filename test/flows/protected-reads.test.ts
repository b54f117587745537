import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { createEngine } from "../../src/app/host/create-engine.ts";
import { createDefaultPolicy } from "../../src/app/host/policy.ts";
import type { Mode } from "../../src/core/policy.ts";
import type { Rule } from "../../src/core/rule.ts";
import type { Engine } from "../../src/engine/types/engine.ts";
import { childEnvironment } from "../../src/system/process/environment.ts";
import { runCode } from "../../src/tools/code/run-code.ts";
import { fileTools } from "../../src/tools/files/family.ts";
import { pythonAction } from "../../src/tools/python/python-action.ts";
import { runningTools } from "../../src/tools/running/family.ts";
import { withoutBoxes } from "../support/sandboxes/boxes.ts";
import { call, codeOf, textOf } from "../support/engines/engine.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { createPlace, runCli } from "./support/cli.ts";

const SECRET = "s3cr3t-8f21";

function createFolder(t: TestContext): string {
  const root = temporaryFolder(t);
  for (const folder of ["certs", "src", ".ssh"]) mkdirSync(join(root, folder));
  for (const file of [".env", "certs/server.key", ".ssh/id_ed25519"])
    writeFileSync(join(root, file), `PLACE=${SECRET}\n`);
  for (const file of [".env.example", "src/a.ts", "certs/cert.pem", ".ssh/id_ed25519.pub"])
    writeFileSync(join(root, file), "PLACE=public\n");
  symlinkSync("../.env", join(root, "src/linked.txt"));
  return root;
}

function openEngine(
  t: TestContext,
  root: string,
  mode: Mode,
  rules: readonly Rule[] = [],
  usesBoxes = true,
): Engine {
  const running = { root, environment: childEnvironment(process.env) };
  const engine = createEngine({
    workspace: [root],
    policy: createDefaultPolicy({ mode, workspace: [root], home: "/home/ada", rules, usesBoxes }),
    tools: [
      ...fileTools({ root }),
      ...runningTools(running),
      pythonAction(running),
      runCode({ dataOf: () => ({}) }),
    ],
  });
  t.after(() => engine.close());
  return engine;
}

const shell = (command: string) => ["shell", { command }] as const;

/** Calls that name a protected file, or may read one. Nobody can answer a question. */
const NAMED = [
  ["read_file", { path: ".env" }],
  ["read_file", { path: "src/linked.txt" }],
  ["read_file", { path: "src/../certs/server.key" }],
  ["read_many_files", { paths: ["src/a.ts", ".ssh/id_ed25519"] }],
  ["grep", { pattern: "PLACE", path: ".env" }],
  ["grep", { pattern: "PLACE", path: ".ssh" }],
  ["str_replace_editor", { command: "view", path: ".env" }],
  ["edit_file", { path: ".env", old_string: "PLACE", new_string: "OTHER" }],
  shell("cat .env"),
  shell("cat < certs/server.key"),
  shell("head -c 100 src/linked.txt"),
  shell("grep PLACE .env"),
  shell("cp .env copied.txt"),
  shell("python3 -c \"print(open('.env').read())\""),
  ["python_action", { action: "execute", code: "print(open('.env').read())" }],
] as const;

for (const mode of ["auto", "yolo", "ask", "plan"] as const)
  test(`in mode ${mode} a protected file is not read if nobody can answer, whatever reads it`, async (t) => {
    const engine = openEngine(t, createFolder(t), mode);
    for (const [name, input] of NAMED) {
      const result = await engine.run(call(name, input));
      assert.equal(codeOf(result), "DENIED", `${name} ${JSON.stringify(input)}: ${textOf(result)}`);
      assert.ok(!JSON.stringify(result).includes(SECRET));
    }
  });

test("code of run_code gets no protected file either", async (t) => {
  const engine = openEngine(t, createFolder(t), "yolo");
  const code =
    'try { return await tools.read_file({ path: ".env" }) } catch (error) { return String(error) }';
  const result = await engine.run(call("run_code", { code }));
  assert.ok(!JSON.stringify(result).includes(SECRET));
});

test("a search of the folder leaves protected files out and says how many", async (t) => {
  const engine = openEngine(t, createFolder(t), "auto");
  const found = await engine.run(call("grep", { pattern: "PLACE" }));
  assert.match(textOf(found), /src\/a\.ts:1:PLACE=public/);
  assert.match(textOf(found), /\[1 protected file was not searched: /);
  // The same whether or not a protected file matches: a pattern must not spell out the secret.
  const [match, none] = await Promise.all(
    [SECRET, "no-such-text"].map((pattern) => engine.run(call("grep", { pattern }))),
  );
  assert.equal(match && textOf(match), none && textOf(none));
  const many = await engine.run(call("read_many_files", { paths: ["certs/*", ".*"] }));
  assert.ok(many.ok && !JSON.stringify(many).includes(SECRET), textOf(many));
  const names = await engine.run(call("glob", { pattern: "certs/*" }));
  assert.match(textOf(names), /server\.key/);
});

/** Commands that are proven to read, and name no protected file. */
const SEARCHES = [
  "grep -rn PLACE .",
  "rg --hidden --no-ignore PLACE",
  "rg PLACE certs",
  "cat certs/*",
  "find . -type f -exec cat {} ;",
];

test("in the read-only sandbox protected files do not exist", { skip: withoutBoxes }, async (t) => {
  const engine = openEngine(t, createFolder(t), "auto");
  for (const command of SEARCHES) {
    const result = await engine.run(call(...shell(command)));
    assert.ok(!JSON.stringify(result).includes(SECRET), `${command}: ${textOf(result)}`);
  }
  const found = await engine.run(call(...shell("grep -rn PLACE src certs")));
  assert.ok(found.ok, textOf(found));
  assert.match(textOf(found), /PLACE=public/);
});

test("without a sandbox a search of folders with protected files needs approval, others run", async (t) => {
  const root = createFolder(t);
  const engine = openEngine(t, root, "auto", [], false);
  for (const command of SEARCHES)
    assert.equal(codeOf(await engine.run(call(...shell(command)))), "DENIED", command);
  const clean = temporaryFolder(t);
  writeFileSync(join(clean, "a.ts"), "PLACE=public\n");
  const other = openEngine(t, clean, "auto", [], false);
  assert.match(textOf(await other.run(call(...shell("grep -rn PLACE .")))), /PLACE=public/);
});

test("a rule that names the file allows reading it, also in a search and in the sandbox", async (t) => {
  const rules = [{ path: "certs/server.key", access: "read", decision: "allow" }] as const;
  const engine = openEngine(t, createFolder(t), "auto", rules);
  for (const one of [
    call("read_file", { path: "certs/server.key" }),
    call("grep", { pattern: "PLACE" }),
    call(...shell("cat certs/server.key")),
    ...(withoutBoxes === false ? [call(...shell("grep -rn PLACE certs"))] : []),
  ])
    assert.match(textOf(await engine.run(one)), new RegExp(SECRET), one.name);
  assert.equal(codeOf(await engine.run(call("read_file", { path: ".env" }))), "DENIED");
});

test("a session in the home folder says so, and its keys are not read without approval", async (t) => {
  const { home, ...place } = createPlace(t);
  const inHome = { ...place, home, folder: home };
  mkdirSync(join(home, ".ssh"));
  writeFileSync(join(home, ".ssh/id_rsa"), SECRET);
  const { code, stdout, stderr } = await runCli(inHome, [
    "call",
    "read_file",
    ".ssh/id_rsa",
    "--mode",
    "yolo",
  ]);
  assert.equal(code, 3);
  assert.ok(!stdout.includes(SECRET));
  assert.match(stderr, /contains your whole home folder/);
  assert.match(stderr, /would read .*\.ssh\/id_rsa, which can contain secrets/);
});
