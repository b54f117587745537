import assert from "node:assert/strict";
import { test } from "node:test";
import { createVirtualTime } from "../../../test/support/virtual-time.ts";
import { readResponse } from "./read-response.ts";

for (const [what, html] of [
  ["unclosed elements", "<div>".repeat(400_000)],
  ["nested tables", "<table><tr><td>a".repeat(120_000)],
  ["a table of 100 000 rows", "<table>".concat("<tr><td>a<td>b</tr>".repeat(100_000), "</table>")],
] as const)
  test(`a page with ${what} is refused after 20 s, with what to do`, async (t) => {
    const time = createVirtualTime(t);
    const fetched = {
      url: new URL("http://127.0.0.1/hostile"),
      status: 200,
      headers: { "content-type": "text/html" },
      body: Buffer.from(html),
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
