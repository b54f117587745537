import assert from "node:assert/strict";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { ToolResult } from "../../src/core/result.ts";
import {
  createPlace,
  longCommand,
  processesWith,
  runCli,
  runProcess,
  startCli,
  until,
  withoutProc,
} from "./support/cli.ts";

function parsed(text: string): ToolResult {
  return JSON.parse(text) as ToolResult;
}

test("a call with --json prints one ToolResult and exits 0", async (t) => {
  const place = createPlace(t);
  place.write("README.md", "hello\n");
  const { code, stdout, stderr } = await runCli(place, ["call", "read_file", "path=README.md", "--json"]);
  assert.equal(stderr, "");
  assert.equal(code, 0);
  const result = parsed(stdout);
  assert.equal(result.ok, true);
  assert.equal(result.name, "read_file");
  assert.match(JSON.stringify(result.content), /hello/);
});

test("a call without --json prints only the content", async (t) => {
  const place = createPlace(t);
  place.write("a.txt", "one\n");
  const { code, stdout } = await runCli(place, ["call", "read_file", "path=a.txt"]);
  assert.equal(code, 0);
  assert.equal(stdout, "     1\tone\n");
});

test("an image is printed as its type and size", async (t) => {
  const place = createPlace(t);
  const png =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  writeFileSync(join(place.folder, "dot.png"), Buffer.from(png, "base64"));
  const { stdout } = await runCli(place, ["call", "read_file", "path=dot.png"]);
  assert.match(stdout, /\[image, image\/png, 70 bytes\]/);
});

test("an unknown tool exits 2 and names the near ones", async (t) => {
  const { code, stdout, stderr } = await runCli(createPlace(t), ["call", "raed_file"]);
  assert.equal(code, 2);
  assert.equal(stdout, "");
  assert.match(stderr, /no tool is named "raed_file"\n.*read_file/);
});

test("an unknown tool without near names exits 2 and lists the tools", async (t) => {
  const { code, stderr } = await runCli(createPlace(t), ["call", "nope"]);
  assert.equal(code, 2);
  assert.match(stderr, /read_file/);
});

test("a missing parameter exits 2 and is named", async (t) => {
  const { code, stdout, stderr } = await runCli(createPlace(t), ["call", "read_file"]);
  assert.equal(code, 2);
  assert.equal(stdout, "");
  assert.match(stderr, /path/);
});

test("every problem with an input is printed on one line, with near names", async (t) => {
  const words = ["call", "edit_file", "pathh=x", "edits:=[{}]"];
  const { code, stderr } = await runCli(createPlace(t), words);
  assert.equal(code, 2);
  const [line = "", hint] = stderr.split("\n");
  assert.match(line, /path is missing/);
  assert.match(line, /pathh is not a parameter, did you mean path\?/);
  assert.match(line, /edits\.0\.old_string is missing/);
  assert.equal(hint, "  toolwright tool edit_file shows its parameters");
});

test("a call that needs approval exits 3 without a terminal, runs nothing and says how to allow it", async (t) => {
  const place = createPlace(t);
  place.write("x", "still here");
  const { code, stdout, stderr } = await runCli(place, ["call", "shell", "command=rm x"]);
  assert.equal(code, 3);
  assert.equal(stdout, "");
  assert.match(stderr, /--yes/);
  assert.match(stderr, /add --yes for this call, or --queue/);
  assert.equal(readFileSync(join(place.folder, "x"), "utf8"), "still here");
});

test("--yes approves a call that needs approval, and no denied one", async (t) => {
  const place = createPlace(t);
  place.write("x", "");
  assert.equal((await runCli(place, ["call", "shell", "command=rm x", "--yes"])).code, 0);
  assert.equal(existsSync(join(place.folder, "x")), false);
  const outside = ["call", "read_file", "path=/opt", "--yes"];
  assert.equal((await runCli(place, outside)).code, 1, "a folder is no file");
  writeFileSync(join(place.home, "config.json"), JSON.stringify({ border: "deny" }));
  assert.equal((await runCli(place, outside)).code, 3);
  const planned = await runCli(place, ["call", "shell", "command=touch y", "--yes", "--mode", "plan"]);
  assert.equal(planned.code, 3);
  assert.equal(existsSync(join(place.folder, "y")), false);
});

