import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { loadSqlite } from "../../src/system/sqlite.ts";
import { createPlace, runCli } from "./support/cli.ts";

test("trace lists calls newest first, filters and searches them, and shows one in full", async (t) => {
  const place = createPlace(t);
  place.write("a", "kept text\n");
  const none = await runCli(place, ["trace"]);
  assert.equal(none.stdout, "no calls found in this folder; --all lists those of every folder\n");
  const input = ["first", "second"]
    .map((id) => `{"id":"${id}","name":"read_file","input":{"path":"a"}}\n`)
    .join("");
  await runCli(place, ["batch"], { input: `${input}{"id":"third","name":"nope"}\n` });
  const elsewhere = { ...createPlace(t), home: place.home };
  await runCli(elsewhere, ["batch"], { input: '{"id":"elsewhere","name":"ls"}\n' });
  const ids = async (...args: readonly string[]): Promise<readonly string[]> => {
    const { stdout } = await runCli(place, ["trace", ...args, "--json"]);
    return stdout
      .trimEnd()
      .split("\n")
      .filter(Boolean)
      .map((line) => (JSON.parse(line) as { callId: string }).callId);
  };
  assert.deepEqual(await ids(), ["third", "second", "first"]);
  assert.deepEqual(await ids("--all"), ["elsewhere", "third", "second", "first"]);
  assert.deepEqual(await ids("--limit", "1"), ["third"]);
  assert.deepEqual(await ids("--name", "read_file"), ["second", "first"]);
  assert.deepEqual(await ids("--outcome", "failed"), ["third"]);
  assert.deepEqual(await ids("--state", "open"), []);
  assert.deepEqual(await ids("search", "KEPT"), ["second", "first"]);
  assert.deepEqual(await ids("first"), ["first"]);
  assert.deepEqual(await ids("show", "elsewhere"), ["elsewhere"]);
  const table = await runCli(place, ["trace"]);
  assert.match(
    table.stdout,
    /^\d\d:\d\d:\d\d  third +nope +TOOL_NOT_FOUND .*\n\S+  second +read_file +a +ok +[\d.]+ms\n/,
  );
  const one = await runCli(place, ["trace", "show", "rst"]);
  assert.match(one.stdout, /^decision +allow: [\s\S]*"path": "a"[\s\S]*kept text/m);
  for (const args of [
    ["fourth"],
    ["show", ""],
    ["show"],
    ["search"],
    ["--limit", "few"],
    ["follow", "--format", "otlp"],
  ])
    assert.equal((await runCli(place, ["trace", ...args])).code, 2, args.join(" "));
});

test("an id that repeats lists its calls, and the key of each shows that one", async (t) => {
  const place = createPlace(t);
  for (const path of ["a", "b"]) {
    place.write(path, `text of ${path}\n`);
    await runCli(place, ["batch"], { input: `{"id":"1","name":"read_file","input":{"path":"${path}"}}\n` });
  }
  const shown = await runCli(place, ["trace", "show", "1"]);
  const keys = [...shown.stdout.matchAll(/1@[0-9a-z]+/g)].map(([key]) => key);
  assert.equal(new Set(keys).size, 2, shown.stdout);
  assert.match(shown.stderr, new RegExp(`2 calls have the id 1: toolwright trace show ${keys[0]}`));
  for (const [index, path] of ["b", "a"].entries()) {
    const one = await runCli(place, ["trace", "show", keys[index] ?? ""]);
    assert.match(one.stdout, new RegExp(`text of ${path}`));
  }
  assert.equal((await runCli(place, ["trace"])).stdout.match(/1@/g)?.length, 2);
  assert.equal((await runCli(place, ["trace", "show", "1@zzz"])).code, 2);
});

test("trace exports calls as JSON lines, as OTLP and as a page, and refuses to overwrite a file", async (t) => {
  const place = createPlace(t);
  place.write("a", "<b>kept</b>\n");
  await runCli(place, ["batch"], { input: '{"id":"first","name":"read_file","input":{"path":"a"}}\n' });
  const printed = await runCli(place, ["trace", "export"]);
  assert.equal((JSON.parse(printed.stdout) as { callId: string }).callId, "first");
  for (const file of ["calls.jsonl", "spans.json", "calls.html"])
    assert.equal((await runCli(place, ["trace", "export", file])).code, 0);
  const read = (file: string): string => readFileSync(join(place.folder, file), "utf8");
  assert.equal(read("calls.jsonl"), printed.stdout);
  const { resourceSpans } = JSON.parse(read("spans.json")) as {
    resourceSpans: [{ scopeSpans: [{ spans: { name: string }[] }] }];
  };
  assert.deepEqual(
    resourceSpans[0].scopeSpans[0].spans.map(({ name }) => name),
    ["execute_tool read_file"],
  );
  const page = read("calls.html");
  assert.match(page, /&lt;b&gt;kept&lt;\/b&gt;/);
  assert.doesNotMatch(page, /<b>|<script|(?:src|href)=/);
  const again = await runCli(place, ["trace", "export", "calls.html"]);
  assert.deepEqual([again.code, /cannot write .*calls\.html/.test(again.stderr)], [1, true], again.stderr);
});

test("trace follow prints calls of this folder as they end", async (t) => {
  const place = createPlace(t);
  const elsewhere = { ...createPlace(t), home: place.home };
  const following = runCli(place, ["trace", "follow", "--limit", "1"]);
  const isDone = following.then(() => true);
  // It may not have begun to look when the first call is made.
  while (!(await Promise.race([isDone, runCli(place, ["call", "ls"]).then(() => false)])))
    await runCli(elsewhere, ["call", "glob", "pattern=*.none"]);
  const { code, stdout } = await following;
  assert.equal(code, 0);
  assert.match(stdout, /^(?:\S+  \S+ +ls +open *\n)?\S+  \S+ +ls +ok +[\d.]+m?s\n$/);
});

test("trace lists the calls that an earlier version made in the folder before those with a folder", async (t) => {
  const place = createPlace(t);
  const call = (id: string): Promise<unknown> =>
    runCli(place, ["batch"], { input: `{"id":"${id}","name":"ls"}\n` });
  for (const id of ["first", "second"]) await call(id);
  const database = new (loadSqlite().DatabaseSync)(join(place.home, "state/toolwright.db"));
  database.exec("UPDATE calls SET folder = NULL");
  database.close();
  const ids = async (...args: readonly string[]): Promise<readonly string[]> =>
    (await runCli(place, ["trace", "--json", ...args])).stdout.match(
      /(?<="callId":")\w+(?=","name":"ls","input")/g,
    ) ?? [];
  assert.deepEqual(await ids(), ["second", "first"]);
  await call("third");
  assert.deepEqual(await ids(), ["third", "second", "first"]);
  assert.deepEqual(await ids("--limit", "2"), ["third", "second"]);
  assert.deepEqual(await ids("--outcome", "failed"), []);
});

test("whichever command looks into the store first names the file with the damaged lines of a killed process", async (t) => {
  const place = createPlace(t);
  await runCli(place, ["batch"], { input: '{"id":"first","name":"ls"}\n' });
  const spool = join(place.home, "state", "spool");
  mkdirSync(spool, { recursive: true });
  for (const args of [["trace"], ["approve"], ["call", "ls"]]) {
    writeFileSync(join(spool, "4194305.1.boot.999.0.jsonl"), '\n["damaged"]\n["damaged too"]\n');
    const { stderr } = await runCli(place, args);
    assert.match(stderr, /damaged lines?, now in .*\.damaged/, args.join(" "));
  }
});
