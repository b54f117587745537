import assert from "node:assert/strict";
import { test } from "node:test";
import jpeg from "jpeg-js";
import { PNG } from "pngjs";
import { fitImage } from "./fit-image.ts";

const { signal } = new AbortController();

function png(width: number, height: number): Buffer {
  const image = new PNG({ width, height });
  // The left half is red, the right half blue.
  for (let at = 0; at < width * height; at += 1)
    image.data.set(at % width < width / 2 ? [255, 0, 0, 255] : [0, 0, 255, 255], at * 4);
  return PNG.sync.write(image);
}

test("a small image stays as it is", async () => {
  const bytes = png(40, 20);
  assert.equal(await fitImage(bytes, "image/png", signal), bytes);
  const gif = Buffer.from("GIF89a");
  assert.equal(await fitImage(gif, "image/gif", signal), gif);
});

test("a PNG with long sides is scaled down, and keeps its picture", async () => {
  const small = PNG.sync.read(await fitImage(png(2000, 500), "image/png", signal));
  assert.deepEqual([small.width, small.height], [1568, 392]);
  assert.deepEqual([...small.data.subarray(0, 4)], [255, 0, 0, 255]);
  assert.deepEqual([...small.data.subarray(-4)], [0, 0, 255, 255]);
});

test("a JPEG with long sides is scaled down", async () => {
  const { data } = jpeg.encode({ width: 2000, height: 10, data: Buffer.alloc(2000 * 10 * 4, 200) }, 90);
  const small = jpeg.decode(await fitImage(data, "image/jpeg", signal));
  assert.deepEqual([small.width, small.height], [1568, 8]);
});

test("what cannot be scaled is an error with the reason", async () => {
  const huge = Buffer.from(png(1, 1));
  huge.writeUInt32BE(60_000, 16);
  huge.writeUInt32BE(60_000, 20);
  await assert.rejects(fitImage(huge, "image/png", signal), /it has 60000 x 60000 pixels/);
  const damaged = png(2000, 2).subarray(0, 60);
  await assert.rejects(fitImage(damaged, "image/png", signal), { code: "INVALID_INPUT" });
  await assert.rejects(fitImage(Buffer.alloc(6 * 1024 * 1024), "image/gif", signal), /cannot be scaled down/);
});
