import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { isLong } from "../support/property-runs.ts";
import { createPlace, runCli } from "./support/cli.ts";
import { checkProgram, WITH_NODE, withoutProgram, writeProgram } from "./support/tools.ts";

/** A usual run tries the first two. */
const LANGUAGES = [
  { language: "sh", ending: "sh", test: ["sh"], needs: "jq" },
  { language: "typescript", ending: "mts", test: ["node", "--test"], needs: "node" },
  { language: "python", ending: "py", test: ["python3"], needs: "python3" },
  { language: "node", ending: "mjs", test: ["node", "--test"], needs: "node" },
] as const;

for (const { language, ending, test: runner, needs } of isLong ? LANGUAGES : LANGUAGES.slice(0, 2)) {
  const skip = withoutProgram(needs);

  test(`a new tool in ${language} passes its own test and meets the contract`, { skip }, async (t) => {
    const place = createPlace(t);
    const { code, stdout } = await runCli(place, ["tool", "new", "say-hello_2", "--lang", language]);
    assert.equal(code, 0);
    const folder = join(place.folder, ".toolwright", "tools");
    const tool = join(folder, `say-hello_2.${ending}`);
    assert.equal(statSync(tool).mode & 0o777, 0o755);
    assert.match(stdout, new RegExp(`tool check .toolwright/tools/say-hello_2\\.${ending}\n`));
    assert.doesNotMatch(stdout, / trust\n/, "what it wrote is trusted");
    assert.match(stdout, / call say-hello_2 /);
    const beside = join(folder, "test", `say-hello_2.test.${ending}`);
    assert.match(
      stdout,
      new RegExp(`${runner.join(" ")} .toolwright/tools/test/say-hello_2.test.${ending}\n`),
    );
    const [file, ...args] = runner;
    // A test runner that runs tests would have them report to itself.
    const env = { ...process.env, ...WITH_NODE, NODE_TEST_CONTEXT: undefined };
    const passed = spawnSync(file, [...args, beside], { encoding: "utf8", env });
    assert.equal(passed.status, 0, passed.stdout + passed.stderr);
    const report = await checkProgram(place, tool, { name: "Ada", times: 2 });
    assert.deepEqual([report.code, report.failed], [0, []]);
    const text = readFileSync(tool, "utf8");
    assert.doesNotMatch(text + readFileSync(beside, "utf8"), /my_tool/);
    writeFileSync(tool, text.replaceAll("Hello", "Bye"));
    assert.notEqual(spawnSync(file, [beside], { env }).status, 0, "its test fails if the tool is broken");
  });
}

test("a name that another tool of the folder has is refused, and found by the check", async (t) => {
  const place = createPlace(t);
  const taken = ["tool", "new", "mine", "--lang"];
  assert.equal((await runCli(place, [...taken, "sh"])).code, 0);
  const refused = await runCli(place, [...taken, "python"]);
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /the name "mine" is taken by external:.*mine\.sh\n {2}choose another name/);
  const path = join(place.folder, ".toolwright/tools/other.sh");
  writeFileSync(path, readFileSync(join(place.folder, ".toolwright/tools/mine.sh"), "utf8"), { mode: 0o755 });
  assert.equal((await runCli(place, ["trust", "--all"])).code, 0);
  const { code, stdout } = await runCli(place, ["tool", "check", path]);
  assert.equal(code, 1, stdout);
  assert.match(stdout, /FAIL +name +the name "mine" is taken by external:.*mine\.sh/);
  const first = await runCli(place, ["tool", "check", ".toolwright/tools/mine.sh"]);
  assert.equal(first.code, 0, first.stdout);
});

test("an existing tool is only overwritten with --force", async (t) => {
  const place = createPlace(t);
  const path = writeProgram(place, ".toolwright/tools/mine.sh", "mine");
  const line = ["tool", "new", "mine", "--lang", "sh"];
  const refused = await runCli(place, line);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /mine\.sh already exists\n {2}use --force to overwrite it/);
  assert.equal(readFileSync(path, "utf8"), "mine");
  assert.equal(existsSync(join(place.folder, ".toolwright/tools/test")), false);
  assert.equal((await runCli(place, [...line, "--force"])).code, 0);
  assert.match(readFileSync(path, "utf8"), /"name": "mine"/);
});

test("an existing test is not overwritten, and then nothing is written", async (t) => {
  const place = createPlace(t);
  const path = writeProgram(place, ".toolwright/tools/test/mine.test.sh", "mine");
  assert.equal((await runCli(place, ["tool", "new", "mine", "--lang", "sh"])).code, 1);
  assert.equal(readFileSync(path, "utf8"), "mine");
  assert.equal(existsSync(join(place.folder, ".toolwright/tools/mine.sh")), false);
});

test("--user writes to the user's tools and --dir anywhere", async (t) => {
  const place = createPlace(t);
  const user = await runCli(place, ["tool", "new", "one", "--lang", "sh", "--user"]);
  assert.equal(user.code, 0);
  assert.ok(existsSync(join(place.home, "tools", "one.sh")));
  assert.doesNotMatch(user.stdout, /trust/);
  const dir = await runCli(place, ["tool", "new", "two", "--lang", "sh", "--dir", "my tools"]);
  assert.equal(dir.code, 0);
  assert.ok(existsSync(join(place.folder, "my tools", "two.sh")));
  assert.match(dir.stdout, /tool check 'my tools\/two\.sh'\n/);
});

const REFUSED: readonly (readonly [readonly string[], RegExp])[] = [
  [["../evil", "--lang", "sh"], /invalid tool name/],
  [["a b", "--lang", "sh"], /invalid tool name/],
  [["2fast", "--lang", "sh"], /invalid tool name/],
  [["a".repeat(65), "--lang", "sh"], /invalid tool name/],
  [["über", "--lang", "sh"], /invalid tool name/],
  [["$(id)", "--lang", "sh"], /invalid tool name/],
  [["read_file", "--lang", "sh"], /"read_file" is a built-in tool/],
  [["file_read", "--lang", "sh"], /"file_read" is a built-in tool/],
  [["fine"], /--lang sh\|python\|node\|typescript/],
  [["fine", "--lang", "cobol"], /invalid value "cobol" for --lang/],
  [["fine", "--lang", "sh", "--dir", "x", "--user"], /cannot be used together/],
  [["fine", "--lang", "sh", "--json"], /--json cannot be used with "tool new"/],
  [["one", "two", "--lang", "sh"], /unexpected argument: two/],
  [[], /missing tool name/],
];

for (const [args, says] of REFUSED) {
  test(`tool new ${args.join(" ")} is refused and writes nothing`, async (t) => {
    const place = createPlace(t);
    const { code, stderr } = await runCli(place, ["tool", "new", ...args]);
    assert.equal(code, 2);
    assert.match(stderr, says);
    assert.equal(existsSync(join(place.folder, ".toolwright")), false);
    assert.equal(existsSync(join(place.home, "tools")), false);
  });
}

test("a new tool is never written through a link of the project", async (t) => {
  const place = createPlace(t);
  const folder = join(place.folder, ".toolwright", "tools");
  mkdirSync(folder, { recursive: true });
  const target = join(place.home, "target");
  symlinkSync(target, join(folder, "greet.sh"));
  const args = ["tool", "new", "greet", "--lang", "sh"];
  assert.match((await runCli(place, args)).stderr, /already exists/);
  assert.equal((await runCli(place, [...args, "--force"])).code, 0);
  assert.equal(existsSync(target), false);
});
