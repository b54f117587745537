import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";
import type { JsonObject } from "../../src/core/json.ts";
import { isLong } from "../support/property-runs.ts";
import { BOUND_BY_PERMISSIONS } from "../support/faults/child-script.ts";
import { createPlace, type Finished, type Place } from "./support/cli.ts";
import { linkTo, PROGRAMS, runProgram, type ProgramName, type ProgramOptions } from "./support/libexec.ts";

interface Answered extends Finished {
  readonly answer: JsonObject;
}

/** Calls a program through a link, from another folder than its own, and reads its one answer. */
async function call(
  place: Place,
  name: ProgramName,
  input: unknown,
  options: ProgramOptions = {},
): Promise<Answered> {
  const path = existsSync(join(place.home, "my tools", `the ${name}`))
    ? join(place.home, "my tools", `the ${name}`)
    : linkTo(place, name);
  const text = typeof input === "string" || input instanceof Uint8Array ? input : JSON.stringify(input);
  const finished = await runProgram(place, path, { input: text, ...options });
  assert.equal(finished.stderr, "");
  return { ...finished, answer: JSON.parse(finished.stdout) as JsonObject };
}

async function succeed(place: Place, name: ProgramName, input: JsonObject): Promise<JsonObject> {
  const { code, answer } = await call(place, name, input);
  assert.equal(code, 0, JSON.stringify(answer));
  return answer;
}

test("the six programs are the same executable file, and npm ships it", () => {
  const [first, ...others] = PROGRAMS.map((name) => readFileSync(resolve("libexec", name), "utf8"));
  for (const other of others) assert.equal(other, first);
  for (const name of PROGRAMS) assert.equal(statSync(resolve("libexec", name)).mode & 0o777, 0o755);
  const { files } = JSON.parse(readFileSync("package.json", "utf8")) as { readonly files: readonly string[] };
  for (const needed of ["libexec", "bin", "dist"]) assert.ok(files.includes(needed));
});

test("bash returns stdout, stderr and the exit code, also of a command that fails", async (t) => {
  const place = createPlace(t);
  const answer = await succeed(place, "bash", { command: "echo out; echo err >&2; pwd; exit 3" });
  assert.deepEqual(answer, { stdout: `out\n${place.folder}\n`, stderr: "err\n", exit_code: 3, signal: null });
});

test("a call may begin with a byte order mark", async (t) => {
  const { code, answer } = await call(createPlace(t), "bash", '\uFEFF{"command": "echo out"}');
  assert.deepEqual([code, answer["stdout"]], [0, "out\n"]);
});

test("bash runs in cwd, with the caller's whole environment", async (t) => {
  const place = createPlace(t);
  mkdirSync(join(place.folder, "in side"));
  const { answer } = await call(
    place,
    "bash",
    { command: 'echo "$SECRET_WORD"; pwd', cwd: "in side" },
    { environment: { SECRET_WORD: "plugh" } },
  );
  assert.equal(answer["stdout"], `plugh\n${place.folder}/in side\n`);
});

test("file_read returns numbered lines and where to continue", async (t) => {
  const place = createPlace(t);
  place.write("a.txt", "one\ntwo\nthree\n");
  assert.deepEqual(await succeed(place, "file_read", { path: "a.txt", start_line: 2, limit: 1 }), {
    content: "     2\ttwo\n[lines 2 to 2 of 3 shown; continue with start_line=3]",
    path: "a.txt",
    start_line: 2,
    lines: 1,
    total_lines: 3,
    encoding: "utf-8",
  });
});

test("file_read returns an image as base64", async (t) => {
  const place = createPlace(t);
  const png =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  writeFileSync(join(place.folder, "dot.png"), Buffer.from(png, "base64"));
  const { mime_type, data, bytes } = await succeed(place, "file_read", { path: "dot.png" });
  assert.deepEqual({ mime_type, data, bytes }, { mime_type: "image/png", data: png, bytes: 70 });
});

test("file_write creates a file and its folders, replaces one, and expands ~", async (t) => {
  const place = createPlace(t);
  const first = await succeed(place, "file_write", { path: "deep/er/a.txt", content: "é\n" });
  assert.deepEqual(first, { path: "deep/er/a.txt", bytes: 3, created: true });
  const second = await succeed(place, "file_write", { path: "deep/er/a.txt", content: "" });
  assert.deepEqual(second, { path: "deep/er/a.txt", bytes: 0, created: false });
  assert.equal(readFileSync(join(place.folder, "deep/er/a.txt"), "utf8"), "");
  await succeed(place, "file_write", { path: "~/at-home.txt", content: "x" });
  assert.equal(readFileSync(join(place.home, "at-home.txt"), "utf8"), "x");
});

test("file_edit replaces text and returns a diff", async (t) => {
  const place = createPlace(t);
  place.write("a.txt", "one\ntwo\n");
  const edits = [
    { old_string: "one", new_string: "1" },
    { old_string: "two", new_string: "2" },
  ];
  const answer = await succeed(place, "file_edit", { path: "a.txt", edits });
  assert.deepEqual(answer, {
    path: "a.txt",
    replacements: 2,
    diff: "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n-one\n-two\n+1\n+2\n",
  });
  assert.equal(readFileSync(join(place.folder, "a.txt"), "utf8"), "1\n2\n");
});

