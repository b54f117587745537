import assert from "node:assert/strict";
import { test } from "node:test";
import { call, codeOf, eventsOf, textOf } from "../../../test/support/engines/engine.ts";
import { createVirtualTime } from "../../../test/support/virtual-time.ts";
import type { ToolContext } from "../../core/context.ts";
import { ToolError } from "../../core/errors.ts";
import type { Limits } from "../../core/spec.ts";
import { defineTool } from "../../schema/define/define-tool.ts";
import { createEngine } from "../engine.ts";

function tool(run: (input: object, context: ToolContext) => unknown, limits: Limits = {}) {
  return defineTool({ name: "t", description: "", risk: "low", limits, run });
}

const never = (): Promise<never> => new Promise(() => undefined);

test("a deadline answers the caller even if the tool ignores cancellation", async () => {
  const result = await createEngine({ tools: [tool(never)], timeoutMs: 20 }).run(call("t"));
  assert.equal(codeOf(result), "TOOL_TIMEOUT");
  assert.match(textOf(result), /timed out after 0.02 s/);
});

test("the limit of the call beats the tool's, which beats the engine's", async () => {
  const engine = createEngine({ timeoutMs: 1, tools: [tool(never, { timeoutMs: 40 })] });
  assert.match(textOf(await engine.run(call("t"))), /0.04 s/);
  assert.match(textOf(await engine.run(call("t"), { timeoutMs: 15 })), /0.015 s/);
});

test("a limit set by the input beats the tool's own", async () => {
  const engine = createEngine({
    tools: [{ ...tool(never, { timeoutMs: 60_000 }), limitsOf: () => ({ timeoutMs: 10 }) }],
  });
  assert.match(textOf(await engine.run(call("t"))), /0.01 s/);
});

test("an idle tool is ended; one that emits progress is not", async (t) => {
  const time = createVirtualTime(t);
  const steps = async (_: unknown, { emit }: ToolContext): Promise<string> => {
    for (let step = 0; step < 8; step += 1) {
      await new Promise((resolve) => void setTimeout(resolve, 10));
      emit(`step ${step}`);
    }
    return "done";
  };
  const run = (body: Parameters<typeof tool>[0]) =>
    createEngine({ tools: [tool(body, { idleTimeoutMs: 15 })] }).run(call("t"));
  const both = Promise.all([run(never), run(steps)]);
  await time.pass(80);
  const [idle, busy] = (await both).map(textOf);
  assert.deepEqual([idle?.includes("timed out: no output for 0.015 s"), busy], [true, "done"]);
});

test("the signal of a tool is aborted on its deadline, with the reason", async () => {
  let reason: unknown;
  const listening = tool((_, { signal }) => {
    signal.addEventListener("abort", () => (reason = signal.reason));
    return never();
  });
  await createEngine({ tools: [listening], timeoutMs: 10 }).run(call("t"));
  assert.ok(reason instanceof ToolError);
  assert.equal(reason.code, "TOOL_TIMEOUT");
});

test("a signal read after the end is already aborted", async () => {
  let late: ToolContext | undefined;
  const keeping = tool((_, context) => ((late = context), never()));
  await createEngine({ tools: [keeping], timeoutMs: 5 }).run(call("t"));
  assert.equal(late?.signal.aborted, true);
});

test("a tool that cleans up within its grace period is waited for, and reports how far it got", async () => {
  let cleaned = false;
  const killing = tool(
    (_, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => {
          setTimeout(() => {
            cleaned = true;
            reject(new ToolError("TOOL_TIMEOUT", "killed", { details: { stdout: "half", exit_code: null } }));
          }, 20);
        });
      }),
    { graceMs: 5000 },
  );
  const result = await createEngine({ tools: [killing], timeoutMs: 10 }).run(call("t"));
  assert.equal(cleaned, true);
  assert.equal(codeOf(result), "TOOL_TIMEOUT");
  assert.match(textOf(result), /stdout:\nhalf/);
});

