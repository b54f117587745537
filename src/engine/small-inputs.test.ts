import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { call, codeOf, eventsOf, textOf } from "../../test/support/engines/engine.ts";
import type { JsonObject } from "../core/json.ts";
import type { Journal } from "../core/store/journal.ts";
import { defineTool } from "../schema/define/define-tool.ts";
import { callsFrom } from "../formats/calls-from.ts";
import { createEngine } from "./engine.ts";
import type { EngineOptions } from "./types/options.ts";

const LOW = { name: "t", description: "d", reading: true } as const;
const ANY = { type: "object" } as const;
const ID = "1152921504606846977";

function engineOf(run: () => unknown, options: EngineOptions = {}) {
  return createEngine({ ...options, tools: [defineTool({ ...LOW, input: ANY, run })] });
}

test("an integer beyond what a number holds is its text, or refused, never another integer", async () => {
  const echo = (id: JsonObject) =>
    createEngine({
      tools: [defineTool({ ...LOW, input: { type: "object", properties: { id } }, run: (i) => i })],
    });
  for (const json of [`{"id": ${ID}}`, `{id: ${ID},}`]) {
    assert.equal(textOf(await echo({}).run(call("t", json))), `{"id":"${ID}"}`);
    assert.equal(textOf(await echo({ type: "string" }).run(call("t", json))), `{"id":"${ID}"}`);
    assert.equal(codeOf(await echo({ type: "integer" }).run(call("t", json))), "INVALID_INPUT");
  }
  const exact =
    '{"id":9007199254740993,"n":9007199254740991,"round":1700000000000000000,"f":1234567890123456.5,"text":"9007199254740993"}';
  assert.equal(
    textOf(await echo({}).run(call("t", exact))),
    '{"id":"9007199254740993","n":9007199254740991,"round":1700000000000000000,"f":1234567890123456.5,"text":"9007199254740993"}',
  );
  // An SDK has parsed these: what they were is not known.
  for (const id of [Number(ID), 9007199254740992, -Number(ID), [[Number(ID)]]]) {
    const result = await echo({}).run(call("t", { id }));
    assert.equal(codeOf(result), "INVALID_INPUT");
    assert.match(
      textOf(result),
      /the integer -?\d+ may have been rounded on its way: send its digits as text/,
    );
  }
  for (const id of [2 ** 53 - 1, 10 ** 18, 1.7e18, 6.02e23, 1e300, 0.1])
    assert.equal(codeOf(await echo({}).run(call("t", { id }))), "ok");
  // What a tool returns is its own.
  assert.equal(textOf(await engineOf(() => Number(ID)).run(call("t"))), String(Number(ID)));
});

test("members of a definition that are undefined have their defaults", () => {
  const given = { risk: undefined, effects: undefined, place: undefined, group: undefined } as object;
  const tool = defineTool({ name: "t", description: "d", run: () => 1, ...given });
  assert.deepEqual(
    [tool.risk, tool.effects, tool.place, "group" in tool],
    ["medium", "unsafe", "host", false],
  );
});

test("reading: true is low risk without effects, and nothing else beside it", () => {
  const { risk, effects } = defineTool({ ...LOW, run: () => 1 });
  assert.deepEqual([risk, effects], ["low", "none"]);
  for (const other of [{ risk: "high" }, { effects: "unsafe" }] as const)
    assert.throws(() => defineTool({ ...LOW, ...other, run: () => 1 }), /reading contradicts/);
});

test("a denial for want of an approver names reading: true for a tool without a declared risk", async () => {
  const tool = defineTool({ name: "t", description: "d", run: () => 1 });
  assert.match(
    textOf(await createEngine({ tools: [tool] }).run(call("t"))),
    /if the tool only reads, define it with reading: true/,
  );
  const declared = { ...tool, risk: "high" } as const;
  assert.doesNotMatch(textOf(await createEngine({ tools: [declared] }).run(call("t"))), /reading/);
});

for (const name of ["", "a b", "x".repeat(129)])
  test(`defineTool refuses the name ${JSON.stringify(name.slice(0, 5))} at once`, () => {
    assert.throws(() => defineTool({ ...LOW, name, run: () => 1 }), {
      code: "INVALID_INPUT",
      message: /invalid tool name/,
    });
  });

test("an object with a function toJSON of its own has that as its JSON form", async () => {
  const engine = engineOf(() => ({ a: 1, toJSON: () => ({ b: { toJSON: () => "c" } }) }));
  assert.equal(textOf(await engine.run(call("t"))), '{"b":"c"}');
});

test("a list of a billion holes is refused at once", async () => {
  const result = await engineOf(() => Object.assign([], { length: 1e9 })).run(call("t"));
  assert.equal(codeOf(result), "INVALID_OUTPUT");
  assert.match(textOf(result), /a list of 1000000000 items is too long/);
});

test("advice for authors is in the answer to a bad output, not to a bad input", async () => {
  assert.match(textOf(await engineOf(() => 5n).run(call("t"))), /bigint is not JSON\nreturn it as text/);
  const input = await engineOf(() => 1).run(call("t", { a: 5n }));
  assert.equal(textOf(input), "Error: a bigint is not JSON");
});

