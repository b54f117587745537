import assert from "node:assert/strict";
import { test } from "node:test";
import { addPiece, currentOf, dropComplete, endDraft, NO_DRAFTS, takeBase, type Drafts } from "./drafts.ts";

const piece = (number: number, text: string) => ({ id: `s-${number}`, text, reasoning: "" });
const base = (after: number, text: string) => ({ after: `s-${after}`, text, reasoning: "" });
const textOf = (drafts: Drafts): string | undefined => currentOf(drafts)?.text;

test("a page that opens in the middle of a message has its beginning from the server and the rest from events", () => {
  const late = [piece(5, "e"), piece(6, "f"), piece(7, "g")].reduce(addPiece, NO_DRAFTS);
  assert.equal(textOf(late), "efg");
  assert.equal(
    textOf(takeBase(late, base(6, "abcdef"))),
    "abcdefg",
    "parts that the server has are not added twice",
  );
  assert.equal(textOf(takeBase(takeBase(late, base(4, "abcd")), base(6, "abcdef"))), "abcdefg");
});

test("an answer of the server about an earlier message is not used", () => {
  const written = endDraft(addPiece(NO_DRAFTS, piece(5, "one")), "s-6", { isStored: true });
  assert.equal(textOf(takeBase(written, base(5, "one"))), undefined);
  assert.equal(textOf(takeBase(addPiece(written, piece(8, "two")), base(7, ""))), "two");
});

test("a complete message stays until the conversation has it, and a repeated one begins again", () => {
  const stored = endDraft(addPiece(NO_DRAFTS, piece(1, "one")), "s-2", { isStored: true });
  assert.deepEqual(
    stored.complete.map(({ text }) => text),
    ["one"],
  );
  assert.deepEqual(dropComplete(stored).complete, []);
  const again = endDraft(addPiece(stored, piece(3, "tw")), "s-4", { isStored: false });
  assert.equal(textOf(again), undefined);
  assert.equal(again.complete.length, 1);
});

test("a server that was started again does not continue the message of the earlier one", () => {
  const drafts = takeBase(addPiece(NO_DRAFTS, piece(9, "old")), { after: "t-1", text: "new", reasoning: "" });
  assert.equal(textOf(drafts), "new");
});
