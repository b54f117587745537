import assert from "node:assert/strict";
import { test } from "node:test";
import { compareDeclarations, levelOf, withoutComments } from "../scripts/api/compare-declarations.ts";

const OPTIONS = "interface Options {\n  readonly a: string;\n  b?(): void;\n}";

/** A change of a declaration, and the level that it needs. */
const CASES = [
  ["an optional member is added", OPTIONS, OPTIONS.replace("}", "  readonly c?: number;\n}"), "minor"],
  ["an optional member is added in front", OPTIONS, OPTIONS.replace("{", "{\n  c?: number;"), "minor"],
  ["a required member is added", OPTIONS, OPTIONS.replace("}", "  readonly c: number;\n}"), "major"],
  ["a member is removed", OPTIONS, OPTIONS.replace("  b?(): void;\n", ""), "major"],
  ["a member has another type", OPTIONS, OPTIONS.replace("string", "number"), "major"],
  ["a member became required", OPTIONS, OPTIONS.replace("b?()", "b()"), "major"],
  ["a parameter is added", "function f(a: string): void", "function f(a: string, b: string): void", "major"],
  [
    "a class has one more method",
    "class A {\n  a(): void;\n}",
    "class A {\n  a(): void;\n  b(): void;\n}",
    "minor",
  ],
] as const;

for (const [what, before, after, level] of CASES) {
  test(`${what}: ${level}`, () => {
    assert.equal(levelOf(compareDeclarations({ x: before }, { x: after })), level);
  });
}

test("a new name is minor, a removed one major, and the highest level counts", () => {
  const changes = compareDeclarations({ old: "const old: 1" }, { young: "const young: 1" });
  assert.deepEqual(
    changes.map(({ name, what, level }) => [name, what, level]),
    [
      ["old", "removed", "major"],
      ["young", "added", "minor"],
    ],
  );
  assert.equal(levelOf(changes), "major");
});

test("comments, empty lines and spaces at the end of a line are no change", () => {
  const commented = OPTIONS.replace(
    "  readonly a",
    "  /** The first.\n   * line */  \n\n  // why\n  readonly a",
  );
  assert.deepEqual(compareDeclarations({ x: OPTIONS }, { x: withoutComments(commented) }), []);
  assert.equal(levelOf([]), "patch");
});
