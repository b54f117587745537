import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { DAMAGED_TOOLS, damagesIn, wrongIn } from "../../../test/support/generators/damaged-calls.ts";
import { cut, readParts, readWhole } from "../../../test/support/models/text-calls.ts";
import { runs } from "../../../test/support/property-runs.ts";
import { DIALECT_NAMES } from "./dialects/dialects.ts";

/** `test/long/damaged-calls.test.ts` tries every position. */
const EXAMPLES = 8;

for (const dialect of DIALECT_NAMES) {
  test(`a damaged call in ${dialect} never runs with other arguments, and the calls after it are found`, () => {
    const damages = [...damagesIn(dialect)];
    fc.assert(
      fc.property(fc.constantFrom(...damages), fc.constantFrom(dialect, "auto"), (damaged, read) => {
        const options = { dialect: read, tools: DAMAGED_TOOLS } as const;
        const pieces = readWhole(damaged.text, options);
        assert.equal(wrongIn(dialect, damaged, pieces), undefined, `${damaged.what}: ${damaged.text}`);
        assert.deepEqual(readParts(cut(damaged.text, [1]), options), pieces);
      }),
      { numRuns: runs(EXAMPLES) },
    );
  });
}
