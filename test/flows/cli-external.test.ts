import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { schemaOf, shellTool, writeProgram } from "../support/programs/programs.ts";
import {
  createPlace,
  processesWith,
  runCli,
  startCli,
  until,
  withoutProc,
  type Place,
} from "./support/cli.ts";

const WEATHER = {
  name: "weather",
  description: "Weather of a city.",
  parameters: { city: { type: "string", required: true }, days: { type: "integer" } },
};

function withTools(place: Place): Place {
  const tools = join(place.home, "tools");
  writeProgram(tools, "weather.sh", shellTool(WEATHER, `printf '{"asked": '; cat; printf '}'`));
  writeProgram(
    tools,
    "keyed",
    shellTool(schemaOf("keyed"), `echo '{"error": "set KEY", "error_code": "MISSING_CREDENTIALS"}'; exit 1`),
  );
  writeProgram(tools, "slow", shellTool(schemaOf("slow"), "echo half; echo why >&2; sleep 30"));
  writeProgram(tools, "crashes", "#!/bin/sh\nexit 9\n");
  return place;
}

test("tools, tool and call include the user's programs, and arguments get their types from the schema", async (t) => {
  const place = withTools(createPlace(t));
  assert.match((await runCli(place, ["tools"])).stdout, /^weather +- +high +Weather of a city\.$/m);
  assert.match((await runCli(place, ["tool", "weather"])).stdout, /^ {2}city\* +string/m);
  const denied = await runCli(place, ["call", "weather", "city=7"]);
  assert.equal(denied.code, 3);
  const called = await runCli(place, ["call", "weather", "city=7", "days=7", "--yes"]);
  assert.deepEqual([called.code, called.stdout], [0, '{"asked":{"city":"7","days":7}}\n']);
  const explained = await runCli(place, ["explain", "weather", "city=7", "--json"]);
  assert.match(explained.stdout, /"kind":"ask"/);
});

test("search_tools sees the user's programs, and what activate_tools chooses lasts for the folder until --reset", async (t) => {
  const place = withTools(createPlace(t));
  const found = await runCli(place, ["call", "search_tools", "weather of a city"]);
  assert.match(found.stdout, /^weather: Weather of a city\.$/m);
  const chosen = await runCli(place, [
    "call",
    "activate_tools",
    "groups=running",
    "tools=ls",
    "replace=true",
  ]);
  assert.equal(chosen.code, 0, chosen.stderr);
  const names = async (...flags: readonly string[]): Promise<readonly string[]> =>
    (await runCli(place, ["tools", ...flags])).stdout.split("\n").map((line) => line.split(" ")[0] ?? "");
  const active = await names();
  assert.deepEqual(
    ["ls", "shell", "weather", "search_tools", "read_file"].filter((name) => active.includes(name)),
    ["ls", "shell", "weather", "search_tools"],
  );
  assert.equal((await runCli(place, ["call", "ls"])).code, 0);
  const off = await runCli(place, ["call", "read_file", "a.txt"]);
  assert.equal(off.code, 2);
  assert.match(off.stderr, /activate_tools tools=read_file switches it on; toolwright tools --reset/);
  assert.match((await runCli(place, ["explain", "read_file", "a.txt"])).stderr, /not active/);
  const elsewhere = { ...place, folder: temporaryFolder(t) };
  assert.equal((await runCli(elsewhere, ["call", "glob", "*.nope"])).code, 0);
  assert.ok((await names("--reset")).includes("read_file"));
  assert.ok((await names()).includes("read_file"));
});

test("batch runs a program exclusively although it is unknown when the call is read", async (t) => {
  const place = withTools(createPlace(t));
  const body = "if mkdir lock; then sleep 0.1; rmdir lock; echo 1; else exit 1; fi";
  writeProgram(join(place.home, "tools"), "alone", shellTool(schemaOf("alone"), body));
  const input = '{"name":"alone","input":{}}\n'.repeat(4);
  const { code, stdout } = await runCli(place, ["batch", "--mode", "yolo"], { input });
  assert.equal(code, 0, stdout);
});

test("--envelope has the program's own code, its exit code and its output", async (t) => {
  const place = withTools(createPlace(t));
  const keyed = await runCli(place, ["call", "keyed", "--yes", "--envelope"]);
  assert.equal(keyed.code, 1);
  assert.deepEqual(JSON.parse(keyed.stdout), {
    tool_success: false,
    error: "set KEY",
    tool: "keyed",
    args: {},
    error_code: "MISSING_CREDENTIALS",
    exit_code: 1,
    stdout: "",
    stderr: "",
  });
  const slow = await runCli(place, ["call", "slow", "--yes", "--envelope", "--timeout", "0.5"]);
  assert.equal(slow.code, 4);
  const { error_code, stdout, stderr } = JSON.parse(slow.stdout) as Record<string, unknown>;
  assert.deepEqual([error_code, stdout, stderr], ["TOOL_TIMEOUT", "half\n", "why\n"]);
});

