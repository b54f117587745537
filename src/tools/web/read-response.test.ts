import assert from "node:assert/strict";
import { test } from "node:test";
import { createVirtualTime } from "../../../test/support/virtual-time.ts";
import { readResponse } from "./read-response.ts";

test("a page that takes longer than 20 s to read is refused, with what to do", async (t) => {
  const time = createVirtualTime(t);
  const fetched = {
    url: new URL("http://127.0.0.1/hostile"),
    status: 200,
    headers: { "content-type": "text/html" },
    body: Buffer.from("<div>".repeat(400_000)),
  };
  const { signal } = new AbortController();
  const refused = assert.rejects(readResponse(fetched, { format: "markdown", signal }), {
    code: "TOOL_FAILED",
    message: "http://127.0.0.1/hostile could not be read in 20 s: it is too large or nested too deeply",
    hint: /format to "html"/,
  });
  await time.pass(20_000);
  await refused;
});
