import assert from "node:assert/strict";
import { test } from "node:test";
import { add, failing, call, codeOf, eventsOf, textOf } from "../../../test/support/engines/engine.ts";
import { ActiveTools } from "../../core/session/active-tools.ts";
import type { ApprovalRequest } from "../../core/approval.ts";
import { defineTool } from "../../schema/define/define-tool.ts";
import type { JsonObject } from "../../core/json.ts";
import { object, optional, string } from "../../schema/define/schema.ts";
import type { Tool } from "../../core/tool.ts";
import type { EngineOptions } from "../../engine/types/options.ts";
import { createEngine } from "../../engine/engine.ts";
import { batch } from "./batch.ts";

const writing = defineTool({
  name: "write",
  description: "Writes, unless it only looks.",
  input: object({ mode: optional(string()) }),
  riskOf: ({ mode }) => (mode === "look" ? "low" : "medium"),
  run: () => "written",
});

function engineWith(options: EngineOptions = {}, ...more: readonly Tool[]) {
  const engine = createEngine({ ...options, tools: [batch(), add, failing, writing, ...more] });
  const run = (...invocations: readonly JsonObject[]) => engine.run(call("batch", { invocations }));
  return { engine, run };
}

test("every call is answered in order, and one that fails hurts no other", async () => {
  const { run } = engineWith();
  const result = await run(
    { tool: "add", arguments: { a: 1, b: 2 } },
    { tool: "fail" },
    { tool: "nope", arguments: {} },
    { tool: "add", arguments: { a: "x" } },
    { tool: "add", arguments: { a: "5", b: 6 } },
  );
  assert.equal(result.ok, true);
  assert.match(
    textOf(result),
    /^\[5 calls, 3 failed\]\n\[1\] add: ok\n\{"sum":3\}\n\[2\] fail: TOOL_FAILED\nError: no luck\n\[3\] nope: TOOL_NOT_FOUND\n.*\[4\] add: INVALID_INPUT\n.*\[5\] add: ok\n\{"sum":11\}$/s,
  );
  const { results, failed } = (result.ok ? result.data : {}) as {
    results: readonly JsonObject[];
    failed: number;
  };
  assert.equal(failed, 3);
  assert.deepEqual(results[0], { tool: "add", ok: true, data: { sum: 3 } });
  assert.deepEqual(results[1], {
    tool: "fail",
    ok: false,
    error: { code: "TOOL_FAILED", message: "no luck" },
  });
});

test("each call goes down the whole line under an id of its own", async () => {
  const { engine, run } = engineWith();
  const events = eventsOf(engine);
  await run({ tool: "add", arguments: { a: 1, b: 2 } }, { tool: "add", arguments: { a: 3, b: 4 } });
  const ids = events.flatMap((event) => (event.type === "call.answered" ? [event.callId] : []));
  assert.equal(new Set(ids).size, 3);
  assert.deepEqual(new Set(ids.slice(0, 2).map((id) => id.split(".")[1])), new Set(["1", "2"]));
});

test("calls that only read run together, unsafe ones one after the other", async () => {
  const log: string[] = [];
  const step = (name: string, effects: "none" | "unsafe") =>
    defineTool({
      name,
      description: "",
      risk: "low",
      effects,
      async run() {
        log.push(`+${name}`);
        await new Promise((resolve) => setImmediate(resolve));
        log.push(`-${name}`);
        return name;
      },
    });
  const { run } = engineWith(
    {},
    step("r1", "none"),
    step("r2", "none"),
    step("u1", "unsafe"),
    step("u2", "unsafe"),
  );
  await run({ tool: "r1" }, { tool: "r2" });
  assert.deepEqual(log.splice(0), ["+r1", "+r2", "-r1", "-r2"]);
  await run({ tool: "u1" }, { tool: "u2" });
  assert.deepEqual(log, ["+u1", "-u1", "+u2", "-u2"]);
});

for (const [what, parts, risk] of [
  ["reading", [{ tool: "add", arguments: { a: 1, b: 1 } }], "low"],
  ["a part that is low by its input", [{ tool: "write", arguments: { mode: "look" } }], "low"],
  ["a part that writes", [{ tool: "add" }, { tool: "write" }], "medium"],
  ["a part that is not there", [{ tool: "nope" }], "low"],
] as const) {
  test(`a batch of ${what} is of ${risk} risk`, async () => {
    const { engine } = engineWith();
    assert.equal((await engine.explain(call("batch", { invocations: parts }))).risk, risk);
  });
}

