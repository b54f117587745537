import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { ToolError } from "../../../core/errors.ts";
import { namedPaths } from "./model.ts";
import { parsePatch } from "./patch-text.ts";
import { runs } from "../../../../test/support/property-runs.ts";

const PIECES = [
  "*** Begin Patch",
  "*** End Patch",
  "*** Add File: a",
  "*** Update File: b",
  "*** Delete File: c",
  "*** Move to: d",
  "*** End of File",
  "@@",
  "@@ class A",
  "@@ -1,2 +1 @@",
  "--- a/x",
  "+++ b/x",
  "+++ /dev/null",
  "diff --git a/x b/x",
  "new file mode 100644",
  "rename from x",
  "rename to y",
  "\\ No newline at end of file",
  " context",
  "-removed",
  "+added",
  "",
  "text",
];

test("whatever the text, it is a patch that names its files or an INVALID_INPUT that says why", () => {
  const patch = fc.array(fc.constantFrom(...PIECES), { maxLength: 12 }).map((lines) => lines.join("\n"));
  fc.assert(
    fc.property(fc.oneof(patch, fc.string()), (text) => {
      try {
        const names = namedPaths(parsePatch(text));
        assert(names.length > 0 && !names.includes(""));
      } catch (error) {
        assert(error instanceof ToolError && error.code === "INVALID_INPUT", String(error));
      }
    }),
    { numRuns: runs(3000) },
  );
});

test("an error has the line of the patch, the expected text and the actual one", () => {
  assert.throws(
    () => parsePatch("*** Begin Patch\n*** Update File: a\n@@\n-x\nwhat\n*** End Patch"),
    /line 5 of the patch: expected a line that begins with a blank, - or \+, or @@, or \*\*\*, got "what"/,
  );
});
