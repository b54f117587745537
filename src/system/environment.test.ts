import assert from "node:assert/strict";
import { test } from "node:test";
import { childEnvironment } from "./environment.ts";

const FULL = {
  PATH: "/bin",
  HOME: "/home/a",
  LANG: "C",
  LC_ALL: "C",
  TMPDIR: "/tmp",
  TERM: "dumb",
  USER: "a",
  SHELL: "/bin/sh",
  AWS_SECRET_ACCESS_KEY: "s",
  GITHUB_TOKEN: "t",
  NODE_OPTIONS: "--require x",
  LD_PRELOAD: "/evil.so",
  PATHOLOGICAL: "p",
};

test("only the harmless variables pass", () => {
  assert.deepEqual(Object.keys(childEnvironment(FULL)).sort(), [
    "HOME",
    "LANG",
    "LC_ALL",
    "PATH",
    "SHELL",
    "TERM",
    "TMPDIR",
    "USER",
  ]);
});

test("a variable passes when it is named, or its beginning is", () => {
  const environment = childEnvironment(FULL, ["GITHUB_TOKEN", "AWS_*"]);
  assert.equal(environment["GITHUB_TOKEN"], "t");
  assert.equal(environment["AWS_SECRET_ACCESS_KEY"], "s");
  assert.equal(environment["NODE_OPTIONS"], undefined);
});

test("an absent variable is left out", () => {
  assert.deepEqual(childEnvironment({ PATH: undefined, HOME: "/h" }), { HOME: "/h" });
});
