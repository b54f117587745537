import assert from "node:assert/strict";
import { test } from "node:test";
import { codeOf } from "../../../../test/support/engines/engine.ts";
import { engineOf } from "../../../../test/support/engines/sources.ts";
import { defineTool } from "../../../schema/define/define-tool.ts";
import { object, string } from "../../../schema/define/schema.ts";
import { createApprovals } from "./approvals.ts";
import { createGateway } from "./gateway.ts";

const QUIET = { changed: () => undefined, log: () => undefined };

test("calls of all clients run up to the concurrency, except those that wait for approval", async (t) => {
  const started: string[] = [];
  const gates = new Map<string, () => void>();
  const hold = (name: string, risk: "low" | "high") =>
    defineTool({
      name,
      description: "Waits.",
      input: object({ id: string("Which") }),
      risk,
      run({ id }) {
        started.push(id);
        return new Promise<string>((resolve) => gates.set(id, () => resolve("done")));
      },
    });
  const approvals = createApprovals();
  const tools = [hold("hold", "low"), hold("ask", "high")];
  const engine = engineOf(t, { approver: approvals.approver, mode: "auto", tools });
  const gateway = createGateway({ engine, approvals, concurrency: 2 });
  t.after(() => gateway.close());
  const clients = [gateway.open([], QUIET), gateway.open([], QUIET)];
  const asked = Promise.withResolvers<void>();
  const start = (client: number, name: string, id: string, controller = new AbortController()) => {
    const session = clients[client];
    assert(session !== undefined);
    const ask = () => (asked.resolve(), new Promise<never>(() => undefined));
    return session.call({ name, input: { id }, controller, ask });
  };
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  const waiting = new AbortController();
  const approval = start(0, "ask", "asked", waiting);
  await asked.promise;
  const [one, two] = [start(0, "hold", "1"), start(1, "hold", "2")];
  const cancelled = new AbortController();
  const three = start(0, "hold", "3", cancelled);
  const four = start(1, "hold", "4");
  await settled();
  assert.deepEqual(started, ["1", "2"], "the call that waits for approval has no slot");
  cancelled.abort();
  assert.equal(codeOf((await three).result), "CANCELLED");
  gates.get("2")?.();
  await two;
  await settled();
  assert.deepEqual(started, ["1", "2", "4"]);
  gates.get("1")?.();
  gates.get("4")?.();
  waiting.abort();
  const results = await Promise.all([one, four, approval]);
  assert.deepEqual(
    results.map(({ result }) => codeOf(result)),
    ["ok", "ok", "CANCELLED"],
  );
});
