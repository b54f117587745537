import assert from "node:assert/strict";
import { test } from "node:test";
import { ToolError } from "../../../core/errors.ts";
import { toReply } from "./to-content.ts";

function failureOf(text: string): string {
  try {
    toReply({ content: [{ type: "text", text }], isError: true });
  } catch (error) {
    assert.ok(error instanceof ToolError);
    return error.message;
  }
  return assert.fail("it did not throw");
}

test("a failure of several lines has all of them", () => {
  const text = 'Traceback (most recent call last):\n  File "a.py"\nValueError: the real reason';
  assert.equal(failureOf(text), text);
});

test("a failure that is too long keeps both ends and says how much is missing", () => {
  const lines = Array.from({ length: 2000 }, (_, index) => `frame ${index}`).join("\n");
  const message = failureOf(`Traceback:\n${lines}\nValueError: the real reason`);
  assert.match(message, /^Traceback:\nframe 0\n/);
  assert.match(message, /\n\[\d+ characters left out\]\n/);
  assert.match(message, /\nValueError: the real reason$/);
  assert.ok(message.length < 9000);
});
