import assert from "node:assert/strict";
import { test } from "node:test";
import { DIALECT_NAMES } from "../../src/models/text-calls/dialects/dialects.ts";
import { DAMAGED_TOOLS, damagesIn, wrongIn } from "../support/generators/damaged-calls.ts";
import { cut, readParts, readWhole } from "../support/models/text-calls.ts";

for (const dialect of DIALECT_NAMES) {
  test(`damage at every position of a call in ${dialect}, however the text is cut, changes no argument and loses no call`, () => {
    for (const damaged of damagesIn(dialect)) {
      for (const read of [dialect, "auto"] as const) {
        const options = { dialect: read, tools: DAMAGED_TOOLS };
        const pieces = readWhole(damaged.text, options);
        assert.equal(wrongIn(dialect, damaged, pieces), undefined, `${damaged.what}: ${damaged.text}`);
        for (const length of [1, 2, 7])
          assert.deepEqual(readParts(cut(damaged.text, [length]), options), pieces, damaged.text);
      }
    }
  });
}
