import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { createLogger } from "./reports.ts";

test("a few messages are sent at once", () => {
  const sent: string[] = [];
  const logger = createLogger((level, data) => sent.push(`${level} ${data as string}`));
  for (const data of ["one", "two"]) logger.log("info", data);
  assert.deepEqual(sent, ["info one", "info two"]);
  logger.flush();
  assert.equal(sent.length, 2);
});

test("of a flood of messages a few are sent, the last among them, and the others are counted", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 500 }), { minLength: 1, maxLength: 5 }), (bursts) => {
      const sent: string[] = [];
      const logger = createLogger((_level, data) => sent.push(data as string));
      let logged = 0;
      for (const burst of bursts) {
        for (let index = 0; index < burst; index += 1) logger.log("debug", `line ${(logged += 1)}`);
        t.mock.timers.tick(50);
      }
      const lines = sent.filter((one) => one.startsWith("line "));
      const leftOut = sent.map((one) =>
        Number(/^(\d+) log messages? (?:was|were) left out$/.exec(one)?.[1] ?? 0),
      );
      assert.equal(lines.at(-1), `line ${logged}`);
      assert.equal(
        lines.length + leftOut.reduce((sum, one) => sum + one, 0),
        logged,
        "none is lost silently",
      );
      assert.ok(sent.length < 200, `${sent.length} were sent`);
    }),
  );
});
