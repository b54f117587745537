import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { compileName } from "../../../util/text/name-pattern.ts";
import { TOKEN_FILES, TOKEN_FILE_PATTERN } from "../../config/access/http-tokens.ts";
import { loadHttpToken, tokenFileOf } from "./http-token.ts";

test("the token is created once, readable by its owner only", (t) => {
  const home = join(temporaryFolder(t), "home");
  const token = loadHttpToken(home, "call");
  assert.match(token, /^[\w-]{43}$/);
  assert.equal(loadHttpToken(home, "call"), token);
  assert.equal(statSync(tokenFileOf(home, "call")).mode & 0o777, 0o600);
});

test("a token that others could have read or written is refused, and so is an invalid one", (t) => {
  for (const [what, spoil] of [
    ["readable by others", (file: string) => chmodSync(file, 0o644)],
    ["empty", (file: string) => writeFileSync(file, "")],
    ["short", (file: string) => writeFileSync(file, "abc\n")],
  ] as const) {
    const home = temporaryFolder(t);
    loadHttpToken(home, "call");
    spoil(tokenFileOf(home, "call"));
    assert.throws(() => loadHttpToken(home, "call"), { code: "UNAVAILABLE" }, what);
  }
});

test("a link or a folder in place of the file is refused", (t) => {
  const home = temporaryFolder(t);
  const elsewhere = join(home, "elsewhere");
  writeFileSync(elsewhere, "x".repeat(43), { mode: 0o600 });
  symlinkSync(elsewhere, tokenFileOf(home, "call"));
  assert.throws(() => loadHttpToken(home, "call"), { code: "UNAVAILABLE" });
  const other = temporaryFolder(t);
  mkdirSync(tokenFileOf(other, "call"));
  assert.throws(() => loadHttpToken(other, "call"), { code: "UNAVAILABLE" });
});

test("a token that could not be written completely does not exist, during the write or later", (t) => {
  const home = temporaryFolder(t);
  const script = `
    import { loadHttpToken } from ${JSON.stringify(new URL("http-token.ts", import.meta.url).href)};
    try { loadHttpToken(${JSON.stringify(home)}, "call"); } catch ({ code, hint }) { console.log(code, hint); }
  `;
  // No file may have a byte.
  const limited = 'ulimit -f 0; exec "$0" --input-type=module -e "$1"';
  const { stdout } = spawnSync("sh", ["-c", limited, process.execPath, script], { encoding: "utf8" });
  assert.match(stdout, /^UNAVAILABLE .*writable.*space on its disk\n$/);
  assert.deepEqual(readdirSync(home), []);
  assert.match(loadHttpToken(home, "call"), /^[\w-]{43}$/);
  assert.equal(readdirSync(home).length, 1);
});

test("the pattern of protected files has every token and the draft of one", () => {
  const { matches } = compileName(TOKEN_FILE_PATTERN);
  const files = Object.values(TOKEN_FILES);
  assert.deepEqual(
    [...files, `${files[0]}.1.tmp`].filter((file) => !matches(file)),
    [],
  );
  assert.equal(matches("config.json"), false);
});
