import assert from "node:assert/strict";
import { test } from "node:test";
import { call, codeOf, textOf } from "../../../test/support/engines/engine.ts";
import { Reply } from "../../core/content.ts";
import { ToolError } from "../../core/errors.ts";
import type { Executor } from "../../core/executor.ts";
import type { Fact } from "../../core/fact.ts";
import type { Circumstances, Policy } from "../../core/policy.ts";
import type { Verdict } from "../../core/verdict.ts";
import { createMemoryJournal } from "../../store/in-memory.ts";
import { defineTool } from "../../schema/define/define-tool.ts";
import { createEngine } from "../engine.ts";
import type { EngineOptions } from "../types/options.ts";

const BASE = { name: "t", description: "", risk: "low", effects: "none" } as const;

function toolIn(place: string) {
  return defineTool({ ...BASE, place, run: () => "on the host" });
}

function executorOf(place: string, more: Partial<Executor> = {}): Executor {
  return { place, execute: () => `in ${place}`, ...more };
}

/** Returns where the call of a tool of the place ran, or the code of its failure, and where the list says that it runs. */
async function placesOf(place: string, options: EngineOptions, chosen?: string) {
  const engine = createEngine({ ...options, tools: [toolIn(place)] });
  const result = await engine.run(call("t"), chosen === undefined ? {} : { place: chosen });
  const text = result.ok ? textOf(result) : codeOf(result);
  assert.equal(result.ok && text !== `in ${result.meta.place}` && text !== "on the host", false);
  return [text, engine.list()[0]?.place];
}

test("a tool of any place runs by the executor of that name, and never elsewhere without one", async () => {
  assert.deepEqual(await placesOf("gpu", { executors: [executorOf("gpu")] }), ["in gpu", "gpu"]);
  assert.deepEqual(await placesOf("gpu", { executors: [executorOf("npu")] }), ["NO_EXECUTOR", "gpu"]);
  assert.deepEqual(await placesOf("gpu", {}), ["NO_EXECUTOR", "gpu"]);
  assert.deepEqual(await placesOf("host", { executors: [executorOf("host")] }), ["in host", "host"]);
  assert.deepEqual(await placesOf("host", {}), ["on the host", "host"]);
  assert.deepEqual(await placesOf("sandbox", {}), ["on the host", "host"]);
});

test("a missing executor is named, with the nearest place", async () => {
  const engine = createEngine({ executors: [executorOf("graphics")], tools: [toolIn("grafics")] });
  const refused = await engine.run(call("t"));
  assert.match(
    textOf(refused),
    /"t" runs in place "grafics", which has no executor\ndid you mean graphics\?/,
  );
  const far = await createEngine({ tools: [toolIn("gpu")] }).run(call("t"));
  assert.match(textOf(far), /pass createEngine an executor for "gpu"/);
});

test("a call may choose a place, whatever its tool names", async () => {
  const executors = [executorOf("gpu")];
  assert.deepEqual(await placesOf("host", { executors }, "gpu"), ["in gpu", "host"]);
  assert.deepEqual(await placesOf("gpu", { executors }, "host"), ["on the host", "gpu"]);
  assert.deepEqual(await placesOf("host", { executors }, "npu"), ["NO_EXECUTOR", "host"]);
  for (const place of ["", 1, null])
    assert.equal((await placesOf("host", { executors }, place as string))[0], "INVALID_INPUT");
});

test("what an executor does not run falls back to the host only if it says so", async () => {
  for (const no of [{ runsHere: () => false }, { accepts: () => false }]) {
    const fallback = { ...no, fallback: "host" } as const;
    assert.equal(
      (await placesOf("gpu", { executors: [executorOf("gpu", fallback)] }))[0],
      "on the host",
      JSON.stringify(Object.keys(no)),
    );
    const engine = createEngine({ executors: [executorOf("gpu", no)], tools: [toolIn("gpu")] });
    const refused = await engine.run(call("t"));
    assert.equal(codeOf(refused), "NO_EXECUTOR");
    assert.match(
      textOf(refused),
      /the executor of place "gpu" does not run this call of "t", and has no fallback\nlet it accept the call/,
    );
  }
});

test("only a plain false sends a job to the fallback", async () => {
  for (const answer of [undefined, null, 0, "", Promise.resolve(false)]) {
    const accepts = (): boolean => answer as never;
    const executors = [executorOf("gpu", { fallback: "host", accepts, runsHere: accepts })];
    assert.deepEqual(await placesOf("gpu", { executors }), ["in gpu", "gpu"]);
  }
});

test("the list of tools names the fallback of a tool that its place never runs", async () => {
  const runsHere: Executor["runsHere"] = ({ name }) => name !== "t";
  const executors = [executorOf("gpu", { fallback: "host", runsHere })];
  assert.deepEqual(await placesOf("gpu", { executors }), ["on the host", "host"]);
  assert.deepEqual(await placesOf("gpu", { executors: [executorOf("gpu", { runsHere })] }), [
    "NO_EXECUTOR",
    "gpu",
  ]);
});

