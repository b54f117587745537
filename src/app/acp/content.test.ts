import assert from "node:assert/strict";
import { test } from "node:test";
import type { ContentBlock } from "@agentclientprotocol/sdk";
import type { Content } from "../../core/content.ts";
import { fromBlocks, toBlock } from "./content.ts";

const PROMPTS: readonly (readonly [what: string, block: ContentBlock, content: Content])[] = [
  [
    "a linked file is named by its path, with the range of lines",
    { type: "resource_link", name: "a", uri: "file:///w/a%20b.ts#L3-5" },
    { type: "text", text: "Linked: /w/a b.ts#L3-5" },
  ],
  [
    "a link that is no file keeps its address",
    { type: "resource_link", name: "a", uri: "https://a.test/x" },
    { type: "text", text: "Linked: https://a.test/x" },
  ],
  [
    "an address of a file that has no path stays as it is",
    { type: "resource_link", name: "a", uri: "file://%00" },
    { type: "text", text: "Linked: file://%00" },
  ],
  [
    "an embedded text has the name of its file",
    { type: "resource", resource: { uri: "file:///w/a.ts", text: "let a;" } },
    { type: "text", text: "File /w/a.ts\nlet a;" },
  ],
  [
    "an embedded image is an image",
    { type: "resource", resource: { uri: "file:///w/a.png", blob: "AA==", mimeType: "image/png" } },
    { type: "image", data: "AA==", mimeType: "image/png" },
  ],
  [
    "embedded bytes without a type are a file of unknown type",
    { type: "resource", resource: { uri: "file:///w/a.bin", blob: "AA==" } },
    { type: "file", data: "AA==", mimeType: "application/octet-stream", name: "/w/a.bin" },
  ],
];
for (const [what, block, content] of PROMPTS)
  test(`in a prompt, ${what}`, () => {
    assert.deepEqual(fromBlocks([block]), [content]);
  });

test("a client gets the name and the type of a file instead of its bytes", () => {
  const block = toBlock({ type: "file", data: "AA==", mimeType: "application/pdf", name: "a.pdf" });
  assert.deepEqual(block, { type: "text", text: "[file a.pdf (application/pdf)]" });
});
