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

test("only harmless variables are passed", () => {
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

test("a variable is passed if its name or prefix is allowed", () => {
  const environment = childEnvironment(FULL, ["GITHUB_TOKEN", "PATH*"]);
  assert.equal(environment["GITHUB_TOKEN"], "t");
  assert.equal(environment["PATHOLOGICAL"], "p");
  assert.equal(environment["NODE_OPTIONS"], undefined);
});

test("an absent variable is left out", () => {
  assert.deepEqual(childEnvironment({ PATH: undefined, HOME: "/h" }), { HOME: "/h" });
});

test("a star matches no secret, which must be named in full", () => {
  const given = { AWS_REGION: "r", AWS_SECRET_ACCESS_KEY: "s" };
  assert.deepEqual(childEnvironment(given, ["AWS_*"]), { AWS_REGION: "r" });
  assert.deepEqual(childEnvironment(given, ["AWS_*", "AWS_SECRET_ACCESS_KEY"]), given);
});

test("a variable that changes how a shell works is never passed, even if named", () => {
  const given = { BASH_ENV: "x", CDPATH: "/", IFS: ",", "BASH_FUNC_ls%%": "() { rm x; }", PATH: "/bin" };
  assert.deepEqual(childEnvironment(given, [...Object.keys(given), "BASH_*"]), { PATH: "/bin" });
});
