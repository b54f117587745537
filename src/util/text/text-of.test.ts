import assert from "node:assert/strict";
import { test } from "node:test";
import type { Content } from "../../core/content.ts";
import { contentText } from "./content-text.ts";
import { textOf } from "./text-of.ts";

const image: Content = { type: "image", mimeType: "image/png", data: "AAAA" };
const file: Content = { type: "file", mimeType: "text/plain", data: "A".repeat(4096) };
const content: readonly Content[] = [{ type: "text", text: "a" }, image, { type: "text", text: "b" }];

test("the text of content leaves attachments out", () => {
  assert.equal(textOf(content), "a\nb");
  assert.equal(textOf(content, ""), "ab");
  assert.equal(textOf([{ type: "text", text: "only" }]), "only");
  assert.equal(textOf([image]), "");
});

test("content as a text to read has a label for each attachment", () => {
  assert.equal(contentText(content), "a\n[image, image/png, 3 bytes]\nb");
  assert.equal(contentText([file]), "[file, text/plain, 3.0 KB]");
});
