import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { createLogTeller } from "./log-teller.ts";

test("few messages are told as they come", () => {
  const told: string[] = [];
  const teller = createLogTeller((level, data) => told.push(`${level} ${data}`));
  for (const data of ["one", "two"]) teller.tell("info", data);
  assert.deepEqual(told, ["info one", "info two"]);
  teller.flush();
  assert.equal(told.length, 2);
});

test("of many messages few are told, the last among them, and every other is counted", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 500 }), { minLength: 1, maxLength: 5 }), (bursts) => {
      const told: string[] = [];
      const teller = createLogTeller((_level, data) => told.push(data));
      let sent = 0;
      for (const burst of bursts) {
        for (let index = 0; index < burst; index += 1) teller.tell("debug", `line ${(sent += 1)}`);
        t.mock.timers.tick(50);
      }
      const lines = told.filter((one) => one.startsWith("line "));
      const leftOut = told.map((one) =>
        Number(/^(\d+) log messages? (?:was|were) left out$/.exec(one)?.[1] ?? 0),
      );
      assert.equal(lines.at(-1), `line ${sent}`);
      assert.equal(lines.length + leftOut.reduce((sum, one) => sum + one, 0), sent, "none is lost silently");
      assert.ok(told.length < 200, `${told.length} were told`);
    }),
  );
});