for (const approved of [true, false]) {
  test(`a batch shows its calls, and one answer ${approved ? "approves" : "refuses"} them all`, async () => {
    const asked: ApprovalRequest[] = [];
    const answer = approved
      ? ({ approved, scope: "once" } as const)
      : ({ approved: false, reason: "no" } as const);
    const approver = { ask: (request: ApprovalRequest) => (asked.push(request), Promise.resolve(answer)) };
    const { run } = engineWith({ approver });
    const result = await run({ tool: "add", arguments: { a: 1, b: 1 } }, { tool: "write" });
    assert.deepEqual(
      asked.map(({ tool }) => tool),
      ["batch"],
    );
    assert.deepEqual(
      asked[0]?.calls?.map(({ tool, decision }) => [tool, decision]),
      [
        ["add", "allow"],
        ["write", "ask"],
      ],
    );
    if (approved) assert.match(textOf(result), /\[1\] add: ok\n.*\[2\] write: ok/s);
    else assert.equal(codeOf(result), "DENIED");
  });
}

test("a batch in a batch, no calls, and too many are invalid input and run nothing", async () => {
  let runs = 0;
  const count = defineTool({ name: "count", description: "", risk: "low", run: () => (runs += 1) });
  const { run } = engineWith({}, count);
  const one = { tool: "count" };
  const nested = await run(one, { tool: "batch", arguments: { invocations: [one] } });
  assert.equal(codeOf(nested), "INVALID_INPUT");
  assert.match(textOf(nested), /\/invocations\/1\/tool/);
  assert.equal(codeOf(await run()), "INVALID_INPUT");
  assert.equal(codeOf(await run(...Array.from({ length: 26 }, () => one))), "INVALID_INPUT");
  assert.equal(runs, 0);
  assert.equal(codeOf(await run(...Array.from({ length: 25 }, () => one))), "ok");
  assert.equal(runs, 25);
});

test("a cancelled batch ends its calls and reports the state of each", async () => {
  const controller = new AbortController();
  let ended = false;
  const slow = defineTool({
    name: "slow",
    description: "",
    risk: "low",
    effects: "none",
    async run(_input, { signal }) {
      controller.abort();
      await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
      ended = true;
    },
  });
  const { engine } = engineWith({}, slow);
  const invocations = [{ tool: "add", arguments: { a: 1, b: 1 } }, { tool: "slow" }];
  const result = await engine.run(call("batch", { invocations }), { signal: controller.signal });
  assert.equal(codeOf(result), "CANCELLED");
  assert.equal(ended, true);
  assert.match(textOf(result), /\[1\] add: ok\n\[2\] slow: CANCELLED/);
});

test("twenty-five answers of two kilobytes are all shown; beyond the cap they are cut, and a picture passes", async () => {
  const say = defineTool({
    name: "say",
    description: "",
    input: object({ size: string() }),
    risk: "low",
    effects: "none",
    run: ({ size }) => "x".repeat(Number(size)),
  });
  const draw = defineTool({
    name: "draw",
    description: "",
    risk: "low",
    effects: "none",
    run: () => ({ type: "image", data: "AAAA", mimeType: "image/png" }),
  });
  const { run } = engineWith({}, say, draw);
  const many = (size: string) => Array.from({ length: 24 }, () => ({ tool: "say", arguments: { size } }));
  const whole = await run(...many("2000"), { tool: "draw" });
  assert.equal(whole.meta.truncated, undefined);
  assert.equal(whole.content.filter(({ type }) => type === "image").length, 1);
  const cut = await run(...many("9000"), { tool: "draw" });
  assert(Buffer.byteLength(textOf(cut)) < 52 * 1024);
  assert.equal(cut.meta.truncated?.shape, "text");
  assert.equal(cut.content.filter(({ type }) => type === "image").length, 1);
});

test("the calls may have the names of other systems, and one under two names is refused", async () => {
  const { run } = engineWith();
  const input = { a: 1, b: 2 };
  const result = await run(
    { tool_name: "add", parameters: input },
    { name: "add", input },
    { name: "add", params: input },
    { tool: "add", args: input },
  );
  assert.equal(textOf(result).match(/\{"sum":3\}/g)?.length, 4);
  const twice = await run({ tool: "add", tool_name: "fail", arguments: input });
  assert.equal(codeOf(twice), "INVALID_INPUT");
  assert.match(textOf(twice), /\/invocations\/0\/tool_name is not a parameter/);
});

test("a tool sees the tools that are active for its session, by name and alias", async () => {
  const seen: unknown[] = [];
  const look = defineTool({
    name: "look",
    aliases: ["peek"],
    description: "",
    risk: "low",
    run(_input, context) {
      const tools = context.get(ActiveTools);
      seen.push([tools.get("peek")?.name, tools.get("grouped")?.name, tools.list().map(({ name }) => name)]);
    },
  });
  const grouped = defineTool({ name: "grouped", description: "", group: "g", run: () => "" });
  const engine = createEngine({ tools: [look, grouped] });
  engine.session("s").groups.deactivate("g");
  await engine.run(call("look"));
  await engine.run(call("look"), { session: "s" });
  assert.deepEqual(seen, [
    ["look", "grouped", ["look", "grouped"]],
    ["look", undefined, ["look"]],
  ]);
});
