import assert from "node:assert/strict";
import { test } from "node:test";
import { brotliDecompressSync } from "node:zlib";
import { consoleFile } from "./console-files.ts";

/** Returns the path of the console's main script, as its page names it. */
async function scriptPath(): Promise<string> {
  const page = await consoleFile("/").text();
  return /src="(?:\.?\/)?(assets\/[^"]+\.js)"/.exec(page)?.[1] ?? assert.fail(page);
}

async function bytesOf(response: Response): Promise<Buffer> {
  return Buffer.from(await response.arrayBuffer());
}

test("scripts of the console are sent compressed to browsers that accept Brotli, and as they are to others", async () => {
  const path = `/${await scriptPath()}`;
  const plain = consoleFile(path, "gzip");
  assert.equal(plain.headers.get("content-encoding"), null);
  const text = await bytesOf(plain);
  assert.ok(text.length > 100_000);
  for (const accepted of ["br", "gzip, br", "gzip, deflate, br;q=1.0, *;q=0.5"]) {
    const response = consoleFile(path, accepted);
    assert.deepEqual(
      ["content-encoding", "content-type", "vary", "cache-control"].map((name) => response.headers.get(name)),
      ["br", "text/javascript; charset=utf-8", "accept-encoding", "public, max-age=31536000, immutable"],
    );
    assert.ok(brotliDecompressSync(await bytesOf(response)).equals(text));
  }
  for (const refused of [undefined, "", "identity", "br;q=0", "gzip, br; q=0.000", "brotli"])
    assert.equal(consoleFile(path, refused).headers.get("content-encoding"), null, refused);
});

test("a file that the console does not have is not found, and any other path is its page", async () => {
  assert.equal(consoleFile("/assets/none.js", "br").status, 404);
  assert.match(await consoleFile("/calls/5", "br").text(), /^<!doctype html>/);
});
