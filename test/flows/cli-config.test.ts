import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { createPlace, runCli, type Place } from "./support/cli.ts";

function writeProject({ folder }: Place, settings: unknown): void {
  mkdirSync(join(folder, ".toolwright"), { recursive: true });
  writeFileSync(
    join(folder, ".toolwright/config.json"),
    typeof settings === "string" ? settings : JSON.stringify(settings),
  );
}

function writeUser({ home }: Place, settings: unknown): void {
  writeFileSync(
    join(home, "config.json"),
    typeof settings === "string" ? settings : JSON.stringify(settings),
  );
}

interface Checkup {
  readonly ok: boolean;
  readonly checks: readonly { name: string; state: string; message: string; fix?: string }[];
  readonly settings: readonly { key: string; value: unknown; from: string }[];
}

async function doctor(place: Place, args: readonly string[] = [], environment = {}): Promise<Checkup> {
  const { stdout } = await runCli(place, ["doctor", "--json", ...args], { environment });
  return JSON.parse(stdout) as Checkup;
}

function setting({ settings }: Checkup, key: string): readonly unknown[] {
  const found = settings.find((one) => one.key === key);
  return [found?.value, found?.from];
}

test("flags override the environment, which overrides the project config, which overrides the user config", async (t) => {
  const place = createPlace(t);
  assert.deepEqual(setting(await doctor(place), "mode"), ["auto", "default"]);
  writeUser(place, { mode: "yolo" });
  assert.deepEqual(setting(await doctor(place), "mode"), ["yolo", join(place.home, "config.json")]);
  writeProject(place, { mode: "ask" });
  assert.deepEqual(setting(await doctor(place), "mode"), [
    "ask",
    join(place.folder, ".toolwright/config.json"),
  ]);
  const environment = { TOOLWRIGHT_MODE: "plan" };
  assert.deepEqual(setting(await doctor(place, [], environment), "mode"), [
    "plan",
    "environment TOOLWRIGHT_MODE",
  ]);
  assert.deepEqual(setting(await doctor(place, ["--mode", "auto"], environment), "mode"), [
    "auto",
    "flag --mode",
  ]);
});

test("a project config that loosens a setting is ignored with one warning", async (t) => {
  const place = createPlace(t);
  writeProject(place, {
    mode: "yolo",
    roots: ["/"],
    environment: ["AWS_*"],
    store: "/tmp",
  });
  const { code, stderr } = await runCli(place, ["call", "shell", "command=touch made"]);
  assert.equal(code, 3, "mode yolo of the project does not hold");
  assert.equal(existsSync(join(place.folder, "made")), false);
  for (const key of ["mode", "roots", "environment", "store"]) {
    assert.equal(
      stderr.match(new RegExp(`warning: .*config\\.json: ${key} is ignored`, "g"))?.length,
      1,
      stderr,
    );
  }
  assert.equal((await runCli(place, ["call", "read_file", "path=/opt/passwd"])).code, 3, "no root was added");
  const { checks } = await doctor(place);
  assert.ok(checks.some(({ state, message }) => state === "note" && message.includes("mode is ignored")));
});

test("a project config that tightens a setting applies", async (t) => {
  const place = createPlace(t);
  place.write("a", "");
  writeProject(place, { mode: "ask", groups: { files: false } });
  const off = await runCli(place, ["call", "read_file", "path=a"]);
  assert.equal(off.code, 2);
  assert.match(off.stderr, /group "files" is off/);
  writeProject(place, { mode: "ask" });
  assert.equal((await runCli(place, ["call", "read_file", "path=a"])).code, 3);
});

