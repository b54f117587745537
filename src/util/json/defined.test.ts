import assert from "node:assert/strict";
import { test } from "node:test";
import { defined } from "./defined.ts";

test("properties that are undefined are left out, and null stays", () => {
  const value: { readonly a: number; readonly b?: string; readonly c: null } = defined({
    a: 1,
    b: undefined as string | undefined,
    c: null,
  });
  assert.deepEqual(Object.keys(value), ["a", "c"]);
});