test("an answer repeats at most the beginning of a name or an id of a megabyte", async () => {
  const long = "x".repeat(1e6);
  const result = await engineOf(() => 1).run({ id: long, name: long, input: {} });
  assert.equal(codeOf(result), "TOOL_NOT_FOUND");
  assert.ok(JSON.stringify(result).length < 10_000, `${JSON.stringify(result).length}`);
});

test("a call that is cancelled before it begins is received and answered", async () => {
  const engine = engineOf(() => 1);
  const events = eventsOf(engine);
  await engine.run(call("t"), { signal: AbortSignal.abort() });
  assert.deepEqual(
    events.map(({ type }) => type),
    ["call.received", "call.answered"],
  );
});

test("the answer to a cancelled call has the reason that its program gave", async () => {
  for (const [reason, text] of [
    [new Error("user left"), "the call was cancelled: user left"],
    ["closed", "the call was cancelled: closed"],
    [new DOMException("slow", "TimeoutError"), "the call was cancelled: its signal timed out"],
    [undefined, "the call was cancelled"],
  ] as const) {
    const controller = new AbortController();
    const engine = engineOf(() => {
      controller.abort(reason);
      return new Promise(() => undefined);
    });
    const result = await engine.run(call("t"), { signal: controller.signal });
    assert.deepEqual([codeOf(result), textOf(result)], ["CANCELLED", `Error: ${text}`]);
  }
});

test("several errors in one, and a cause without a code, are named", async () => {
  const any = await engineOf(() =>
    Promise.any([Promise.reject(new Error("one")), Promise.reject(new Error("two"))]),
  ).run(call("t"));
  assert.equal(textOf(any), "Error: All promises were rejected: one; two");
  assert.match(any.meta.stack ?? "", /AggregateError[^]*Error: one[^]*Error: two/);
  const fetched = await engineOf(() => fetch("http://127.0.0.1:1/")).run(call("t"));
  assert.equal(textOf(fetched), "Error: fetch failed: bad port");
});

test("a failing journal is not told as a failure of the tool", async () => {
  const full = (): never => {
    throw new Error("no space left");
  };
  const entry = { start: full, settle: () => undefined, suspend: () => Promise.resolve("") };
  for (const receive of [full, () => entry]) {
    const journal: Journal = {
      receive,
      list: async () => [],
      claim: async () => undefined,
      close: async () => undefined,
    };
    let runs = 0;
    const engine = engineOf(() => (runs += 1), { journal });
    const events = eventsOf(engine);
    const result = await engine.run(call("t"));
    assert.deepEqual([codeOf(result), runs], ["UNAVAILABLE", 0]);
    assert.match(textOf(result), /the call did not run: the journal cannot record it: no space left/);
    assert.ok(events.some(({ type }) => type === "journal.failed"));
  }
});

test("a refinement of Zod that rejects fails its call and nothing else", async (t) => {
  const leaked: unknown[] = [];
  const listen = (error: unknown): void => void leaked.push(error);
  process.on("unhandledRejection", listen);
  t.after(() => process.off("unhandledRejection", listen));
  const input = z.object({
    a: z.string().refine(async (text) => {
      if (text === "down") throw new Error("no database");
      return text === "known";
    }, "an unknown name"),
  });
  const engine = createEngine({ tools: [defineTool({ ...LOW, input, run: ({ a }) => a })] });
  const down = await engine.run(call("t", { a: "down" }));
  assert.equal(textOf(down), "Error: no database");
  assert.match(textOf(await engine.run(call("t", { a: "x" }))), /an unknown name/);
  assert.equal(textOf(await engine.run(call("t", { a: "known" }))), "known");
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(leaked, []);
});

test("what is not a list of calls, or not a message, is refused with what to pass", async () => {
  const engine = engineOf(() => 1);
  await assert.rejects(async () => engine.runAll(undefined as never), {
    code: "INVALID_INPUT",
    message: /runAll: expected a list of calls/,
  });
  assert.throws(() => callsFrom(null as never, "openai"), {
    code: "INVALID_INPUT",
    message: /null is not a message of openai/,
  });
  assert.throws(() => callsFrom({} as never, "anthropic"), {
    code: "INVALID_INPUT",
    hint: /response of the provider/,
  });
});

test("calls under one signal put one listener on it, and leave none of their own", async () => {
  const controller = new AbortController();
  let added = 0;
  const { signal } = controller;
  const add = signal.addEventListener.bind(signal);
  signal.addEventListener = (...given: Parameters<typeof add>) => {
    added += 1;
    add(...given);
  };
  const engine = engineOf(() => new Promise((resolve) => setImmediate(() => resolve("ran"))));
  const results = await Promise.all(Array.from({ length: 50 }, () => engine.run(call("t"), { signal })));
  assert.ok(results.every(({ ok }) => ok));
  assert.equal(added, 1);
  controller.abort();
});