test("a file that is not JSON exits 2 and is named with line and column; doctor says so too", async (t) => {
  const place = createPlace(t);
  writeProject(place, '{\n  // a comment is fine, a missing colon is not\n  "mode" "auto",\n}\n');
  for (const args of [["tools"], ["call", "ls"], ["explain", "ls"]]) {
    const { code, stderr } = await runCli(place, args);
    assert.equal(code, 2, args.join(" "));
    assert.ok(
      stderr.includes(`${place.folder}/.toolwright/config.json:3:10: not valid JSON: colon expected`),
      stderr,
    );
  }
  const { ok, checks } = await doctor(place);
  assert.equal(ok, false);
  assert.match(checks.find(({ state }) => state === "broken")?.message ?? "", /config\.json:3:10/);
});

test("a pipe, a folder or an endless file in place of the config is refused without waiting", async (t) => {
  const place = createPlace(t);
  mkdirSync(join(place.folder, ".toolwright"));
  const file = join(place.folder, ".toolwright/config.json");
  const fakes: readonly (readonly [() => void, RegExp])[] = [
    [() => void spawnSync("mkfifo", [file]), /not a regular file/],
    [() => mkdirSync(file), /not a regular file/],
    [() => writeFileSync(file, " ".repeat(2 ** 20 + 1)), /is over 1 MB/],
  ];
  for (const [make, says] of fakes) {
    make();
    const { code, stderr } = await runCli(place, ["tools"]);
    assert.equal(code, 2);
    assert.match(stderr, says);
    rmSync(file, { recursive: true });
  }
});

const WRONG: readonly (readonly [unknown, RegExp])[] = [
  [
    { mode: "fast" },
    /config\.json:1:\d+: mode: expected one of "yolo", "edits", "auto", "ask", "plan", got string "fast"/,
  ],
  [{ timeoutSeconds: "10" }, /timeoutSeconds: expected number, got string "10"/],
  [
    { roots: ["relative"] },
    /roots\[0\]: expected an absolute path or one that begins with ~\/, got string "relative"/,
  ],
  [{ environment: ["A B"] }, /environment\[0\]: expected a variable name/],
  [{ groups: [] }, /groups: expected object, got empty array/],
  [{ profile: "none" }, /unknown profile "none"/],
  [[], /must be one JSON object/],
];
for (const [settings, says] of WRONG) {
  test(`the settings ${JSON.stringify(settings)} exit 2 and say why`, async (t) => {
    const place = createPlace(t);
    writeUser(place, settings);
    const { code, stderr } = await runCli(place, ["tools"]);
    assert.equal(code, 2);
    assert.match(stderr, says);
  });
}

test("an unknown key is a warning with a near name", async (t) => {
  const place = createPlace(t);
  writeUser(place, { timeoutSecond: 5 });
  const { code, stderr } = await runCli(place, ["tools"]);
  assert.equal(code, 0);
  assert.match(stderr, /"timeoutSecond" is not a setting; did you mean timeoutSeconds/);
});

test("a variable with a wrong value exits 2 and is named", async (t) => {
  const { code, stderr } = await runCli(createPlace(t), ["tools"], {
    environment: { TOOLWRIGHT_TIMEOUT: "soon" },
  });
  assert.equal(code, 2);
  assert.match(stderr, /environment TOOLWRIGHT_TIMEOUT: expected number, got string "soon"/);
});

test("the settings of a profile override the user config", async (t) => {
  const place = createPlace(t);
  writeUser(place, { mode: "yolo", timeoutSeconds: 5, profiles: { careful: { mode: "plan" } } });
  const careful = await doctor(place, ["--profile", "careful"]);
  assert.deepEqual(setting(careful, "mode"), ["plan", `${join(place.home, "config.json")}: profile careful`]);
  assert.equal(setting(careful, "timeoutSeconds")[0], 5);
  const unknown = await runCli(place, ["tools", "--profile", "carefull"]);
  assert.equal(unknown.code, 2);
  assert.match(unknown.stderr, /did you mean careful\?/);
});

