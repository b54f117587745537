import assert from "node:assert/strict";
import { truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { textOf } from "../../../test/support/engines/engine.ts";
import { fakeModel } from "../../../test/support/models/fake-model.ts";
import { webEngine } from "../../../test/support/servers/web.ts";

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGD4DwABBAEAX+XDSwAAAABJRU5ErkJggg==",
  "base64",
);
const IMAGE = { type: "image", data: PNG.toString("base64"), mimeType: "image/png" } as const;

test("the vision model answers about a file or a URL", async (t) => {
  const model = fakeModel(() => ({ text: "a dot" }));
  const { run, root, origin } = await webEngine(t, (_, response) => response.end(PNG), {
    openVisionModel: () => Promise.resolve(model),
  });
  writeFileSync(join(root, "dot.png"), PNG);
  const ofFile = await run("image_recognition", { path: "dot.png", prompt: "What is it?" });
  assert.equal(textOf(ofFile), "a dot");
  assert.deepEqual(ofFile.ok && ofFile.data, { image: "dot.png", mime_type: "image/png", bytes: PNG.length });
  assert.equal(textOf(await run("image_recognition", { url: `${origin}/a`, prompt: "And this?" })), "a dot");
  assert.deepEqual(model.requests[0]?.messages, [
    { role: "user", content: [{ type: "text", text: "What is it?" }, IMAGE] },
  ]);
});

test("without a vision model the image itself is returned", async (t) => {
  const { run, root } = await webEngine(t, () => undefined);
  writeFileSync(join(root, "dot.png"), PNG);
  const { content } = await run("image_recognition", { path: "dot.png", prompt: "What is it?" });
  assert.deepEqual(content.at(-1), IMAGE);
  assert.match(JSON.stringify(content), /no vision model is configured/);
});

test("what is no image, too large, missing, elsewhere or given twice is refused by its reason", async (t) => {
  const { run, root, origin } = await webEngine(t, ({ url }, response) => {
    if (url === "/moved") response.writeHead(302, { location: "https://other.example/a.png" }).end();
    else response.writeHead(404).end();
  });
  writeFileSync(join(root, "text.png"), "text");
  writeFileSync(join(root, "large.png"), PNG);
  truncateSync(join(root, "large.png"), 21 * 1024 * 1024);
  const reason = async (input: object): Promise<string> => {
    const result = await run("image_recognition", { prompt: "What?", ...input });
    return result.ok ? "ok" : result.error.message;
  };
  assert.match(await reason({ path: "text.png" }), /text\.png is not a PNG, JPEG, GIF or WebP image/);
  assert.match(await reason({ path: "large.png" }), /is an image over 20 MB/);
  assert.match(await reason({ path: "none.png" }), /none\.png/);
  assert.match(await reason({ url: `${origin}/moved` }), /redirects to https:\/\/other\.example/);
  assert.match(await reason({ url: `${origin}/gone` }), /answered 404/);
  assert.match(await reason({}), /either path or url/);
  assert.match(await reason({ path: "a", url: "b" }), /either path or url/);
});
