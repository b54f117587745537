import assert from "node:assert/strict";
import { test } from "node:test";
import { engineOf, slowSource } from "../../../test/support/engines/sources.ts";
import { waitForTools } from "./wait-for-tools.ts";

for (const wantsProblems of [false, true])
  test(`a source that is slow for ten seconds is ${wantsProblems ? "waited for if its problems are wanted" : "named in a warning"}`, async (t) => {
    const source = slowSource();
    const engine = engineOf(t);
    engine.sources.add(source);
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const logged: string[] = [];
    const output = { warn: (line: string) => logged.push(line) };
    let isDone = false;
    const waiting = waitForTools(engine, { stderr: {}, output } as never, wantsProblems).then(
      () => (isDone = true),
    );
    t.mock.timers.tick(10_000);
    // Every step after the timer is a microtask.
    await new Promise(setImmediate);
    assert.equal(isDone, !wantsProblems);
    source.end([]);
    await waiting;
    assert.equal(logged.join("\n").includes("still loading: slow"), !wantsProblems);
  });