test("a root of the user config allows that folder; a missing one is a warning", async (t) => {
  const place = createPlace(t);
  const other = createPlace(t);
  other.write("far", "away\n");
  assert.equal((await runCli(place, ["call", "read_file", `path=${other.folder}/far`])).code, 3);
  writeUser(place, { roots: [other.folder, "/no/such/folder"] });
  const { stdout, stderr } = await runCli(place, ["call", "read_file", `path=${other.folder}/far`]);
  assert.match(stdout, /away/);
  assert.match(stderr, /\/no\/such\/folder is ignored/);
});

test("TOOLWRIGHT_TIMEOUT applies to every call; timeoutSeconds in a file does not override a tool's own limit", async (t) => {
  const place = createPlace(t);
  const words = ["call", "shell", "command=sleep 1.2", "--mode", "yolo"];
  assert.equal((await runCli(place, words, { environment: { TOOLWRIGHT_TIMEOUT: "0.3" } })).code, 4);
  writeUser(place, { timeoutSeconds: 0.3 });
  assert.equal((await runCli(place, words)).code, 0);
});

test("schema prints a JSON Schema, and init writes the one that its file names", async (t) => {
  const place = createPlace(t);
  const { code, stdout } = await runCli(place, ["schema", "config"]);
  assert.equal(code, 0);
  await runCli(place, ["init"]);
  const folder = join(place.folder, ".toolwright");
  const named = /"\$schema": "(.+)"/.exec(readFileSync(join(folder, "config.json"), "utf8"))?.[1] ?? "";
  assert.equal(readFileSync(join(folder, named), "utf8"), stdout);
  for (const name of ["policy", "mcp"]) {
    const { type } = JSON.parse((await runCli(place, ["schema", name])).stdout) as { type: string };
    assert.equal(type, "object");
  }
  const unknown = await runCli(place, ["schema", "polcy"]);
  assert.equal(unknown.code, 2);
  assert.match(
    unknown.stderr,
    /unknown schema "polcy"; expected config, policy, mcp, stream-json\n +did you mean policy/,
  );
});

test("init writes a config without settings, and overwrites none without --force", async (t) => {
  const place = createPlace(t);
  const file = join(place.folder, ".toolwright/config.json");
  const first = await runCli(place, ["init"]);
  assert.equal(first.code, 0);
  assert.ok(first.stdout.includes(file));
  assert.deepEqual(setting(await doctor(place), "mode"), ["auto", "default"]);
  const { stderr } = await runCli(place, ["tools"]);
  assert.equal(stderr, "", "nothing in it is refused");
  writeFileSync(file, '{"mode": "plan"}');
  const again = await runCli(place, ["init"]);
  assert.equal(again.code, 1);
  assert.match(again.stderr, /--force/);
  assert.equal(readFileSync(file, "utf8"), '{"mode": "plan"}');
  assert.equal((await runCli(place, ["init", "--force"])).code, 0);
  assert.doesNotMatch(readFileSync(file, "utf8"), /plan/);
  assert.equal((await runCli(place, ["init", "--user"])).code, 0);
  assert.equal((await runCli(place, ["tools"])).stderr, "");
});

test("nothing that an untrusted folder sets reaches the terminal unescaped", async (t) => {
  const place = createPlace(t);
  const evil = "\u{1b}]0;x\u{7}\u{9b}\u{202e}";
  writeProject(place, {
    [evil]: 1,
    groups: { [evil]: false },
    roots: [`/${evil}`],
    model: `x/${evil}`,
    mcpServers: { [evil]: { command: evil } },
  });
  await runCli(place, ["trust", "setting:roots", "setting:model"]);
  for (const words of [
    ["call", "ls"],
    ["tools"],
    ["doctor"],
    ["trust"],
    ["policy"],
    ["run", "hi"],
    ["mcp", "list"],
  ]) {
    const { stdout, stderr } = await runCli(place, words);
    assert.doesNotMatch(`${stdout}${stderr}`, /[\u{1b}\u{7}\u{9b}\u{202e}]/u, words.join(" "));
    assert.notEqual(`${stdout}${stderr}`, "");
  }
});
