import assert from "node:assert/strict";
import { test } from "node:test";
import { contentOf } from "./message-content.ts";

const data = Buffer.from("a,b\n").toString("base64");

test("an image is shown to the model, a text is read to it, and another file is a file", () => {
  const attachments = [
    { mimeType: "image/png", data },
    { mimeType: "text/csv", data, name: "a.csv" },
    { mimeType: "application/pdf", data, name: "a.pdf" },
  ];
  assert.deepEqual(contentOf({ text: "look", attachments }), [
    { type: "text", text: "look" },
    { type: "image", data, mimeType: "image/png" },
    { type: "text", text: "File a.csv\na,b\n" },
    { type: "file", data, mimeType: "application/pdf", name: "a.pdf" },
  ]);
  for (const text of ["", " \n"])
    assert.equal(contentOf({ text, attachments: attachments.slice(0, 1) }).length, 1, "no empty text");
});

test("an empty message and data that is not base64 are refused by name", () => {
  assert.throws(() => contentOf({ text: " " }), /text: expected a message/);
  const attachments = [{ mimeType: "image/png", data: "no base64!" }];
  assert.throws(() => contentOf({ text: "x", attachments }), /attachments\/0\/data: expected base64/);
});
