import assert from "node:assert/strict";
import { test } from "node:test";
import { call, codeOf, textOf } from "../../../test/support/engines/engine.ts";
import { createVirtualTime } from "../../../test/support/virtual-time.ts";
import type { ApprovalRequest } from "../../core/approval.ts";
import { createKey } from "../../core/context.ts";
import { SessionKey } from "../../core/session/session.ts";
import { defineTool } from "../../schema/define/define-tool.ts";
import { createStoredGrants } from "../../store/database/grants.ts";
import { createMemoryCollections } from "../../util/json/memory-collections.ts";
import { createEngine } from "../engine.ts";

const Counter = createKey<{ count: number }>("Counter");

function counting(closed: string[] = []) {
  return defineTool({
    name: "count",
    description: "",
    risk: "low",
    run: (_, context) => {
      const session = context.get(SessionKey);
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
      context.get(SessionKey).getOrCreate(createKey<string>("Failing"), () => ({
        value: "x",
        close: () => Promise.reject(new Error("stuck")),
      })),
  });
  const engine = createEngine({ tools: [failing, counting(closed)] });
  await engine.runAll([call("failing"), call("count")]);
  await engine.close();
  assert.deepEqual(closed, [""]);
});

function risky(name = "risky") {
  return defineTool({ name, description: name, risk: "high", run: () => "ran" });
}

test("a session without calls is closed after its idle time, with its values and grants", async (t) => {
  const time = createVirtualTime(t);
  const closed: string[] = [];
  const asked: ApprovalRequest[] = [];
  const ended: string[] = [];
  const engine = createEngine({
    tools: [counting(closed), risky()],
    sessionIdleMs: 50,
    approver: { ask: async (request) => (asked.push(request), { approved: true, scope: "session" }) },
    hooks: [{ name: "h", on: ["session_end"], run: ({ session = "" }) => void ended.push(session) }],
  });
  engine.session("idle", { rules: [{ tool: "count", decision: "deny" }] });
  const run = (name: string, session: string) => engine.run(call(name), { session });
  assert.equal(codeOf(await run("count", "idle")), "DENIED");
  engine.session("idle", { rules: [] });
  for (const session of ["idle", "used"]) {
    await run("count", session);
    await run("risky", session);
  }
  for (let turn = 0; turn < 4; turn += 1) {
    await time.pass(20);
    await run("risky", "used");
  }
  assert.deepEqual([closed, ended, asked.length], [["idle"], ["idle"], 2]);
  assert.deepEqual([textOf(await run("count", "idle")), textOf(await run("count", "used"))], ["1", "2"]);
  await run("risky", "idle");
  assert.equal(asked.length, 3, "its grants ended with it");
  await engine.close();
});

test("a running call, and a session below it, keep a session open; the session of calls without one never ends", async (t) => {
  const time = createVirtualTime(t);
  const closed: string[] = [];
  const going = Promise.withResolvers<void>();
  const slow = defineTool({ name: "slow", description: "", risk: "low", run: () => going.promise });
  const engine = createEngine({ tools: [counting(closed), slow], sessionIdleMs: 10, timeoutMs: 10_000 });
  engine.session("child", { parent: "parent" });
  for (const session of ["parent", "child"]) await engine.run(call("count"), { session });
  await engine.run(call("count"));
  const running = engine.run(call("slow"), { session: "child" });
  await time.pass(40);
  assert.deepEqual(closed, []);
  going.resolve();
  await running;
  await time.pass(40);
  assert.deepEqual(new Set(closed), new Set(["child", "parent"]));
  await engine.close();
});

