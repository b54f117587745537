import assert from "node:assert/strict";
import { readFileSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createPlace, runCli, type Finished } from "./support/cli.ts";

test("a file read by one process can be edited by the next, unless it changed in between", async (t) => {
  const place = createPlace(t);
  const file = join(place.folder, "a");
  const edit = (old: string, next: string): Promise<Finished> =>
    runCli(place, ["call", "edit_file", "path=a", `old_string=${old}`, `new_string=${next}`, "--yes"]);
  const write = (...flags: readonly string[]): Promise<Finished> =>
    runCli(place, ["call", "write_file", "path=a", "content=mine", "--json", ...flags]);
  const ruleOf = ({ stdout }: Finished): unknown =>
    (JSON.parse(stdout) as { error?: { details?: { rule?: string } } }).error?.details?.rule;
  const explained = async (): Promise<unknown> => {
    const { stdout } = await runCli(place, ["explain", "write_file", "path=a", "content=mine", "--json"]);
    return (JSON.parse(stdout) as { rule: string }).rule;
  };
  place.write("a", "one");
  assert.equal(await explained(), "unread-overwrite");
  assert.equal(ruleOf(await write()), "unread-overwrite");
  await runCli(place, ["call", "read_file", "path=a"]);
  assert.equal(ruleOf(await write()), "mode.auto.medium");
  assert.equal(await explained(), "mode.auto.medium");
  utimesSync(file, 1, 1);
  assert.equal((await edit("one", "two")).code, 0);
  assert.equal((await edit("two", "three")).code, 0);
  place.write("a", "theirs");
  const stale = await edit("theirs", "mine");
  assert.equal(stale.code, 1);
  assert.match(
    stale.stderr,
    /a has changed since you last read it at .*; nothing was written\n.*read it again/,
  );
  const overwrite = await write("--yes");
  assert.equal(overwrite.code, 1);
  assert.equal(readFileSync(file, "utf8"), "theirs");
  await runCli(place, ["batch"], { input: '{"name":"read_file","input":{"path":"a"}}\n' });
  assert.equal((await write("--yes")).code, 0);
  assert.equal(readFileSync(file, "utf8"), "mine");
});
