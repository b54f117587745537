// A string is text, an object is JSON; a Reply has content for the model and data for programs.
import assert from "node:assert/strict";
import { Reply, createEngine, defineTool, image } from "toolwright";

const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const screenshot = defineTool({
  name: "screenshot",
  description: "Takes a picture of the page.",
  risk: "low",
  run: () =>
    new Reply([{ type: "text", text: "The page, 1×1:" }, image(pixel, "image/png")], {
      data: { width: 1, height: 1 },
    }),
});
const icon = defineTool({
  name: "icon",
  description: "The page's icon.",
  risk: "low",
  // One piece of content alone is an answer too.
  run: () => image(pixel, "image/png"),
});

const engine = createEngine({ tools: [screenshot, icon] });
const result = await engine.run({ id: "1", name: "screenshot", input: {} });
assert.ok(result.ok);
console.log(
  result.content.map((one) => one.type),
  result.data,
);
assert.deepEqual(
  result.content.map((one) => one.type),
  ["text", "image"],
);
assert.deepEqual(result.data, { width: 1, height: 1 });

const [picture] = (await engine.run({ id: "2", name: "icon", input: {} })).content;
assert.ok(picture?.type === "image");
assert.equal(picture.mimeType, "image/png");
assert.deepEqual(Buffer.from(picture.data, "base64"), pixel);
await engine.close();
