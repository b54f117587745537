import assert from "node:assert/strict";
import { test } from "node:test";
import { call, codeOf, eventsOf, textOf } from "../../../test/support/engines/engine.ts";
import type { PathFact } from "../../core/fact.ts";
import type { Effects } from "../../core/spec.ts";
import { defineTool } from "../../schema/define/define-tool.ts";
import { object, optional, string } from "../../schema/define/schema.ts";
import { createEngine } from "../engine.ts";

/** A tool that records when it starts and ends, and waits two turns of the loop in between. */
function recorder(log: string[], name: string, effects: Effects, access?: PathFact["access"]) {
  return defineTool({
    name,
    description: "",
    input: object({ path: optional(string(), "") }),
    risk: "low",
    effects,
    facts: ({ path }) => (access === undefined || path === "" ? [] : [{ kind: "path", path, access }]),
    run: async ({ path }) => {
      log.push(`+${name}${path}`);
      await new Promise(setImmediate);
      await new Promise(setImmediate);
      log.push(`-${name}${path}`);
      return name;
    },
  });
}

function engineWith(log: string[]) {
  return createEngine({
    workspace: ["/w"],
    tools: [
      recorder(log, "read", "none", "read"),
      recorder(log, "write", "idempotent", "write"),
      recorder(log, "unsafe", "unsafe"),
      recorder(log, "note", "own-state"),
    ],
  });
}

const together = (log: readonly string[]): boolean =>
  log[0]?.startsWith("+") === true && log[1]?.startsWith("+") === true;

test("answers come in the order of the calls, whatever finishes first", async () => {
  const slow = defineTool({
    name: "wait",
    description: "",
    input: object({ ms: string() }),
    risk: "low",
    effects: "none",
    run: ({ ms }) => new Promise((resolve) => void setTimeout(() => resolve(ms), Number(ms))),
  });
  const calls = ["30", "1", "15"].map((ms) => call("wait", { ms }));
  const results = await createEngine({ tools: [slow] }).runAll(calls);
  assert.deepEqual(results.map(textOf), ["30", "1", "15"]);
  assert.deepEqual(
    results.map((result) => result.callId),
    calls.map(({ id }) => id),
  );
});

test("a failing call does not affect the others", async () => {
  const log: string[] = [];
  const results = await engineWith(log).runAll([
    call("read"),
    call("nope"),
    call("read", { bad: 1 }),
    call("read"),
  ]);
  assert.deepEqual(results.map(codeOf), ["ok", "TOOL_NOT_FOUND", "INVALID_INPUT", "ok"]);
});

for (const [first, second, isTogether] of [
  [["read", "/w/a"], ["read", "/w/a"], true],
  [["read", "/w/a"], ["write", "/w/b"], true],
  [["write", "/w/a"], ["read", "/w/a"], false],
  [["read", "/w/a"], ["write", "/w/a"], false],
  [["read", "/w"], ["write", "/w/a"], false],
  [["write", "/w/ab"], ["write", "/w/a"], true],
  [["unsafe", ""], ["read", "/w/a"], false],
  [["read", "/w/a"], ["unsafe", ""], false],
  [["note", ""], ["note", ""], false],
  [["note", ""], ["read", "/w/a"], true],
  [["write", ""], ["write", ""], false],
] as const) {
  const title = `${first.join(" ")} and ${second.join(" ")} run ${isTogether ? "together" : "one after the other"}`;
  test(title, async () => {
    const log: string[] = [];
    await engineWith(log).runAll([first, second].map(([name, path]) => call(name, { path })));
    assert.equal(together(log), isTogether, log.join(" "));
  });
}

test("a call that depends on an earlier one sees what that one did", async () => {
  let content = "old";
  const fact = (access: PathFact["access"]) => () => [{ kind: "path", path: "/w/f", access }] as const;
  const write = defineTool({
    name: "write",
    description: "",
    risk: "low",
    effects: "idempotent",
    facts: fact("write"),
    run: async () => {
      await new Promise(setImmediate);
      content = "new";
    },
  });
  const read = defineTool({
    name: "read",
    description: "",
    risk: "low",
    effects: "none",
    facts: fact("read"),
    run: () => content,
  });
  const engine = createEngine({ tools: [write, read], workspace: ["/w"] });
  const results = await engine.runAll([call("read"), call("write"), call("read")]);
  assert.deepEqual(results.map(textOf), ["old", "", "new"]);
});

test("a call that would be refused before an earlier one has done its work waits for it", async () => {
  let exists = false;
  const make = defineTool({
    name: "make",
    description: "",
    risk: "low",
    effects: "idempotent",
    facts: () => [{ kind: "path", path: "/w/f", access: "write" }],
    run: async () => {
      await new Promise(setImmediate);
      exists = true;
    },
  });
  const use = defineTool({
    name: "use",
    description: "",
    risk: "low",
    effects: "none",
    check: () => (exists ? [] : [{ kind: "value", path: "/f", expected: "a file", got: "nothing" }]),
    run: () => "used",
  });
  const results = await createEngine({ tools: [make, use], workspace: ["/w"] }).runAll([
    call("make"),
    call("use"),
  ]);
  assert.deepEqual(results.map(codeOf), ["ok", "ok"]);
});

