import assert from "node:assert/strict";
import { test } from "node:test";
import { commandOf } from "../../../../test/support/generators/command-words.ts";
import { isForkBomb } from "./fork-bomb.ts";

const MOST = 100_000;

for (const [text, called, expected] of [
  ["f(){ f|f& };f", ["f"], true],
  ["f \t( \t) \t{ f & f; }; f", ["f"], true],
  ["function  f { f & }; f", ["f"], true],
  ["function\tf\n{ f & }; f", ["f"], true],
  ["f(){ f|f& };ls;f", ["ls", "f"], true],
  ["f(){ ( f ) & }; f", ["f"], true],
  ["f(){ { f; f; } & }; f", ["f"], true],
  ["f(){ ls; }; g(){ f & }; f", ["f"], false],
  ["f(){ { ls; }; }; f & ", ["f"], false],
  ["f(){ f|f& };f", ["ls"], false],
  ["f(){ f|f& };f", [], false],
  ["f(){ f; }; f", ["f"], false],
  ["f(){ g & }; f", ["f"], false],
  ["f(){ ff & }; f", ["f"], false],
  ["f(){ f; }; f & ", ["f"], false],
  ["x=f() { f & }", ["x"], false],
  ["f x() { f & }", ["f"], false],
  ["f(x) { f & }; f", ["f"], false],
  [`f(){ ${";".repeat(280)} f & };f`, ["f"], true],
  [`f(){ ${";".repeat(310)} f & };f`, ["f"], false],
  [`f(){ f & };f`.padEnd(MOST), ["f"], true],
  [`f(){ f & };f`.padEnd(MOST + 1), ["f"], false],
  ["f(){ f &", ["f"], true],
] as const)
  test(`${text.trim().slice(0, 40)}, which starts ${called.join(", ") || "nothing"}, is ${expected ? "a" : "no"} fork bomb`, () => {
    assert.equal(
      isForkBomb(
        called.map((name) => commandOf(name)),
        text,
      ),
      expected,
    );
  });