test("tools --problems and doctor list what could not be loaded, and why", async (t) => {
  const place = withTools(createPlace(t));
  const theirs = join(place.folder, ".toolwright", "tools");
  writeProgram(theirs, "theirs", shellTool(schemaOf("theirs"), "echo 1"));
  writeProgram(join(place.home, "tools"), "hangs", "#!/bin/sh\nsleep 30\n");
  const [{ stdout }, listed, doctor] = await Promise.all([
    runCli(place, ["tools", "--problems"]),
    runCli(place, ["tools", "--problems", "--json"]),
    runCli(place, ["doctor"]),
  ]);
  assert.match(stdout, /^exit_code {2}\S*\/crashes\n {4}it ended with exit code 9/m);
  assert.match(stdout, /^timeout {2}\S*\/hangs\n {4}it did not answer --schema within [\d.]+ s/m);
  assert.match(stdout, /^untrusted {2}\S*\/theirs\n.*\n {4}run toolwright trust$/m);
  assert.equal((JSON.parse(listed.stdout) as readonly object[]).length, 3);
  assert.equal(doctor.code, 0);
  assert.match(doctor.stdout, /^note +program: \S*\/crashes: .*\(exit_code\)$/m);
  assert.match(doctor.stdout, /3 external/);
});

test("a call of a program that could not be loaded says why", async (t) => {
  const place = withTools(createPlace(t));
  const theirs = join(place.folder, ".toolwright", "tools");
  writeProgram(theirs, "theirs.sh", shellTool(schemaOf("theirs"), "echo 1"));
  for (const [name, why] of [
    ["crashes", /\/crashes could not be loaded: exit_code; see .* --problems\n$/],
    ["theirs", /\/theirs\.sh: .*; .*toolwright trust.*\n$/],
  ] as const) {
    const { code, stderr } = await runCli(place, ["call", name]);
    assert.equal(code, 2);
    assert.match(stderr, why);
  }
});

for (const words of [["tools"], ["tool", "nope"], ["explain", "nope"], ["/tool"], ["doctor"]]) {
  test(
    `Ctrl-C while ${words[0]} waits for a program's schema ends the program too`,
    { skip: withoutProc },
    async (t) => {
      const place = createPlace(t);
      const hangs = writeProgram(join(place.home, "tools"), "hangs", "#!/bin/sh\nsleep 600\n");
      const { child, finished } = startCli(place, words);
      await until("it is asked", () => processesWith(hangs).length > 0);
      child.kill("SIGINT");
      assert.equal((await finished).code, 130);
      await until("it is gone", () => processesWith(hangs).length === 0);
    },
  );
}

test("without programs there are no problems", async (t) => {
  assert.equal((await runCli(createPlace(t), ["tools", "--problems"])).stdout, "no problems\n");
});

test("/tool and /refresh work on the command line as in the REPL", async (t) => {
  const place = withTools(createPlace(t));
  assert.match((await runCli(place, ["/tool"])).stdout, /^weather +Weather of a city\.$/m);
  assert.match((await runCli(place, ["/tool", "weather"])).stdout, /"required": \[\n +"city"\n +\]/);
  const unknown = await runCli(place, ["/tool", "wether"]);
  assert.equal(unknown.code, 2);
  assert.match(unknown.stderr, /no tool is named "wether"\n {2}did you mean weather\? run \/tool/);
  const refreshed = await runCli(place, ["/refresh"]);
  assert.match(refreshed.stdout, /^Refreshing tools…\nTools refreshed\. \d+ tools available\.\n/);
  assert.equal((await runCli(place, ["/refrsh"])).code, 2);
});

test("the profile external has programs and no built-in tools", async (t) => {
  const place = withTools(createPlace(t));
  const { stdout } = await runCli(place, ["tools", "--profile", "external"]);
  assert.match(stdout, /^weather /m);
  assert.doesNotMatch(stdout, /^read_file /m);
});

test("completion offers programs and their parameters", async (t) => {
  const place = withTools(createPlace(t));
  assert.match((await runCli(place, ["completion", "--words", "--", "call", "wea"])).stdout, /^weather$/m);
  assert.match(
    (await runCli(place, ["completion", "--words", "--", "call", "weather", ""])).stdout,
    /^city=$/m,
  );
});

test("an invalid externalTools setting is an error that says what is expected", async (t) => {
  const place = createPlace(t);
  mkdirSync(place.home, { recursive: true });
  writeFileSync(join(place.home, "config.json"), '{"externalTools": {"a": {"risk": "none"}}}');
  const { code, stderr } = await runCli(place, ["tools"]);
  assert.equal(code, 2);
  assert.match(stderr, /config\.json:1:\d+: externalTools\.a\.risk: expected one of "low", "medium", "high"/);
});

test("an MCP server that does not answer delays neither a call of another tool nor an unknown name", async (t) => {
  const place = createPlace(t);
  writeProgram(join(place.home, "tools"), "alone", shellTool(schemaOf("alone"), "echo 1"));
  const mcpServers = { hanging: { command: "/bin/sleep", args: ["600"] } };
  writeFileSync(join(place.home, "config.json"), JSON.stringify({ mcpServers }));
  // Connecting to the server times out after 30 s.
  const startedAt = performance.now();
  const { code, stderr } = await runCli(place, ["call", "alone", "--mode", "yolo"]);
  assert.equal(code, 0, stderr);
  assert.equal((await runCli(place, ["call", "nowhere"])).code, 2);
  assert.ok(performance.now() - startedAt < 25_000);
});