test("each call is reported once, and an explained call not at all", async () => {
  const engine = engineWith([]);
  const events = eventsOf(engine);
  await engine.runAll([call("read"), call("read")]);
  assert.equal(events.filter((event) => event.type === "call.judged").length, 2);
  await engine.explain(call("read"));
  assert.equal(events.filter((event) => event.type === "call.judged").length, 2);
});

test("calls of a tool that runs together run at once, after what is before them and before what is after", async () => {
  const log: string[] = [];
  const engine = createEngine({
    workspace: ["/w"],
    tools: [
      recorder(log, "unsafe", "unsafe"),
      recorder(log, "read", "none", "read"),
      { ...recorder(log, "child", "unsafe"), runsTogether: true },
    ],
  });
  const names = ["read", "unsafe", "child", "child", "child", "read", "child"];
  await engine.runAll(names.map((name) => call(name)));
  const order =
    "+read -read +unsafe -unsafe +child +child +child -child -child -child +read -read +child -child";
  assert.deepEqual(log, order.split(" "));
});

test("parallel: false runs one after the other, parallel: all runs even unsafe calls together", async () => {
  const serial: string[] = [];
  await engineWith(serial).runAll([call("read"), call("read")], { parallel: false });
  assert.equal(together(serial), false);
  const parallel: string[] = [];
  await engineWith(parallel).runAll([call("unsafe"), call("unsafe")], { parallel: "all" });
  assert.equal(together(parallel), true);
});

test("no more calls than the concurrency run at a time", async () => {
  let running = 0;
  let most = 0;
  const tool = defineTool({
    name: "t",
    description: "",
    risk: "low",
    effects: "none",
    run: async () => {
      most = Math.max(most, (running += 1));
      await new Promise(setImmediate);
      running -= 1;
    },
  });
  const calls = Array.from({ length: 20 }, () => call("t"));
  await createEngine({ tools: [tool] }).runAll(calls, { concurrency: 3 });
  assert.equal(most, 3);
});

test("a call that waits for approval blocks only what depends on it", async () => {
  const log: string[] = [];
  let approve = (): void => undefined;
  const asks = recorder(log, "asks", "idempotent", "write");
  const engine = createEngine({
    workspace: ["/w"],
    tools: [{ ...asks, risk: "high" }, recorder(log, "read", "none", "read")],
    approver: {
      ask: () => new Promise((resolve) => (approve = () => resolve({ approved: true, scope: "once" }))),
    },
  });
  engine.on((event) => void (event.type === "call.answered" && event.result.name === "read" && approve()));
  await engine.runAll([
    call("asks", { path: "/w/a" }),
    call("read", { path: "/w/b" }),
    call("read", { path: "/w/a" }),
  ]);
  assert.deepEqual(log, ["+read/w/b", "-read/w/b", "+asks/w/a", "-asks/w/a", "+read/w/a", "-read/w/a"]);
});

test("a cancel answers every call, run or not", async () => {
  const controller = new AbortController();
  const stuck = defineTool({
    name: "stuck",
    description: "",
    risk: "low",
    run: () => (controller.abort(), new Promise(() => undefined)),
  });
  const engine = createEngine({ tools: [stuck] });
  const results = await engine.runAll([call("stuck"), call("stuck")], { signal: controller.signal });
  assert.deepEqual(results.map(codeOf), ["CANCELLED", "CANCELLED"]);
});

test("an unknown value of parallel is refused, and no call runs", async () => {
  const log: string[] = [];
  const options = { parallel: true } as unknown as { readonly parallel: "all" };
  await assert.rejects(engineWith(log).runAll([call("unsafe"), call("unsafe")], options), {
    code: "INVALID_INPUT",
    message: /parallel: true/,
  });
  assert.deepEqual(log, []);
});

for (const effects of ["unsafe", "own-state"] as const) {
  test(`3 000 calls with effects ${effects} run one after the other, in order`, async () => {
    const ran: string[] = [];
    let running = 0;
    const tool = defineTool({
      name: "changes",
      description: "d",
      risk: "low",
      effects,
      run: async (_input, { call: { id } }) => {
        running += 1;
        await Promise.resolve();
        ran.push(`${id} ${running}`);
        running -= 1;
      },
    });
    const calls = Array.from({ length: 3000 }, (_, index) => ({
      id: `${index}`,
      name: "changes",
      input: {},
    }));
    const answers = await createEngine({ tools: [tool] }).runAll(calls);
    assert.ok(answers.every(({ ok }) => ok));
    assert.deepEqual(
      ran,
      calls.map(({ id }) => `${id} 1`),
    );
  });
}
