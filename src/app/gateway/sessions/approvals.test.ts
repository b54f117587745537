import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { HANDSHAKE } from "../../../../test/support/servers/wrong-parameters.ts";
import type { JsonObject } from "../../../core/json.ts";
import { createEngine } from "../../../engine/engine.ts";
import { defineTool } from "../../../schema/define/define-tool.ts";
import { createApprovalQueue } from "../../../store/database/approval-queue.ts";
import { createMemoryCollections } from "../../../util/json/memory-collections.ts";
import { joinApprovers } from "../../host/approvals/join-approvers.ts";
import { serveMcp } from "../serve-engine.ts";
import { createClientApprovals } from "./approvals.ts";

test("a client without forms and progress is answered in time: how to approve, and the same call then runs once", async (t) => {
  let ran = 0;
  const danger = defineTool({
    name: "danger",
    description: "d",
    risk: "high",
    run: () => `ran ${(ran += 1)}`,
  });
  const queue = createApprovalQueue(createMemoryCollections(), { pollMs: 5 });
  const clients = createClientApprovals(20);
  const approver = joinApprovers([clients.approver], queue.approver);
  const engine = createEngine({ tools: [danger], approver });
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const served = serveMcp(engine, {
    stdin,
    stdout,
    approvals: { ...clients, approver },
    log: () => undefined,
  });
  t.after(async () => {
    await served.close();
    await engine.close();
  });
  const lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  const ask = async (id: string, method: string, params: JsonObject): Promise<string> => {
    stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    for (;;) {
      const { value } = await lines.next();
      if ((JSON.parse(String(value)) as { readonly id?: unknown }).id === id) return String(value);
    }
  };
  await ask("i", "initialize", HANDSHAKE);
  const call = { name: "danger", arguments: {} };
  const first = await ask("1", "tools/call", call);
  const [pending] = await queue.pending();
  assert.match(first, /"isError":true/);
  assert.match(first, new RegExp(`waits for approval.*toolwright approve ${pending?.id}`));
  assert.equal(ran, 0);
  // Asked again before the answer, it is the same request.
  await ask("2", "tools/call", call);
  assert.deepEqual(
    (await queue.pending()).map(({ id }) => id),
    [pending?.id],
  );
  assert.ok(await queue.answer(pending?.id ?? "", { approved: true, scope: "once" }));
  assert.match(await ask("3", "tools/call", call), /ran 1/);
  assert.match(await ask("4", "tools/call", call), /waits for approval/);
  assert.equal(ran, 1);
});