test("an executor overrides the place of a tool, the first of several", async () => {
  const overrides: Executor["overrides"] = ({ name, place }) => name === "t" && place === "host";
  const executors = [executorOf("a"), executorOf("b", { overrides }), executorOf("c", { overrides })];
  for (const around of [[], [(_: unknown, next: () => unknown) => next()]]) {
    assert.deepEqual(await placesOf("host", { executors, around }), ["in b", "b"]);
    assert.deepEqual(await placesOf("a", { executors, around }), ["in a", "a"]);
    assert.deepEqual(await placesOf("host", { executors, around }, "a"), ["in a", "b"]);
  }
  const unsure = [executorOf("b", { overrides: () => "yes" as never })];
  assert.deepEqual(await placesOf("host", { executors: unsure }), ["on the host", "host"]);
});

test("policy knows of each call that its own sandbox does not hold", async () => {
  const judged: (boolean | undefined)[] = [];
  const policy: Policy = {
    judge: (_, { isElsewhere }: Circumstances = {}) => {
      judged.push(isElsewhere);
      return { kind: "allow", reason: "", rule: "" };
    },
  };
  const overrides: Executor["overrides"] = ({ place }) => place === "host";
  const near = executorOf("gpu");
  const far = executorOf("gpu", { isElsewhere: true });
  await placesOf("host", { policy });
  await placesOf("gpu", { policy });
  await placesOf("gpu", { policy, executors: [near] });
  await placesOf("gpu", { policy, executors: [{ ...near, isElsewhere: false }] });
  await placesOf("gpu", { policy, executors: [far] });
  await placesOf("host", { policy, executors: [near] }, "gpu");
  await placesOf("sandbox", { policy }, "host");
  await placesOf("host", { policy, executors: [{ ...near, overrides }] });
  assert.deepEqual(judged, [undefined, undefined, undefined, undefined, true, true, true, true]);
});

test("the answer names the sandbox in which a tool or a verdict has put a call, but not of one on another machine", async () => {
  const verdict: Verdict = { kind: "allow", reason: "", rule: "", place: "sandbox" };
  const placeOf = async (run: () => unknown, more: EngineOptions): Promise<unknown> => {
    const engine = createEngine({ ...more, tools: [defineTool({ ...BASE, place: "gpu", run })] });
    return (await engine.run(call("t"))).meta.place;
  };
  const reply = (): Reply => new Reply("done", { place: "sandbox" });
  const fail = (): never => {
    throw new ToolError("TOOL_FAILED", "failed", { place: "sandbox" });
  };
  const policy: Policy = { judge: () => verdict };
  const runsTool: Executor["execute"] = ({ tool, input }, context) => tool.run(input, context);
  const near = { executors: [{ place: "gpu", execute: runsTool }] };
  const far = { executors: [{ place: "gpu", isElsewhere: true, execute: runsTool }] };
  assert.deepEqual(
    await Promise.all([
      placeOf(() => "done", near),
      placeOf(reply, near),
      placeOf(fail, near),
      placeOf(() => "done", { ...near, policy }),
      placeOf(() => "done", { ...far, policy }),
      placeOf(reply, far),
    ]),
    ["gpu", "sandbox", "sandbox", "sandbox", "gpu", "gpu"],
  );
});

test("a suspended call is resumed in the place that it was given", async () => {
  const options = { journal: createMemoryJournal(), executors: [executorOf("gpu")] };
  const tool = defineTool({ ...BASE, risk: "high", run: () => "on the host" });
  const engine = createEngine({ ...options, tools: [tool] });
  const pending = await engine.run(call("t"), { place: "gpu", whenAsked: "return" });
  assert.ok("pending" in pending);
  const result = await engine.resume(pending.token, { approved: true, scope: "once" });
  assert.equal(textOf(result), "in gpu");
});

test("a command that must be confined runs only by a sandbox of its own tool", async () => {
  const command: Fact = { kind: "command", text: "ls", cwd: "/w" };
  const host: Fact = { kind: "host", host: "a.com" };
  const allow: Verdict = { kind: "allow", reason: "", rule: "" };
  interface More {
    readonly facts?: readonly Fact[];
    readonly verdict?: Verdict;
    readonly chosen?: string;
  }
  const runs = async (place: string, options: EngineOptions, more: More = {}) => {
    const { facts = [host, command], verdict = { ...allow, isConfined: true }, chosen } = more;
    const tool = defineTool({ ...BASE, place, facts: () => facts, run: () => "on the host" });
    const engine = createEngine({ policy: { judge: () => verdict }, ...options, tools: [tool] });
    return textOf(await engine.run(call("t"), chosen === undefined ? {} : { place: chosen }));
  };
  const refused = /"t" must run in a sandbox, and there is none for it\ntoolwright doctor/;
  const executors = [executorOf("sandbox"), executorOf("gpu")];
  assert.equal(await runs("sandbox", { executors }), "in sandbox");
  assert.match(await runs("sandbox", {}), refused);
  assert.match(await runs("host", { executors }), refused);
  assert.match(await runs("npu", { executors }), refused);
  assert.match(await runs("sandbox", { executors }, { chosen: "gpu" }), refused);
  assert.match(await runs("sandbox", { executors }, { chosen: "host" }), refused);
  const full = executorOf("sandbox", { accepts: () => false, fallback: "host" });
  assert.match(await runs("sandbox", { executors: [full] }), refused);
  assert.equal(await runs("host", { executors }, { facts: [host] }), "on the host");
  assert.equal(await runs("host", { executors }, { verdict: allow }), "on the host");
});
