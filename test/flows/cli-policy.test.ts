import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createPlace, runCli, type Place } from "./support/cli.ts";

function writePolicy({ folder, home }: Place, whose: "user" | "project", value: unknown): string {
  const file = whose === "user" ? join(home, "policy.json") : join(folder, ".toolwright", "policy.json");
  if (whose === "project") mkdirSync(join(folder, ".toolwright"), { recursive: true });
  writeFileSync(file, typeof value === "string" ? value : JSON.stringify(value), { mode: 0o644 });
  return file;
}

test("policy check tries the examples, counts the rules and reports rules without effect", async (t) => {
  const place = createPlace(t);
  writePolicy(place, "user", {
    rules: [
      {
        command: ["rm", "-rf"],
        decision: "deny",
        match: ["rm -r -f x", "bash -c 'rm -fr x'"],
        not_match: ["rm x"],
      },
      { tool: "shell", command: ["rm", "-rf", "x"], decision: "allow" },
      { tool: "shel", decision: "ask" },
    ],
  });
  const { code, stdout } = await runCli(place, ["policy", "check"]);
  assert.equal(code, 0);
  assert.match(stdout, /^ok +.*policy\.json +1 deny, 1 ask, 1 allow$/m);
  assert.match(stdout, /^none +.*\.toolwright\/policy\.json/m);
  assert.match(stdout, /^note: .*rules\[1\] has no effect: rules\[0\] covers it and is stricter$/m);
  assert.match(
    stdout,
    /^note: .*rules\[2\]: "shel" is not a built-in tool; did you mean shell\? If not, the rule is for a tool of/m,
  );
});

test("tools of the browser and of agents are known to policy check", async (t) => {
  const place = createPlace(t);
  const rules = ["navigate", "create_agent", "trigger_hot_swap"].map((tool) => ({ tool, decision: "deny" }));
  writePolicy(place, "user", { rules });
  const { stdout } = await runCli(place, ["policy", "check"]);
  assert.doesNotMatch(stdout, /note:/);
});

test("policy deny warns about a name that no built-in tool has, and writes the rule", async (t) => {
  const place = createPlace(t);
  const { code, stdout, stderr } = await runCli(place, ["policy", "deny", "shel"]);
  assert.deepEqual([code, stdout.includes('{"tool":"shel","decision":"deny"}')], [0, true]);
  assert.match(stderr, /warning: "shel" is not a built-in tool; did you mean shell\?/);
  await runCli(place, ["config", "set", "externalTools.shells", '{"risk": "low"}']);
  const known = await runCli(place, ["policy", "deny", "shells"]);
  assert.deepEqual([known.code, known.stderr], [0, ""]);
});

test("policy check exits 2 on a file that would be refused, and says where the fault is", async (t) => {
  const place = createPlace(t);
  const file = writePolicy(place, "project", {
    rules: [{ command: ["ls"], decision: "deny", match: ["cat a"] }],
  });
  const { code, stdout } = await runCli(place, ["policy", "check", "--json"]);
  assert.equal(code, 2);
  const { ok, files } = JSON.parse(stdout) as { ok: boolean; files: { file: string; problems: string[] }[] };
  assert.equal(ok, false);
  assert.deepEqual(files.find((one) => one.file === file)?.problems, [
    `${file}: rules[0]: it does not match its example "cat a"`,
  ]);
});

test("policy check takes files by name, and a missing one is a fault", async (t) => {
  const place = createPlace(t);
  place.write("team.json", '{"rules": [{"decision": "deny"');
  const { code, stdout } = await runCli(place, ["policy", "check", "team.json", "none.json"]);
  assert.equal(code, 2);
  assert.match(stdout, /^problem: .*team\.json:1:\d+: not valid JSON/m);
  assert.match(stdout, /^problem: .*none\.json does not exist$/m);
});

