import assert from "node:assert/strict";
import { mkdirSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { JsonObject } from "../../src/core/json.ts";
import { isLong } from "../support/property-runs.ts";
import { createPlace, runCli } from "./support/cli.ts";
import { runProgram } from "./support/libexec.ts";
import { copied, SHOWN } from "./support/shown-programs.ts";
import { checkProgram, WITH_NODE, withoutProgram } from "./support/tools.ts";

for (const { name, file, needs, input, answer, missing } of SHOWN) {
  const skip = withoutProgram(needs);

  test(`${file}, copied from the page, answers a call`, { skip }, async (t) => {
    const place = createPlace(t);
    const path = copied(place, file);
    const run = { environment: WITH_NODE };
    const schema = await runProgram(place, path, { ...run, args: ["--schema"] });
    assert.equal((JSON.parse(schema.stdout) as JsonObject)["name"], name);
    const { code, stdout } = await runProgram(place, path, { ...run, input: JSON.stringify(input) });
    assert.equal(code, 0);
    assert.deepEqual(JSON.parse(stdout), answer);
    const failed = await runProgram(place, path, { ...run, input: JSON.stringify(missing) });
    assert.equal((JSON.parse(failed.stdout) as JsonObject)["error_code"], "FILE_NOT_FOUND");
  });

  test(`${file}, copied from the page, follows the contract`, { skip }, async (t) => {
    const place = createPlace(t);
    const { code, failed, checks } = await checkProgram(place, copied(place, file), input);
    assert.deepEqual([code, failed], [0, []], JSON.stringify(checks.filter(({ state }) => state === "fail")));
  });
}

test("the page names every check, and no other", async (t) => {
  const place = createPlace(t);
  const page = readFileSync("docs/external-tools.md", "utf8");
  const { checks } = await checkProgram(place, join(process.cwd(), "libexec", "glob"), { pattern: "*" });
  const table = page.slice(
    page.indexOf("| check | question |"),
    page.indexOf("Without `--args` a program is never"),
  );
  const told = [...table.matchAll(/`([a-z]+(?:\.[a-z_-]+)?)`(?=[^|]*\|)/g)].map(([, name]) => name);
  const known = checks.map(({ check }) => check).filter((check) => !check.startsWith("schema."));
  assert.deepEqual(new Set(told), new Set(known));
});

/** Reads the tool name from each provider's format; a usual run tries the first two. */
const NAME_AT: Readonly<Record<string, RegExp>> = {
  openai: /"function":\{"name":"(\w+)"/g,
  anthropic: /"name":"(\w+)","description":/g,
  "openai-responses": /"type":"function","name":"(\w+)"/g,
  google: /"name":"(\w+)","description":/g,
  mcp: /"name":"(\w+)","description":/g,
};

test("the three programs in the user's tools work through call, batch and every provider's format", async (t) => {
  const place = createPlace(t);
  const able = SHOWN.filter(({ needs }) => withoutProgram(needs) === false);
  for (const { file } of able)
    renameSync(copied(place, file), join(mkdirOf(join(place.home, "tools")), file));
  const environment = WITH_NODE;
  for (const { name, input, answer } of able) {
    const line = ["call", name, "--args", JSON.stringify(input), "--yes", "--json"];
    const { code, stdout } = await runCli(place, line, { environment });
    assert.equal(code, 0, stdout);
    assert.deepEqual((JSON.parse(stdout) as { data: unknown }).data, answer);
  }
  const calls = able.map(({ name, input }) => JSON.stringify({ id: name, name, input })).join("\n");
  const batch = await runCli(place, ["batch", "--yes"], { environment, input: calls });
  const answers = batch.stdout
    .trim()
    .split("\n")
    .map((text) => JSON.parse(text) as { callId: string; data: unknown });
  assert.deepEqual(
    answers.map(({ callId, data }) => [callId, data]),
    able.map(({ name, answer }) => [name, answer]),
  );
  for (const [format, at] of Object.entries(NAME_AT).slice(0, isLong ? undefined : 2)) {
    const { stdout } = await runCli(place, ["tools", "--format", format], { environment });
    const names = new Set([...stdout.matchAll(at)].map(([, name]) => name));
    for (const { name } of able) assert.ok(names.has(name), `${format}: ${stdout.slice(0, 400)}`);
  }
});

function mkdirOf(folder: string): string {
  mkdirSync(folder, { recursive: true });
  return folder;
}

test("under the profile external the six programs replace the built-in tools, and policy judges them", async (t) => {
  const place = createPlace(t);
  place.write("a.txt", "one\n");
  const line = ["call", "file_read", "path=a.txt", "--profile", "external", "--json"];
  const denied = await runCli(place, line);
  assert.equal(denied.code, 3);
  const { code, stdout } = await runCli(place, [...line, "--yes"]);
  assert.equal(code, 0, stdout);
  assert.equal((JSON.parse(stdout) as { data: JsonObject }).data["content"], "     1\tone");
  const listed = await runCli(place, ["tools", "--profile", "external", "--json"]);
  const names = (JSON.parse(listed.stdout) as readonly { readonly name: string }[]).map(({ name }) => name);
  assert.deepEqual(names.sort(), ["bash", "file_edit", "file_read", "file_write", "glob", "grep"]);
});
