import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { without } from "../../../test/support/programs/real-shells.ts";
import { isBuiltin, isReserved } from "./shell-builtins.ts";

test("every builtin and keyword of the installed bash is known", { skip: without("bash") }, () => {
  const list = (flag: string): readonly string[] =>
    execFileSync("/bin/bash", ["-c", `compgen -${flag}`], { encoding: "utf8" })
      .trim()
      .split("\n");
  assert.deepEqual(
    list("b").filter((name) => !isBuiltin(name)),
    [],
  );
  assert.deepEqual(
    list("k").filter((name) => !isReserved(name)),
    [],
  );
});

test("every builtin of dash is known", { skip: without("dash") }, () => {
  const names = [
    "chdir",
    "cd",
    "echo",
    "local",
    "hash",
    "getopts",
    "ulimit",
    "jobs",
    "fg",
    "test",
    "printf",
    "type",
  ];
  for (const name of names) {
    const said = execFileSync("/bin/dash", ["-c", 'type "$1"', "dash", name], { encoding: "utf8" });
    assert.equal(isBuiltin(name), said.includes("builtin"), said);
  }
});