for (const [how, run] of [
  ["a call that was answered", () => "done"],
  ["a call that timed out", never],
] as const)
  test(`progress of ${how} is dropped`, async () => {
    let late: ToolContext["emit"] = () => undefined;
    const keeping = tool((_, { emit }) => ((late = emit), emit("early"), run()));
    const engine = createEngine({ tools: [keeping], timeoutMs: 5 });
    const events = eventsOf(engine);
    await engine.run(call("t"));
    late("late");
    assert.equal(events.filter(({ type }) => type === "call.progressed").length, 1);
    assert.equal(events.at(-1)?.type, "call.answered");
  });

test("a value returned after the answer is dropped and reported", async () => {
  let finish = (_value: string): void => undefined;
  const late = tool(() => new Promise<string>((resolve) => (finish = resolve)));
  const engine = createEngine({ tools: [late], timeoutMs: 5 });
  const events = eventsOf(engine);
  const result = await engine.run(call("t"));
  finish("too late");
  await new Promise(setImmediate);
  assert.equal(codeOf(result), "TOOL_TIMEOUT");
  assert.equal(events.at(-1)?.type, "call.returned_late");
});

test("what was emitted before a deadline is in the answer", async () => {
  const printing = tool((_, { emit }) => {
    emit("first");
    emit({ stream: "stdout", text: "line 1\nline 2\n" });
    emit({ message: "half way", done: 1, total: 2 });
    return never();
  });
  const result = await createEngine({ tools: [printing], timeoutMs: 10 }).run(call("t"));
  for (const part of ["first", "line 2", "half way"]) assert.match(textOf(result), new RegExp(part));
  assert.equal(!result.ok && typeof result.error.details?.["emitted"], "string");
});

test("a cancel before the start means that the tool never runs", async () => {
  const engine = createEngine({ tools: [tool(() => assert.fail("ran"))] });
  assert.equal(codeOf(await engine.run(call("t"), { signal: AbortSignal.abort() })), "CANCELLED");
});

test("a cancel in the middle answers the caller, with what was emitted", async () => {
  const controller = new AbortController();
  const running = tool((_, { emit }) => {
    emit("so far");
    queueMicrotask(() => controller.abort());
    return never();
  });
  const result = await createEngine({ tools: [running] }).run(call("t"), { signal: controller.signal });
  assert.equal(codeOf(result), "CANCELLED");
  assert.match(textOf(result), /so far/);
});

for (const how of ["throws", "rejects"] as const) {
  test(`what was emitted before a tool ${how} is in the answer, and nothing of it is held back`, async () => {
    const failing = tool((_, { emit }) => {
      emit({ stream: "stdout", text: "half a line" });
      const error = new Error("broken");
      if (how === "throws") throw error;
      return Promise.reject(error);
    });
    const engine = createEngine({ tools: [failing] });
    const events = eventsOf(engine);
    const result = await engine.run(call("t"));
    assert.match(textOf(result), /broken[^]*half a line/);
    const reported = events.flatMap((event) => (event.type === "call.progressed" ? [event.progress] : []));
    assert.equal(
      reported.map((one) => (typeof one === "object" && "text" in one ? one.text : "")).join(""),
      "half a line",
    );
  });
}

for (const stage of ["check", "facts"] as const) {
  test(`a cancel answers the caller even if the tool's ${stage} is a non-native promise`, async () => {
    const controller = new AbortController();
    const thenable = Object.create({}, { ["then"]: { value: () => controller.abort() } }) as never;
    const hanging = { ...tool(() => assert.fail("ran")), [stage]: () => thenable };
    const result = await createEngine({ tools: [hanging] }).run(call("t"), { signal: controller.signal });
    assert.equal(codeOf(result), "CANCELLED");
  });

  test(`a cancel while the tool's ${stage} hangs answers the caller`, async () => {
    const controller = new AbortController();
    const hanging = {
      ...tool(() => assert.fail("ran")),
      [stage]: () => (queueMicrotask(() => controller.abort()), never()),
    };
    const result = await createEngine({ tools: [hanging] }).run(call("t"), { signal: controller.signal });
    assert.equal(codeOf(result), "CANCELLED");
  });
}

test("a cancel after the end changes nothing", async () => {
  const controller = new AbortController();
  const result = await createEngine({ tools: [tool(async () => "done")] }).run(call("t"), {
    signal: controller.signal,
  });
  controller.abort();
  assert.equal(textOf(result), "done");
});

