import assert from "node:assert/strict";
import { test } from "node:test";
import { call, textOf } from "../../../test/support/engine.ts";
import { createKey } from "../../core/context.ts";
import { Session } from "../../core/session/session.ts";
import { defineTool } from "../../schema/define/define-tool.ts";
import { createEngine } from "../engine.ts";

const Counter = createKey<{ count: number }>("Counter");

function counting(closed: string[] = []) {
  return defineTool({
    name: "count",
    description: "",
    risk: "low",
    run: (_, context) => {
      const session = context.get(Session);
      const value = { count: 0 };
      const counter = session.getOrCreate(Counter, () => ({
        value,
        close: () => void closed.push(session.id),
      }));
      counter.count += 1;
      return counter.count;
    },
  });
}

test("the values of a session are its own, and live from call to call", async () => {
  const engine = createEngine({ tools: [counting()] });
  const count = async (session?: string) =>
    textOf(await engine.run(call("count"), session === undefined ? {} : { session }));
  assert.deepEqual(
    [await count("a"), await count("a"), await count("b"), await count(), await count()],
    ["1", "2", "1", "1", "2"],
  );
});

test("the values of a session are closed with it, once", async () => {
  const closed: string[] = [];
  const engine = createEngine({ tools: [counting(closed)] });
  await engine.run(call("count"), { session: "a" });
  await engine.run(call("count"), { session: "b" });
  await engine.session("a").close();
  assert.deepEqual(closed, ["a"]);
  await engine.close();
  assert.deepEqual(closed, ["a", "b"]);
});

test("one value that fails to close does not keep others open", async () => {
  const closed: string[] = [];
  const failing = defineTool({
    name: "failing",
    description: "",
    risk: "low",
    run: (_, context) =>
      context.get(Session).getOrCreate(createKey<string>("Failing"), () => ({
        value: "x",
        close: () => Promise.reject(new Error("stuck")),
      })),
  });
  const engine = createEngine({ tools: [failing, counting(closed)] });
  await engine.runAll([call("failing"), call("count")]);
  await engine.close();
  assert.deepEqual(closed, [""]);
});