test("glob lists files, and the total if it returns fewer", async (t) => {
  const place = createPlace(t);
  for (const name of ["a.ts", "b.ts", "c.txt"]) place.write(name, "x");
  const all = await succeed(place, "glob", { pattern: "*.ts" });
  assert.deepEqual([...(all["files"] as string[])].sort(), ["a.ts", "b.ts"]);
  const some = await succeed(place, "glob", { pattern: "*.ts", max_results: 1 });
  assert.equal((some["files"] as string[]).length, 1);
  assert.equal(some["total"], 2);
  assert.deepEqual(await succeed(place, "glob", { pattern: "*.none" }), { files: [] });
});

test("grep returns matches, context lines, files and counts", async (t) => {
  const place = createPlace(t);
  place.write("a.txt", "one\ntwo\nthree\n");
  const match = { path: "a.txt", line: 2, text: "two" };
  assert.deepEqual(await succeed(place, "grep", { pattern: "tw" }), { matches: [match] });
  assert.deepEqual(await succeed(place, "grep", { pattern: "tw", context_lines: 1 }), {
    matches: [{ ...match, context: "a.txt-1-one\na.txt:2:two\na.txt-3-three" }],
  });
  assert.deepEqual(await succeed(place, "grep", { pattern: "o", output: "files" }), { files: ["a.txt"] });
  assert.deepEqual(await succeed(place, "grep", { pattern: "o", output: "count" }), {
    counts: [{ path: "a.txt", count: 2 }],
  });
  assert.deepEqual(await succeed(place, "grep", { pattern: "nowhere" }), { matches: [] });
});

const FAILURES: readonly (readonly [ProgramName, JsonObject, string, number])[] = [
  ["bash", { command: "true", cwd: "nowhere" }, "FILE_NOT_FOUND", 1],
  ["bash", { command: "" }, "INVALID_ARG", 2],
  ["bash", { command: "a\0b" }, "INVALID_ARG", 2],
  ["bash", { command: "true", timeout_seconds: 601 }, "INVALID_ARG", 2],
  ["bash", { command: "sleep 20", timeout_seconds: 1 }, "TOOL_TIMEOUT", 4],
  ["file_read", { path: "nowhere.txt" }, "FILE_NOT_FOUND", 1],
  ["file_read", { path: "." }, "TOOL_FAILED", 1],
  ["file_read", { path: "a\0b" }, "INVALID_ARG", 2],
  ["file_read", { path: "a.txt", start_line: 0 }, "INVALID_ARG", 2],
  ["file_write", { path: "folder/", content: "x" }, "INVALID_ARG", 2],
  ["file_write", { path: "a.txt", content: "x", create_only: true }, "TOOL_FAILED", 1],
  ["file_write", { path: "a.txt/b", content: "x" }, "TOOL_FAILED", 1],
  ["file_edit", { path: "nowhere.txt", old_string: "a", new_string: "b" }, "FILE_NOT_FOUND", 1],
  ["file_edit", { path: "a.txt", old_string: "absent", new_string: "b" }, "NOT_FOUND", 1],
  ["file_edit", { path: "a.txt", old_string: "same", new_string: "b" }, "NOT_UNIQUE", 1],
  ["file_edit", { path: "a.txt" }, "INVALID_ARG", 2],
  ["glob", { pattern: "*", path: "nowhere" }, "FILE_NOT_FOUND", 1],
  ["glob", { pattern: "" }, "INVALID_ARG", 2],
  ["grep", { pattern: "x", path: "nowhere" }, "FILE_NOT_FOUND", 1],
  ["grep", { pattern: "(" }, "INVALID_ARG", 2],
  ["grep", { pattern: "x", output: "tea" }, "INVALID_ARG", 2],
];

for (const [name, input, code, exitCode] of FAILURES) {
  test(`${name} with ${JSON.stringify(input)} fails with ${code} and exits ${exitCode}`, async (t) => {
    const place = createPlace(t);
    place.write("a.txt", "same\nsame\n");
    const { code: exited, answer } = await call(place, name, input);
    assert.deepEqual([answer["error_code"], exited], [code, exitCode], JSON.stringify(answer));
    assert.ok(typeof answer["error"] === "string" && answer["error"] !== "");
    assert.equal(readFileSync(join(place.folder, "a.txt"), "utf8"), "same\nsame\n");
  });
}

test("a missing permission is PERMISSION_DENIED", async (t) => {
  const place = createPlace(t);
  place.write("a.txt", "secret\n");
  chmodSync(join(place.folder, "a.txt"), 0o000);
  const under = { under: BOUND_BY_PERMISSIONS };
  const read = await call(place, "file_read", { path: "a.txt" }, under);
  assert.deepEqual([read.answer["error_code"], read.code], ["PERMISSION_DENIED", 1]);
  const edits = { path: "a.txt", old_string: "secret", new_string: "open" };
  assert.equal((await call(place, "file_edit", edits, under)).answer["error_code"], "PERMISSION_DENIED");
});

