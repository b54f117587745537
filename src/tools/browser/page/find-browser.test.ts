import assert from "node:assert/strict";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { findBrowser } from "./find-browser.ts";
import { inspectBrowser } from "./launch.ts";

function folderWith(t: TestContext, ...names: readonly string[]): string {
  const folder = temporaryFolder(t);
  for (const name of names) {
    writeFileSync(join(folder, name), "");
    chmodSync(join(folder, name), 0o755);
  }
  return folder;
}

test("Chromium is preferred to Chrome, wherever on the PATH they are", (t) => {
  const [first, second] = [folderWith(t, "google-chrome"), folderWith(t, "chromium")];
  assert.equal(findBrowser(undefined, `${first}:${second}`, "").file, join(second, "chromium"));
  assert.equal(findBrowser(undefined, first, "").file, join(first, "google-chrome"));
});

test("the folder of a browser that is a link is that of its program", (t) => {
  const folder = folderWith(t, "program");
  mkdirSync(join(folder, "bin"));
  symlinkSync(join(folder, "program"), join(folder, "bin/chromium"));
  assert.equal(findBrowser(undefined, join(folder, "bin"), "").folder, folder);
});

test("a file that cannot be run is no browser; the error says what to install and which setting names another", (t) => {
  const folder = folderWith(t, "chromium");
  chmodSync(join(folder, "chromium"), 0o644);
  const expected = {
    code: "UNAVAILABLE",
    message: "no Chromium, Chrome or Edge was found",
    hint: /chromium.*"path"/,
  };
  assert.throws(() => findBrowser(undefined, folder, ""), expected);
  const named = { code: "UNAVAILABLE", message: "there is no program /no/browser", hint: /"path"/ };
  assert.throws(() => findBrowser("/no/browser", folder), named);
});

test("without playwright-core the error names the package and how to install it", async () => {
  const hooks = registerHooks({
    resolve(name, context, next) {
      if (name !== "playwright-core") return next(name, context);
      throw Object.assign(new Error("not found"), { code: "MODULE_NOT_FOUND" });
    },
  });
  try {
    await assert.rejects(inspectBrowser({}, ""), {
      code: "UNAVAILABLE",
      message: /playwright-core.*is not installed/,
      hint: /npm install playwright-core/,
    });
  } finally {
    hooks.deregister();
  }
});