const OUTCOMES: readonly (readonly [string, readonly string[], number])[] = [
  ["an unknown tool", ["nope"], 2],
  ["a missing parameter", ["read_file"], 2],
  ["a denial", ["shell", "command=touch x"], 3],
  ["unreadable arguments", ["shell", "--args", "{"], 2],
  ["a word that is no parameter", ["write_file", "README.md"], 2],
  ["a failure of the tool", ["read_file", "path=missing.txt"], 1],
  ["a store that cannot be opened", ["read_file", "path=x", "--store", "/dev/null/store"], 1],
];

for (const [what, words, expected] of OUTCOMES) {
  test(`with --json and with --envelope ${what} is an object on standard output too`, async (t) => {
    const place = createPlace(t);
    const json = await runCli(place, ["call", ...words, "--json"]);
    assert.equal(json.code, expected, json.stderr);
    const result = parsed(json.stdout);
    assert.equal(result.ok, false);
    assert.match(json.stderr, /^toolwright: /);
    const envelope = await runCli(place, ["call", ...words, "--envelope"]);
    assert.equal(envelope.code, expected);
    const { tool_success, error_code } = JSON.parse(envelope.stdout) as Record<string, unknown>;
    assert.equal(tool_success, false);
    assert.equal(typeof error_code, "string");
  });
}

test("a deadline ends the call in time, exits 4 and leaves no process", { skip: withoutProc }, async (t) => {
  const { command, mark } = longCommand();
  const words = ["call", "shell", `command=echo begun; ${command}`, "--timeout", "1", "--mode", "yolo"];
  const { code, stderr, durationMs } = await runCli(createPlace(t), words);
  assert.equal(code, 4);
  assert.match(stderr, /timed out after 1 s/);
  assert.match(stderr, /begun/, "what was printed before the end is told");
  assert.ok(durationMs < 60_000, `took ${durationMs} ms`);
  assert.deepEqual(processesWith(mark), []);
});

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  test(
    `${signal} during a call cancels it, exits 130 and leaves no process`,
    { skip: withoutProc },
    async (t) => {
      const { command, mark } = longCommand();
      const place = createPlace(t);
      const { child, finished } = startCli(place, [
        "call",
        "shell",
        `command=${command}`,
        "--mode",
        "yolo",
        "--json",
      ]);
      await until("the command runs", () => processesWith(mark).length > 0);
      child.kill(signal);
      const { code, stdout } = await finished;
      assert.equal(code, 130);
      const result = parsed(stdout);
      assert.equal(!result.ok && result.error.code, "CANCELLED");
      assert.deepEqual(processesWith(mark), []);
    },
  );
}

test("a second Ctrl-C ends the process at once, with what it started", { skip: withoutProc }, async (t) => {
  const { mark } = longCommand();
  const place = createPlace(t);
  const stubborn = `trap '' TERM; while true; do ${mark}; done`;
  const { child, finished } = startCli(place, ["call", "shell", `command=${stubborn}`, "--mode", "yolo"]);
  await until("the command runs", () => processesWith(mark).length > 0);
  child.kill("SIGINT");
  const again = setInterval(() => child.kill("SIGINT"), 150);
  t.after(() => clearInterval(again));
  const { code, stdout } = await finished;
  assert.deepEqual(
    [code, stdout],
    [130, ""],
    "the first waits for the command, and would have printed its answer",
  );
  await until("nothing is left", () => processesWith(mark).length === 0);
});

