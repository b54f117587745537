import assert from "node:assert/strict";
import { test } from "node:test";
import { readGreedily, type GreedyReading } from "../read-greedily.ts";
import { createBudget } from "../syntax/budget.ts";

function read(text: string): GreedyReading {
  return readGreedily(text, { cwd: "/w" }, createBudget());
}

const ACCEPTED = [
  "a; b\nc & d",
  "a &&\n\nb || c | d |& e",
  "if a; then b; elif c; then d; else e; fi > f",
  "if (a) then b; fi",
  "for x in a b; do c; done",
  "for x in ; do c; done",
  "for x\ndo c; done",
  "for x do c; done",
  "for x in a; { c; }",
  "for ((;;)) do c; done",
  "for ((;;)); { c; }",
  "select x in a; do c; done",
  "while a; do b; done | c",
  "until [[ a ]] do b; done",
  "case a in b|c) d;; (e) ;; f) g\nesac",
  "case a in\nb) ;& c) d ;;& esac",
  "case a in esac",
  "{ a; } 2>&1 | (b)",
  "f() { a; }",
  "f()\n(a)",
  "f() [[ a ]]",
  "function f { a; } > b",
  "function f() if a; then b; fi",
];

for (const text of ACCEPTED) {
  test(`${JSON.stringify(text)} is accepted`, () => {
    assert.equal(read(text).unreadable, undefined);
  });
}

const REJECTED = [
  "; a",
  "a ;; b",
  "a && ; b",
  "a | | b",
  "{ }",
  "( )",
  "{ a",
  "if a; fi",
  "if a; then; fi",
  "if a; then b; else fi",
  "then a",
  "fi",
  "for x in a do b; done",
  "for x y; do b; done",
  "while a; { b; }",
  "while a; done",
  "case a b) c;; esac",
  "case a in b c) d;; esac",
  "case a in b) c;; d; esac",
  "f() a",
  "f g() { a; }",
  "[[ a ]] b; c",
  "{ a; } b",
  "{ a; } { b; }",
];

for (const text of REJECTED) {
  test(`${JSON.stringify(text)} is rejected`, () => {
    assert.equal(typeof read(text).unreadable, "string");
  });
}

test("the redirect of a compound command opens its file in the folder of that command only", () => {
  const { commands } = read("cd a && (b) > c");
  const redirect = commands.find(({ redirects }) => redirects.length > 0);
  assert.deepEqual(redirect?.cwds, ["/w/a"]);
});

for (const [what, open, close] of [
  ["groups", "{ ", "; }"],
  ["subshells", "( ", " )"],
  ["functions", "f() { ", "; }"],
  ["branches", "if a; then ", "; fi"],
] as const) {
  test(`${what} that are nested too deeply are unreadable and cause no error`, () => {
    const nested = (depth: number): string => `${open.repeat(depth)}a${close.repeat(depth)}`;
    assert.equal(read(nested(20)).unreadable, undefined);
    assert.equal(typeof read(nested(3000)).unreadable, "string");
  });
}

test("a list of many commands is read", () => {
  const { commands, unreadable } = read(`${"a && ".repeat(100)}b`);
  assert.deepEqual([commands.length, unreadable], [101, undefined]);
});