test("an idle time ends no limits: rules and parent of a session hold until it is closed", async (t) => {
  const time = createVirtualTime(t);
  const closed: string[] = [];
  const engine = createEngine({ tools: [counting(closed)], sessionIdleMs: 10 });
  const rules = [{ tool: "count", decision: "deny" }] as const;
  const limited = engine.session("limited", { rules });
  engine.session("child", { parent: "limited" });
  engine.session("parent", { rules: [] });
  const codes = async (): Promise<readonly string[]> =>
    Promise.all(
      ["limited", "child", "parent"].map(async (session) =>
        codeOf(await engine.run(call("count"), { session })),
      ),
    );
  for (let turn = 0; turn < 3; turn += 1) {
    assert.deepEqual(await codes(), ["DENIED", "DENIED", "ok"]);
    await time.pass(40);
    assert.equal(closed.length, turn + 1, "the values end each time");
  }
  await limited.close();
  assert.equal(codeOf(await engine.run(call("count"), { session: "limited" })), "ok");
  await engine.close();
});

test("rules of a session allow and deny its calls only; a session below it has them and allows nothing more", async () => {
  const engine = createEngine({ tools: [risky("a"), risky("b"), risky("c")] });
  const codes = async (session: string) =>
    Promise.all(["a", "b", "c"].map(async (name) => codeOf(await engine.run(call(name), { session }))));
  engine.session("ann", { rules: [{ tool: ["a", "b"], decision: "allow" }] });
  engine.session("below", {
    parent: "ann",
    rules: [
      { tool: "b", decision: "deny" },
      { tool: "c", decision: "allow" },
    ],
  });
  assert.deepEqual(await codes("ann"), ["ok", "ok", "DENIED"]);
  assert.deepEqual(await codes("bob"), ["DENIED", "DENIED", "DENIED"]);
  assert.deepEqual(await codes("below"), ["ok", "DENIED", "DENIED"]);
  // The strictest rule wins, and later rules of the parent hold below it.
  engine.session("ann", { rules: [{ decision: "allow" }, { tool: "a", decision: "deny" }] });
  assert.deepEqual(await codes("ann"), ["DENIED", "ok", "ok"]);
  assert.deepEqual(await codes("below"), ["DENIED", "DENIED", "ok"]);
});

test("a subject that is no name is refused, and nothing is asked", async () => {
  const ask = () => assert.fail("asked");
  const engine = createEngine({ approver: { ask }, tools: [risky()] });
  for (const subject of ["", null as unknown as string]) {
    const result = await engine.run(call("risky"), { subject });
    assert.equal(codeOf(result), "INVALID_INPUT");
    assert.match(textOf(result), /subject: expected an id that is not empty, or \{/);
  }
});

test("stored grants for a session end when the session is closed or idle, and outlive a restart of its engine", async (t) => {
  const time = createVirtualTime(t);
  const grants = createStoredGrants(createMemoryCollections(), "/w");
  let asked = 0;
  const ask = async () => ((asked += 1), { approved: true, scope: "session" } as const);
  const open = () => createEngine({ approver: { ask }, tools: [risky()], grants, sessionIdleMs: 50 });
  const [first, second] = [open(), open()];
  const run = (engine: typeof first) => engine.run(call("risky"), { session: "s", subject: "ann" });
  await run(first);
  await first.close();
  await run(second);
  assert.equal(asked, 1, "closing an engine ends no session");
  await second.session("s").close();
  await run(second);
  assert.equal(asked, 2);
  await time.pass(100);
  await run(second);
  assert.equal(asked, 3);
  await second.close();
});

test("a lasting approval holds for the same user only, in one session or in all", async () => {
  for (const scope of ["session", "always"] as const) {
    const asked: ApprovalRequest[] = [];
    const ask = async (request: ApprovalRequest) => (asked.push(request), { approved: true, scope } as const);
    const engine = createEngine({ approver: { ask }, tools: [risky()] });
    const askedAs = async (subject?: string) => {
      const before = asked.length;
      const options = { session: "s", ...(subject !== undefined && { subject }) };
      assert.equal(codeOf(await engine.run(call("risky"), options)), "ok");
      return asked.length > before;
    };
    assert.deepEqual([await askedAs("ann"), await askedAs("ann"), await askedAs("bob")], [true, false, true]);
    assert.deepEqual([await askedAs(), await askedAs(), await askedAs("bob")], [true, false, false]);
    assert.equal(asked[0]?.subject, "ann");
  }
});
