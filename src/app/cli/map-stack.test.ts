import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { pathToFileURL } from "node:url";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { mapStack } from "./map-stack.ts";

test("a place in our code is mapped to its source, and one in the code of a package stays", (t) => {
  const folder = temporaryFolder(t);
  // Columns 9 to 24 have no source.
  const map = { version: 3, sources: ["a.ts"], names: [], mappings: "AAAA,Q,gBAAA" };
  writeFileSync(join(folder, "a.js.map"), JSON.stringify(map));
  const bundled = pathToFileURL(join(folder, "a.js")).href;
  assert.equal(mapStack(`at f (${bundled}:1:2)`), `at f (${join(folder, "a.ts")}:1:1)`);
  assert.equal(mapStack(`at g (${bundled}:1:20)`), `at g (${bundled}:1:20)`);
});