test("items of an async iterable are progress, and together the answer", async () => {
  async function* count(): AsyncGenerator<string> {
    yield "one ";
    yield "two";
  }
  const engine = createEngine({ tools: [tool(count)] });
  const events = eventsOf(engine);
  assert.equal(textOf(await engine.run(call("t"))), "one two");
  const reported = events.flatMap((event) => (event.type === "call.progressed" ? [event.progress] : []));
  assert.deepEqual(reported, [
    { stream: "stdout", text: "one " },
    { stream: "stdout", text: "two" },
  ]);
});

test("items that are not text become a list", async () => {
  async function* items(): AsyncGenerator {
    yield { n: 1 };
    yield { n: 2 };
  }
  const result = await createEngine({ tools: [tool(items)] }).run(call("t"));
  assert.deepEqual(result.ok && result.data, [{ n: 1 }, { n: 2 }]);
});

test("a cancelled async iterable is ended through return(), and its items are in the answer", async () => {
  const controller = new AbortController();
  let ended = false;
  async function* endless(): AsyncGenerator<string> {
    try {
      for (;;) {
        yield "tick ";
        await new Promise(setImmediate);
        controller.abort();
      }
    } finally {
      ended = true;
    }
  }
  const result = await createEngine({ tools: [tool(endless)] }).run(call("t"), { signal: controller.signal });
  await new Promise(setImmediate);
  assert.equal(codeOf(result), "CANCELLED");
  assert.equal(ended, true);
  assert.match(textOf(result), /tick/);
});

test("a tool whose attributes throw still runs", async () => {
  const bad = {
    ...tool(() => "ran"),
    attributes: () => {
      throw new Error("broken");
    },
  };
  const engine = createEngine({ tools: [bad] });
  const events = eventsOf(engine);
  assert.equal(textOf(await engine.run(call("t"))), "ran");
  assert.ok(events.some(({ type }) => type === "call.started"));
});

test("a thenable that is not a promise is waited for", async () => {
  const later = Promise.resolve("later");
  const thenable = tool(() => Object.create({}, { ["then"]: { value: later.then.bind(later) } }) as object);
  assert.equal(textOf(await createEngine({ tools: [thenable] }).run(call("t"))), "later");
});

test("an unreachable service is UNAVAILABLE, by the system's code, not by its message", async () => {
  const refused = tool(() =>
    Promise.reject(Object.assign(new TypeError("fetch failed"), { cause: { code: "ECONNREFUSED" } })),
  );
  assert.equal(codeOf(await createEngine({ tools: [refused] }).run(call("t"))), "UNAVAILABLE");
});

test("a tool of a place without an executor is NO_EXECUTOR; a sandbox tool runs on the host until there is a sandbox", async () => {
  const fleet = { ...tool(() => "ran"), place: "fleet" as const };
  assert.equal(codeOf(await createEngine({ tools: [fleet] }).run(call("t"))), "NO_EXECUTOR");
  const boxed = await createEngine({ tools: [{ ...tool(() => "ran"), place: "sandbox" }] }).run(call("t"));
  assert.deepEqual([codeOf(boxed), boxed.meta.place], ["ok", "host"]);
});

test("an executor given for a place runs its jobs", async () => {
  const executors = [{ place: "fleet" as const, execute: () => "from afar" }];
  const engine = createEngine({
    executors,
    tools: [{ ...tool(() => assert.fail("ran here")), place: "fleet" }],
  });
  const result = await engine.run(call("t"));
  assert.deepEqual([textOf(result), result.meta.place], ["from afar", "fleet"]);
});

test("a tool knows its deadline while it runs, and has none before", async () => {
  const seen: number[] = [];
  const asking = {
    ...tool((_, { deadlineAt }) => {
      seen.push(deadlineAt - performance.now());
      return "done";
    }),
    facts: (_: object, { deadlineAt }: ToolContext) => {
      seen.push(deadlineAt);
      return [];
    },
  };
  await createEngine({ tools: [asking], timeoutMs: 5000 }).run(call("t"));
  const [before, left = 0] = seen;
  assert.equal(before, Number.POSITIVE_INFINITY);
  assert(left > 4000 && left <= 5000, String(left));
});
