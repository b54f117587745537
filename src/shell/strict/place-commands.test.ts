import assert from "node:assert/strict";
import { test } from "node:test";
import { readStrictly } from "../read-strictly.ts";

test("cd affects later commands, but not from a pipeline or the background", () => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ["p", ["/w"]],
    ["cd a && p", ["/w/a"]],
    ["cd a && cd b && p", ["/w/a/b"]],
    ["cd /x/y && p", ["/x/y"]],
    ["cd && p", ["/home/u"]],
    ["cd a; p", ["/w/a", "/w"]],
    ["cd a\np", ["/w/a", "/w"]],
    ["cd a || p", ["/w"]],
    ["cd a && q || p", ["/w", "/w/a"]],
    ["cd a && q; p", ["/w/a", "/w"]],
    ["q && cd a; p", ["/w/a", "/w"]],
    ["cd a | q; p", ["/w"]],
    ["q | cd a && p", ["/w"]],
    ["cd a & p", ["/w"]],
    ["cd a && q & p", ["/w"]],
    ["cd a && p &", ["/w/a"]],
    ["cd - && p", []],
    ["cd - ; cd /x && p", ["/x"]],
    ["pushd a && p", []],
    ["popd; p", []],
    ["cd a b; p", []],
  ];
  for (const [text, cwds] of cases) {
    const reading = readStrictly(text, { cwd: "/w", home: "/home/u" });
    assert("commands" in reading, text);
    const command = reading.commands.find(({ words }) => words[0]?.text === "p");
    assert.deepEqual(command?.cwds, cwds, text);
  }
});

test("an assignment that changes the target of cd is doubted", () => {
  for (const name of ["HOME", "CDPATH", "PWD", "OLDPWD"]) {
    assert("doubt" in readStrictly(`${name}=/etc cd x && p`, { cwd: "/w" }), name);
    assert("doubt" in readStrictly(`${name}=/etc; cd x && p`, { cwd: "/w" }), name);
  }
});
