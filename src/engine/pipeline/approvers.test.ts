import assert from "node:assert/strict";
import { test } from "node:test";
import { call, codeOf, textOf } from "../../../test/support/engines/engine.ts";
import type { Approval, ApprovalRequest } from "../../core/approval.ts";
import type { Approvers, Subject } from "../../core/subject.ts";
import { createPolicy } from "../../policy/policy.ts";
import { createMemoryJournal } from "../../store/in-memory.ts";
import { defineTool } from "../../schema/define/define-tool.ts";
import { createEngine } from "../engine.ts";

const BOB: Subject = { id: "bob", groups: ["dba"], roles: [] };
const CAT: Subject = { id: "cat", groups: ["dba"], roles: [] };
const EVE: Subject = { id: "eve", groups: ["dev"], roles: [] };

function start(approvers: Approvers, answer: (request: ApprovalRequest) => Partial<Approval> & object) {
  let runs = 0;
  const tool = (description: string) =>
    defineTool({ name: "t", description, input: {}, run: () => (runs += 1) });
  const rules = [{ decision: "ask", approvers }] as const;
  const policy = createPolicy({
    mode: "yolo",
    workspace: [],
    layers: [{ name: "l", rules, mayAllow: true }],
  });
  const approver = {
    ask: async (request: ApprovalRequest): Promise<Approval> =>
      ({
        approved: true,
        scope: "once",
        ...answer(request),
      }) as Approval,
  };
  const journal = createMemoryJournal();
  const engine = createEngine({ policy, approver, journal, tools: [tool("first")] });
  return { engine, replace: () => engine.add(tool("second"), { replace: true }), runs: () => runs };
}

const DBA = { groups: ["dba"] };
for (const [demand, approvers, caller, isEnough] of [
  [DBA, [BOB], "ada", true],
  [DBA, [EVE], "ada", false],
  [DBA, [], "ada", false],
  [DBA, [{ id: "bob" }], "ada", false],
  [{ ...DBA, count: 2 }, [BOB], "ada", false],
  [{ ...DBA, count: 2 }, [BOB, BOB], "ada", false],
  [{ ...DBA, count: 2 }, [BOB, EVE], "ada", false],
  [{ ...DBA, count: 2 }, [BOB, CAT], "ada", true],
  [{ ...DBA, notSelf: true }, [BOB], "bob", false],
  [{ ...DBA, notSelf: true }, [BOB], "cat", true],
  [{ ...DBA, notSelf: true }, [BOB], undefined, false],
  [{ count: 2, notSelf: true }, [EVE, CAT], "bob", true],
  [{ people: ["eve"] }, [EVE], "ada", true],
] as const satisfies readonly (readonly [Approvers, readonly Subject[], string | undefined, boolean])[])
  test(`${JSON.stringify(demand)} with ${approvers.map(({ id }) => id).join(" and ")} for ${caller} ${isEnough ? "is enough" : "is not enough"}`, async () => {
    const { engine, runs } = start(demand, () => ({ approvers }));
    const result = await engine.run(call("t"), caller === undefined ? {} : { subject: caller });
    assert.deepEqual([codeOf(result), runs()], isEnough ? ["ok", 1] : ["DENIED", 0], textOf(result));
    const suspended = await engine.run(call("t"), { whenAsked: "return", subject: caller } as never);
    assert.ok("pending" in suspended);
    const decision = { approved: true, scope: "once", approvers } as const;
    assert.equal(
      codeOf(await engine.resume((suspended as unknown as { token: string }).token, decision)),
      codeOf(result),
    );
  });

test("an approval of a person without approvers, or with another input, is not enough", async () => {
  for (const more of [{}, { by: "bob" }, { approvers: [BOB], input: { x: 1 } }]) {
    const { engine, runs } = start(DBA, () => more);
    assert.equal(codeOf(await engine.run(call("t"), { subject: "ada" })), "DENIED");
    assert.equal(runs(), 0);
  }
});

test("a scope that lasts approves only this call, and what is no list of people is refused", async () => {
  const { engine, runs } = start(DBA, () => ({ approvers: [BOB], scope: "always" }) as never);
  await engine.run(call("t"), { subject: "ada" });
  assert.equal(runs(), 1);
  for (const approvers of ["bob", [{}], [{ id: "bob", group: [] }]]) {
    const wrong = start(DBA, () => ({ approvers }) as never);
    assert.equal(codeOf(await wrong.engine.run(call("t"), { subject: "ada" })), "DENIED");
  }
});

test("a tool whose definition changed while its call waited does not run", async () => {
  const changing = start(DBA, () => {
    changing.replace();
    return { approvers: [BOB] };
  });
  const result = await changing.engine.run(call("t"), { subject: "ada" });
  assert.deepEqual([codeOf(result), changing.runs()], ["DENIED", 0]);
  assert.match(textOf(result), /definition of "t" has changed/);
});

test("a call inside another one is not approved with it if a rule names its approvers, whatever id that rule has", async () => {
  let runs = 0;
  const inner = defineTool({ name: "t", description: "", run: () => (runs += 1) });
  const outer = defineTool({
    name: "outer",
    description: "",
    calls: () => [{ name: "t", input: {} }],
    run: (_input, { run }) => run("t", {}).then(() => 1),
  });
  const rules = [{ id: "mode.own", tool: "t", decision: "ask", approvers: DBA }] as const;
  const layers = [{ name: "l", rules, mayAllow: true }];
  const policy = createPolicy({ mode: "ask", workspace: [], layers });
  const asked: string[] = [];
  const approver = {
    ask: async ({ tool }: ApprovalRequest): Promise<Approval> => {
      asked.push(tool);
      return { approved: true, scope: "once" };
    },
  };
  const engine = createEngine({ policy, approver, tools: [inner, outer] });
  await engine.run(call("outer"), { subject: "ada" });
  assert.deepEqual([asked, runs], [["t"], 0]);
});

test("a suspended call does not run if a rule has come to name its approvers since", async () => {
  const journal = createMemoryJournal();
  let runs = 0;
  const engineWith = (approvers: object) => {
    const rules = [{ id: "r", decision: "ask", ...approvers }] as const;
    const policy = createPolicy({
      mode: "yolo",
      workspace: [],
      layers: [{ name: "l", rules, mayAllow: true }],
    });
    const tool = defineTool({ name: "t", description: "", run: () => (runs += 1) });
    return createEngine({ policy, journal, tools: [tool] });
  };
  for (const [then, now, code] of [
    [{}, { approvers: DBA }, "DENIED"],
    [{ approvers: DBA }, { approvers: { people: ["eve"] } }, "DENIED"],
    [{ approvers: DBA }, { approvers: DBA }, "ok"],
  ] as const) {
    const pending = await engineWith(then).run(call("t"), { whenAsked: "return", subject: "ada" });
    assert.ok("pending" in pending);
    const decision = { approved: true, scope: "once", approvers: [BOB] } as const;
    assert.equal(codeOf(await engineWith(now).resume(pending.token, decision)), code);
  }
  assert.equal(runs, 1);
});
