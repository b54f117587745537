import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { loadHttpToken, tokenFileOf } from "./http-token.ts";

test("the token is created once, readable by its owner only", (t) => {
  const home = join(temporaryFolder(t), "home");
  const token = loadHttpToken(home);
  assert.match(token, /^[\w-]{43}$/);
  assert.equal(loadHttpToken(home), token);
  assert.equal(statSync(tokenFileOf(home)).mode & 0o777, 0o600);
});

test("a token that others could have read or written is refused, and so is an invalid one", (t) => {
  for (const [what, spoil] of [
    ["readable by others", (file: string) => chmodSync(file, 0o644)],
    ["empty", (file: string) => writeFileSync(file, "")],
    ["short", (file: string) => writeFileSync(file, "abc\n")],
  ] as const) {
    const home = temporaryFolder(t);
    loadHttpToken(home);
    spoil(tokenFileOf(home));
    assert.throws(() => loadHttpToken(home), { code: "UNAVAILABLE" }, what);
  }
});

test("a link or a folder in place of the file is refused", (t) => {
  const home = temporaryFolder(t);
  const elsewhere = join(home, "elsewhere");
  writeFileSync(elsewhere, "x".repeat(43), { mode: 0o600 });
  symlinkSync(elsewhere, tokenFileOf(home));
  assert.throws(() => loadHttpToken(home), { code: "UNAVAILABLE" });
  const other = temporaryFolder(t);
  mkdirSync(tokenFileOf(other));
  assert.throws(() => loadHttpToken(other), { code: "UNAVAILABLE" });
});

test("a token that could not be written completely does not exist, during the write or later", (t) => {
  const home = temporaryFolder(t);
  const script = `
    import { loadHttpToken } from ${JSON.stringify(new URL("http-token.ts", import.meta.url).href)};
    try { loadHttpToken(${JSON.stringify(home)}); } catch ({ code, hint }) { console.log(code, hint); }
  `;
  // No file may have a byte.
  const limited = 'ulimit -f 0; exec "$0" --input-type=module -e "$1"';
  const { stdout } = spawnSync("sh", ["-c", limited, process.execPath, script], { encoding: "utf8" });
  assert.match(stdout, /^UNAVAILABLE .*writable.*space on its disk\n$/);
  assert.deepEqual(readdirSync(home), []);
  assert.match(loadHttpToken(home), /^[\w-]{43}$/);
  assert.equal(readdirSync(home).length, 1);
});
