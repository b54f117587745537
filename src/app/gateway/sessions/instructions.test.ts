import assert from "node:assert/strict";
import { test } from "node:test";
import { toInstructions } from "./instructions.ts";

test("the instructions of a server are for clients that may use one of its tools", () => {
  const files = { server: "files", text: "Read first.", tools: ["files__read", "files__write"] };
  const quiet = { server: "quiet", text: "", tools: ["quiet__x"] };
  const shownFor = (tools?: readonly string[]): boolean =>
    toInstructions([files, quiet], tools === undefined ? [] : [{ tools }]).includes("Read first.");
  assert.deepEqual([shownFor(), shownFor(["files__w*"]), shownFor(["read_file"])], [true, true, false]);
  assert.ok(!toInstructions([quiet], []).includes("quiet"));
});