test("policy lists the rules of every layer; what a project allows is off", async (t) => {
  const place = createPlace(t);
  writePolicy(place, "user", { rules: [{ path: "**/.env", decision: "deny", reason: "secrets" }] });
  writePolicy(place, "project", { mode: "yolo", rules: [{ tool: "shell", decision: "allow" }] });
  const { code, stdout, stderr } = await runCli(place, ["policy"]);
  assert.equal(code, 0);
  assert.match(stdout, /^built-in: \d+ deny/m);
  assert.match(stdout, /^ {2}deny +user\.rules\[0\] +\{"path":"\*\*\/\.env"\} +secrets$/m);
  assert.match(stdout, /^ {2}allow \(off\) +project\.rules\[0\] +\{"tool":"shell"\}$/m);
  assert.match(stderr, /1 rule that allows is off until you trust/);
  const { layers } = JSON.parse((await runCli(place, ["policy", "--json"])).stdout) as {
    layers: { name: string; mayAllow: boolean }[];
  };
  assert.deepEqual(
    layers.map(({ name, mayAllow }) => `${name} ${mayAllow}`),
    ["built-in true", "user true", "project false"],
  );
});

test("an unknown action exits 2 and names the near one", async (t) => {
  const { code, stderr } = await runCli(createPlace(t), ["policy", "chek"]);
  assert.equal(code, 2);
  assert.match(stderr, /did you mean check\?/);
});

test("explain shows what always would save, or why the call can only be approved once", async (t) => {
  const place = createPlace(t);
  const { stdout } = await runCli(place, ["explain", "write_file", "path=a.txt", "content=x"]);
  assert.match(
    stdout,
    /^always would save: \{ "tool": "write_file", "path": ".*\/a\.txt", "access": "write", "decision": "allow" \}$/m,
  );
  const hidden = await runCli(place, ["explain", "write_file", "path=.envrc", "content=x", "--json"]);
  const { kind, rule, grant, ungrantable } = JSON.parse(hidden.stdout) as Record<string, unknown>;
  assert.deepEqual([kind, rule, grant], ["ask", "protected-target", null]);
  assert.match(String(ungrantable), /every time/);
});

test("policy allow writes a rule that holds in this folder only, and keeps the comments of the file", async (t) => {
  const place = createPlace(t);
  const file = writePolicy(
    place,
    "user",
    '{\n  // mine\n  "rules": [{ "tool": "x", "decision": "ask" }]\n}\n',
  );
  assert.equal((await runCli(place, ["call", "write_file", "path=src/a", "content=1"])).code, 3);
  const { code, stdout } = await runCli(place, ["policy", "allow", "write_file", "--path", "src/"]);
  assert.equal(code, 0);
  assert.match(stdout, /policy\.json: .*"path":"\/.*\/src\/\*\*"/);
  assert.match(readFileSync(file, "utf8"), /\/\/ mine/);
  assert.equal((await runCli(place, ["call", "write_file", "path=src/a", "content=1"])).code, 0);
  assert.equal((await runCli(place, ["call", "write_file", "path=other", "content=1"])).code, 3);
  const other = join(place.folder, "sub");
  mkdirSync(join(other, "src"), { recursive: true });
  const elsewhere = { ...place, folder: other };
  assert.equal((await runCli(elsewhere, ["call", "write_file", "path=src/a", "content=1"])).code, 3);
});

test("policy deny applies at once, to every tool", async (t) => {
  const place = createPlace(t);
  place.write("notes.txt", "KEY=1");
  assert.equal((await runCli(place, ["call", "read_file", "path=notes.txt"])).code, 0);
  assert.equal(
    (await runCli(place, ["policy", "deny", "--path", "**/notes.txt", "--reason", "secrets"])).code,
    0,
  );
  const { code, stderr } = await runCli(place, ["call", "read_file", "path=notes.txt"]);
  assert.equal(code, 3);
  assert.match(stderr, /secrets/);
});

