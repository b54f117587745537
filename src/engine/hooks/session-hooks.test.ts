import assert from "node:assert/strict";
import { test } from "node:test";
import { add, call, codeOf, eventsOf } from "../../../test/support/engines/engine.ts";
import type { Hook } from "../../core/hook.ts";
import { createEngine } from "../engine.ts";

const sum = () => call("add", { a: 1, b: 2 });

function ends(reported: string[], more: Partial<Hook> = {}): Hook {
  return {
    name: "ends",
    on: ["session_start", "session_end"],
    run: ({ point, session }) => void reported.push(`${point} ${session ?? "(own)"}`),
    ...more,
  };
}

test("a session is started by its first call and ended when it is closed, each once", async () => {
  const reported: string[] = [];
  const engine = createEngine({ tools: [add], hooks: [ends(reported)] });
  await engine.run(sum(), { session: "s" });
  await engine.run(sum(), { session: "s" });
  assert.deepEqual(reported, ["session_start s"]);
  await engine.session("s").close();
  await engine.session("s").close();
  assert.deepEqual(reported, ["session_start s", "session_end s"]);
  await engine.close();
  assert.equal(reported.length, 2);
});

test("a session that is used again after its end is started again", async () => {
  const reported: string[] = [];
  const engine = createEngine({ tools: [add], hooks: [ends(reported)] });
  await engine.run(sum(), { session: "s" });
  await engine.session("s").close();
  await engine.run(sum(), { session: "s" });
  assert.deepEqual(reported, ["session_start s", "session_end s", "session_start s"]);
});

test("closing the engine ends every session, its own one too", async () => {
  const reported: string[] = [];
  const engine = createEngine({ tools: [add], hooks: [ends(reported)] });
  await engine.run(sum());
  await engine.run(sum(), { session: "s" });
  await engine.close();
  assert.deepEqual(reported.toSorted(), [
    "session_end (own)",
    "session_end s",
    "session_start (own)",
    "session_start s",
  ]);
});

test("a session that ran nothing is neither started nor ended", async () => {
  const reported: string[] = [];
  const engine = createEngine({ tools: [add], hooks: [ends(reported)] });
  await engine.explain(sum(), { session: "s" });
  await engine.session("s").close();
  await engine.close();
  assert.deepEqual(reported, []);
});

test("calls wait for the start hooks of their session, which run once for all", async () => {
  const reported: string[] = [];
  const slow = ends(reported, {
    on: ["session_start"],
    async run() {
      await new Promise((resolve) => setImmediate(resolve));
      reported.push("started");
      return undefined;
    },
  });
  const engine = createEngine({ tools: [add], hooks: [slow] });
  engine.on(({ type }) => void (type === "call.started" && reported.push("call")));
  await Promise.all([engine.run(sum(), { session: "s" }), engine.run(sum(), { session: "s" })]);
  assert.deepEqual(reported, ["started", "call", "call"]);
});

for (const [what, run] of Object.entries({
  refuses: () => ({ kind: "refuse", reason: "no" }) as const,
  throws: () => {
    throw new Error("broken");
  },
  hangs: () => new Promise<undefined>(() => undefined),
})) {
  test(`a hook that ${what} at the start of a session does not stop a call`, async () => {
    const engine = createEngine({
      tools: [add],
      hooks: [ends([], { run, timeoutMs: 20, onFailure: "refuse", on: ["session_start"] })],
    });
    assert.equal(codeOf(await engine.run(sum(), { session: "s" })), "ok");
    await engine.close();
  });
}

test("a hook that fails at the end of a session is reported, and the session is closed", async () => {
  const hook = ends([], { on: ["session_end"], run: () => Promise.reject(new Error("broken")) });
  const engine = createEngine({ tools: [add], hooks: [hook] });
  const events = eventsOf(engine);
  await engine.run(sum(), { session: "s" });
  await engine.session("s").close();
  assert.deepEqual(
    events.flatMap((event) => (event.type === "hook.failed" ? [event.point, event.message] : [])),
    ["session_end", "broken"],
  );
});

test("calls of a session that was closed and reopened wait for its second start", async () => {
  const beginnings = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
  let begun = 0;
  const starts: Hook = {
    name: "starts",
    on: ["session_start"],
    run: () => beginnings[begun++]?.promise,
  };
  const engine = createEngine({ tools: [add], hooks: [starts] });
  const first = engine.run(sum(), { session: "s" });
  const closed = engine.session("s").close();
  const second = engine.run(sum(), { session: "s" });
  beginnings[0]?.resolve(undefined);
  await Promise.all([first, closed]);
  let isAnswered = false;
  const third = engine.run(sum(), { session: "s" }).finally(() => (isAnswered = true));
  await new Promise(setImmediate);
  assert.equal(isAnswered, false);
  beginnings[1]?.resolve(undefined);
  assert.deepEqual((await Promise.all([second, third])).map(codeOf), ["ok", "ok"]);
});