test("values are typed by the schema", async (t) => {
  const place = createPlace(t);
  place.write("42", "answer\nmore\n");
  const { code, stdout } = await runCli(place, ["call", "read_file", "path=42", "limit=1", "--json"]);
  assert.equal(code, 0, stdout);
  const { data } = JSON.parse(stdout) as { data: unknown };
  assert.deepEqual(data, { path: "42", start_line: 1, lines: 1, total_lines: 2, encoding: "utf-8" });
});

test("the input comes from --args, from standard input, and from key=value on top", async (t) => {
  const place = createPlace(t);
  place.write("a=b.txt", "equals\n");
  const args = await runCli(place, ["call", "read_file", "--args", '{"path": "a=b.txt"}']);
  assert.match(args.stdout, /equals/);
  const input = JSON.stringify({ path: "nowhere", limit: 1 });
  const piped = await runCli(place, ["call", "read_file", "path=a=b.txt", "--args", "-"], { input });
  assert.equal(piped.stdout, "     1\tequals\n");
});

test("a tool never gets the caller's standard input", async (t) => {
  const place = createPlace(t);
  const words = ["call", "shell", "command=cat; echo done", "--mode", "yolo"];
  const { stdout } = await runCli(place, words, { input: "secret of the caller" });
  assert.equal(stdout, "done\n");
});

test("a closed output pipe is not an error", async (t) => {
  const place = createPlace(t);
  place.write("long.txt", "line\n".repeat(900));
  const { LAUNCHER } = await import("./support/cli.ts");
  const program = `"${process.execPath}" "${LAUNCHER}"`;
  const { code, stderr } = await runProcess(
    place,
    ["-c", `set -o pipefail; ${program} call read_file path=long.txt | head -c 1`],
    {
      under: ["bash", "-c", 'shift 2; exec bash "$@"', "x"],
    },
  );
  assert.equal(stderr, "");
  assert.equal(code, 0);
});

test("secrets of the environment are masked in output, store and log", async (t) => {
  const place = createPlace(t);
  place.write("leak.txt", "it is hunter2hunter2 indeed\n");
  const environment = { MY_SERVICE_TOKEN: "hunter2hunter2", TOOLWRIGHT_LOG: `debug:${place.home}/log` };
  const words = ["call", "read_file", "path=leak.txt", "--json"];
  const { stdout } = await runCli(place, words, { environment });
  assert.match(stdout, /it is ⟦masked⟧ indeed/);
  const log = readFileSync(join(place.home, "log"), "utf8");
  assert.match(log, /masked/);
  assert.doesNotMatch(log, /hunter2/);
  assert.equal(statSync(join(place.home, "log")).mode & 0o077, 0, "nobody else may read the log");
  const traced = await runCli(place, ["trace", "--json"]);
  assert.doesNotMatch(traced.stdout, /hunter2/);
});

test("secrets of the environment do not reach a command, and named variables do", async (t) => {
  const place = createPlace(t);
  const environment = { MY_SERVICE_TOKEN: "hunter2hunter2", COLOUR: "blue", SHAPE: "round" };
  writeFileSync(join(place.home, "config.json"), JSON.stringify({ environment: ["COLOUR"] }));
  const words = ["call", "shell", "command=env | grep -c -e hunter -e round; echo $COLOUR", "--mode", "yolo"];
  const { stdout } = await runCli(place, words, { environment });
  assert.equal(stdout, "0\nblue\n");
});

test("--verbose and TOOLWRIGHT_LOG print every event; without them none is printed", async (t) => {
  const place = createPlace(t);
  place.write("a", "");
  const quiet = await runCli(place, ["call", "read_file", "path=a"]);
  assert.equal(quiet.stderr, "");
  const verbose = await runCli(place, ["call", "read_file", "path=a", "--verbose"]);
  assert.match(verbose.stderr, /call\.received .*\n.*call\.judged/);
  const logged = await runCli(place, ["call", "read_file", "path=a"], {
    environment: { TOOLWRIGHT_LOG: "info" },
  });
  const lines = logged.stderr
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { type: string });
  assert.deepEqual(
    lines.map(({ type }) => type),
    ["call.received", "call.judged", "call.answered"],
  );
});