test("policy allow --command binds a named script to its folder, with a warning", async (t) => {
  const place = createPlace(t);
  const { code, stdout, stderr } = await runCli(place, ["policy", "allow", "--command", "npm test"]);
  assert.equal(code, 0);
  const rule = JSON.parse(stdout.slice(stdout.indexOf("{"))) as Record<string, unknown>;
  assert.deepEqual(
    [rule["command"], rule["exact"], rule["folder"]],
    [["npm", "test"], true, realpathSync(place.folder)],
  );
  assert.match(stderr, /files of the project decide what it runs/);
  const verdictOf = async (where: Place, command: string): Promise<string> => {
    const { stdout: text } = await runCli(where, ["explain", "shell", `command=${command}`, "--json"]);
    return (JSON.parse(text) as { kind: string }).kind;
  };
  assert.equal(await verdictOf(place, "npm test"), "allow");
  for (const command of [
    "npm test -- x",
    "npm run other",
    "npm test --prefix sub",
    "X=1 npm test",
    "npm test && npm run other",
  ])
    assert.equal(await verdictOf(place, command), "ask", command);
  mkdirSync(join(place.folder, "sub"));
  assert.equal(await verdictOf({ ...place, folder: join(place.folder, "sub") }, "npm test"), "ask");
});

for (const command of ["rm $x", "make > log", "X=1 make", "ls $(cat a)"])
  test(`policy allow refuses to write a rule for: ${command}`, async (t) => {
    const place = createPlace(t);
    const { code, stderr } = await runCli(place, ["policy", "allow", "--command", command]);
    assert.equal(code, 2);
    assert.match(stderr, /not one plain command/);
    assert.equal(existsSync(join(place.home, "policy.json")), false);
  });

for (const [command, rules, warning] of [
  ["node --test", [["node", "--test"]], /interpreter and can run anything/],
  ["npm test", [["npm", "test"]], /files of the project decide/],
  ["make && make install", [["make"], ["make", "install"]], /make runs commands from the project's files/],
  [
    "npx tsc --noEmit",
    [
      ["npx", "tsc", "--noEmit"],
      ["tsc", "--noEmit"],
    ],
    /runs code from packages/,
  ],
] as const)
  test(`policy allow writes rules for ${command} and warns, and then it needs no approval`, async (t) => {
    const place = createPlace(t);
    const { code, stderr } = await runCli(place, ["policy", "allow", "--command", command]);
    assert.equal(code, 0, stderr);
    assert.match(stderr, warning);
    const { rules: written } = JSON.parse(readFileSync(join(place.home, "policy.json"), "utf8")) as {
      rules: readonly { readonly command: readonly string[]; readonly folder: string }[];
    };
    assert.deepEqual(
      written.map((rule) => [rule.command, rule.folder]),
      rules.map((tokens) => [tokens, place.folder]),
    );
    assert.match((await runCli(place, ["explain", command])).stdout, /^allow: /);
    assert.match((await runCli(place, ["explain", `${command} x`])).stdout, /^ask: /);
  });

test("policy allow writes a rule that no folder limits only with --anywhere", async (t) => {
  const place = createPlace(t);
  for (const condition of [["write_file"], ["--domain", "example.com"], ["*"]]) {
    const { code, stderr } = await runCli(place, ["policy", "allow", ...condition]);
    assert.notEqual(code, 0);
    assert.match(stderr, /holds in every folder[\s\S]*--anywhere/);
    assert.equal((await runCli(place, ["policy", "deny", ...condition])).code, 0);
  }
  const { code, stdout } = await runCli(place, ["policy", "allow", "write_file", "--anywhere"]);
  assert.equal(code, 0);
  assert.match(stdout, /\{"tool":"write_file","decision":"allow"\}/);
});

test("policy allow without a condition, or with the words of a command, says what to write", async (t) => {
  const place = createPlace(t);
  const bare = await runCli(place, ["policy", "allow"]);
  assert.deepEqual([bare.code, /missing rule/.test(bare.stderr)], [2, true]);
  const words = await runCli(place, ["policy", "deny", "git", "push"]);
  assert.equal(words.code, 2);
  assert.match(words.stderr, /toolwright policy deny --command "git push"/);
});
