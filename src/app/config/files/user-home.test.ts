import assert from "node:assert/strict";
import { userInfo } from "node:os";
import type { TestContext } from "node:test";
import { test } from "node:test";
import { runScript, sourceUrl } from "../../../../test/support/child-script.ts";
import { readSurroundings } from "../config.ts";
import { findUserHome } from "./user-home.ts";

function withHome(t: TestContext, home: string): void {
  const { HOME: before = "" } = process.env;
  t.after(() => void (process.env["HOME"] = before));
  process.env["HOME"] = home;
}

test("the home is the one that HOME names", (t) => {
  withHome(t, "/somewhere");
  assert.equal(findUserHome(), "/somewhere");
});

for (const home of ["", ".", "home"]) {
  test(`a HOME of "${home}" is the account's home, for us and for what we run`, (t) => {
    withHome(t, home);
    const { userHome, variables } = readSurroundings();
    assert.deepEqual([userHome, variables["HOME"]], [userInfo().homedir, userInfo().homedir]);
  });
}

test(
  "where there is no home at all it says what to set",
  { skip: process.getuid?.() !== 0 && "only root can be a user that has no account" },
  () => {
    const { stdout } = runScript(`
      const { findUserHome } = await import(${JSON.stringify(sourceUrl("src/app/config/files/user-home.ts"))});
      delete process.env.HOME;
      process.setuid(54321);
      try { findUserHome(); } catch (error) { console.log(error.code, error.message, error.hint); }
    `);
    assert.match(stdout, /^UNAVAILABLE there is no home folder.* set HOME to an absolute path\n$/);
  },
);
