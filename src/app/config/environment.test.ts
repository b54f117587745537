import assert from "node:assert/strict";
import { userInfo } from "node:os";
import { test } from "node:test";
import { runScript, sourceUrl } from "../../../test/support/faults/child-script.ts";
import { readEnvironment } from "./environment.ts";

const withHome = (home: string) => readEnvironment({ env: { HOME: home }, cwd: () => "/work" });

test("the home is the one that HOME names", () => {
  assert.deepEqual(withHome("/somewhere"), {
    cwd: "/work",
    variables: { HOME: "/somewhere" },
    userHome: "/somewhere",
  });
});

for (const home of ["", ".", "home"]) {
  test(`a HOME of "${home}" gives the home of the account, for the program and its children`, () => {
    const { userHome, variables } = withHome(home);
    assert.deepEqual([userHome, variables["HOME"]], [userInfo().homedir, userInfo().homedir]);
  });
}

test(
  "without any home the error says what to set",
  { skip: process.getuid?.() !== 0 && "only root can be a user that has no account" },
  () => {
    const { stdout } = runScript(`
      const { readEnvironment } = await import(${JSON.stringify(sourceUrl("src/app/config/environment.ts"))});
      process.setuid(54321);
      try { readEnvironment({ env: {}, cwd: () => "/" }); } catch (error) { console.log(error.code, error.message, error.hint); }
    `);
    assert.match(stdout, /^UNAVAILABLE there is no home folder.* set HOME to an absolute path\n$/);
  },
);
