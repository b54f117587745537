import assert from "node:assert/strict";
import { test } from "node:test";
import type { Declaration } from "../scripts/docs/declarations.ts";
import { isSharedMember } from "../scripts/docs/shared-members.ts";
import { namesWithoutSentence } from "../scripts/docs/sentences.ts";

/** A declaration of `A`, and what of it lacks a sentence. */
const CASES = [
  ["a name without a comment", "type A = string", "", ["A"]],
  [
    "a member without a comment",
    "interface A {\n  /** Said. */\n  b: number;\n  c: number;\n}",
    "A.",
    ["A.c"],
  ],
  ["a method without a comment", "interface A {\n  b(\n    c: { d: number },\n  ): void;\n}", "A.", ["A.b"]],
  ["the second of two overloads", "interface A {\n  /** Said. */\n  b(): 1;\n  b(c: 1): 2;\n}", "A.", []],
  ["what is inside a member", "interface A {\n  /** Said. */\n  b: {\n    c: number;\n  };\n}", "A.", []],
  ["a type on one line", "type A = { b: number }", "A.", []],
  [
    "a case with a discriminant",
    'type A =\n  | {\n      readonly kind: "b";\n      c: 1 | 2;\n    }',
    "A.",
    [],
  ],
  ["a case without one", "type A =\n  | {\n      c: 1 | 2;\n    }", "A.", ["A.c"]],
  ["a case with a comment", "type A =\n  /** Said. */\n  | {\n      c: 1 | 2;\n    }", "A.", []],
  ["a shared member", "interface A {\n  readonly callId: string;\n}", "A.", []],
  ["a shared name of another type", "interface A {\n  readonly callId: number;\n}", "A.", ["A.callId"]],
] as const;

for (const [what, code, comment, expected] of CASES)
  test(`names without a sentence: ${what}`, () => {
    const kind = code.startsWith("type") ? "type" : "interface";
    const declaration: Declaration = { kind, comment, code };
    assert.deepEqual(namesWithoutSentence("A", declaration), expected);
  });

test("times are shared by the end of their name", () => {
  assert.equal(isSharedMember("receivedAt: number;"), true);
  assert.equal(isSharedMember("receivedAt?: string;"), false);
});