const GOOD: Readonly<Record<ProgramName, JsonObject>> = {
  bash: { command: "true" },
  file_read: { path: "a.txt" },
  file_write: { path: "made.txt", content: "x" },
  file_edit: { path: "a.txt", old_string: "one", new_string: "two" },
  glob: { pattern: "*" },
  grep: { pattern: "one" },
};

const DEPTH = 200_000;
const BAD_INPUTS: Readonly<Record<string, (good: JsonObject) => string | Uint8Array>> = {
  nothing: () => "",
  blanks: () => " \n ",
  "a word": () => "hello",
  "half an object": (good) => JSON.stringify(good).slice(0, -1),
  "two objects": (good) => JSON.stringify(good).repeat(2),
  null: () => "null",
  "a number": () => "1e999",
  "a list": (good) => JSON.stringify([good]),
  "a text": (good) => JSON.stringify(JSON.stringify(good)),
  "an empty object": () => "{}",
  "an unknown key": (good) => JSON.stringify({ ...good, colour: "red" }),
  "a __proto__ key": (good) => `{"__proto__": {"path": "a.txt"}, ${JSON.stringify(good).slice(1)}`,
  "values of the wrong type": (good) =>
    JSON.stringify(Object.fromEntries(Object.keys(good).map((key) => [key, { a: [1] }]))),
  "null values": (good) => JSON.stringify(Object.fromEntries(Object.keys(good).map((key) => [key, null]))),
  "bytes that are no text": () => Uint8Array.of(0x7b, 0xff, 0xfe, 0x7d),
  "NUL bytes": () => "\0\0\0",
  "a list too deep": () => "[".repeat(DEPTH) + "]".repeat(DEPTH),
  "an object too deep": () => `${'{"a":'.repeat(DEPTH)}1${"}".repeat(DEPTH)}`,
};

// The programs read their input by the same code: each bad input is tried with one of them, and with all in `npm run test:long`.
for (const [row, name] of PROGRAMS.entries()) {
  for (const [column, [what, make]] of Object.entries(BAD_INPUTS).entries()) {
    if (!isLong && row !== column % PROGRAMS.length) continue;
    test(`${name}, given ${what}, answers with INVALID_ARG and does nothing`, async (t) => {
      const place = createPlace(t);
      place.write("a.txt", "one\n");
      const { code, answer } = await call(place, name, make(GOOD[name]));
      assert.deepEqual([answer["error_code"], code], ["INVALID_ARG", 2], JSON.stringify(answer));
      assert.equal(readFileSync(join(place.folder, "a.txt"), "utf8"), "one\n");
      assert.equal(existsSync(join(place.folder, "made.txt")), false);
    });
  }
}

test("input over 64 MB is refused, and 10 MB of content are written", async (t) => {
  const place = createPlace(t);
  const over = await call(place, "file_write", `"${"x".repeat(65 * 1024 * 1024)}"`);
  assert.deepEqual([over.answer["error_code"], over.code], ["INVALID_ARG", 2]);
  const content = "é".repeat(5 * 1024 * 1024);
  const { bytes } = await succeed(place, "file_write", { path: "big.txt", content });
  assert.equal(bytes, 10 * 1024 * 1024);
  assert.equal(statSync(join(place.folder, "big.txt")).size, bytes);
});

test("an answer larger than a pipe arrives whole", async (t) => {
  const place = createPlace(t);
  place.write("many.txt", "a line that matches\n".repeat(4999));
  const { matches } = await succeed(place, "grep", { pattern: "matches" });
  assert.equal((matches as unknown[]).length, 4999);
});

test("a number as text is coerced as in the engine", async (t) => {
  const place = createPlace(t);
  place.write("a.txt", "one\ntwo\n");
  const { start_line } = await succeed(place, "file_read", { path: "a.txt", start_line: "2" });
  assert.equal(start_line, 2);
});

test("a missing current folder is an error", async (t) => {
  const place = createPlace(t);
  const path = linkTo(place, "glob");
  const script = `mkdir gone && cd gone && rmdir ../gone && echo '{"pattern":"*"}' | "${path}"`;
  const { stdout } = await runProgram(place, "/bin/sh", { args: ["-c", script] });
  assert.equal((JSON.parse(stdout) as JsonObject)["error_code"], "UNAVAILABLE");
});

test("the programs accept the names of parameters that the built-in tools accept", async (t) => {
  const place = createPlace(t);
  place.write("a.txt", "hello\n");
  const answer = await succeed(place, "file_read", { file_path: "a.txt" });
  assert.match(JSON.stringify(answer), /hello/);
  const both = await call(place, "file_read", { file_path: "a.txt", path: "a.txt" });
  assert.match(JSON.stringify(both.answer), /which are the same parameter/);
});
