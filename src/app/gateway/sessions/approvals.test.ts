import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { HANDSHAKE } from "../../../../test/support/servers/wrong-parameters.ts";
import type { JsonObject } from "../../../core/json.ts";
import type { Collections } from "../../../core/store/collection.ts";
import { createEngine } from "../../../engine/engine.ts";
import { defineTool } from "../../../schema/define/define-tool.ts";
import { createApprovalQueue } from "../../../store/database/approval-queue.ts";
import { createMemoryCollections } from "../../../util/json/memory-collections.ts";
import { joinApprovers } from "../../host/approvals/join-approvers.ts";
import { serveMcp } from "../serve-engine.ts";
import { createClientApprovals } from "./approvals.ts";

/** Starts a gateway with one tool that needs approval; `ask` sends a request and returns the answer. */
function startGateway(collections: Collections, run: () => string) {
  const danger = defineTool({ name: "danger", description: "d", risk: "high", run });
  const queue = createApprovalQueue(collections, { pollMs: 5 });
  const clients = createClientApprovals(() => 20);
  const approver = joinApprovers([clients.approver], queue.approver);
  approver.identify(clients.callerOf);
  const engine = createEngine({ tools: [danger], approver });
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const approvals = { ...clients, approver };
  const served = serveMcp(engine, { stdin, stdout, approvals, log: () => undefined });
  const lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  return {
    queue,
    ask: async (id: string, method: string, params: JsonObject): Promise<string> => {
      stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
      for (;;) {
        const { value } = await lines.next();
        if ((JSON.parse(String(value)) as { readonly id?: unknown }).id === id) return String(value);
      }
    },
    close: async () => {
      await served.close();
      await engine.close();
    },
  };
}

const CALL = { name: "danger", arguments: {} };

test("a client without forms and progress is answered in time: how to approve, and the same call then runs once", async (t) => {
  let ran = 0;
  const { queue, ask, close } = startGateway(createMemoryCollections(), () => `ran ${(ran += 1)}`);
  t.after(close);
  await ask("i", "initialize", HANDSHAKE);
  const first = await ask("1", "tools/call", CALL);
  const [pending] = await queue.pending();
  assert.match(first, /"isError":true/);
  assert.match(first, new RegExp(`waits for approval.*toolwright approve ${pending?.id}`));
  assert.equal(ran, 0);
  // Asked again before the answer, it is the same request.
  await ask("2", "tools/call", CALL);
  assert.deepEqual(
    (await queue.pending()).map(({ id }) => id),
    [pending?.id],
  );
  assert.ok(await queue.answer(pending?.id ?? "", { approved: true, scope: "once" }));
  assert.match(await ask("3", "tools/call", CALL), /ran 1/);
  assert.match(await ask("4", "tools/call", CALL), /waits for approval/);
  assert.equal(ran, 1);
});

test("a client that starts a gateway for each call finds its request again, by its name, and the answer once", async () => {
  const collections = createMemoryCollections();
  let ran = 0;
  const callOnce = async (client: string, { answers = false } = {}): Promise<string> => {
    const { queue, ask, close } = startGateway(collections, () => `ran ${(ran += 1)}`);
    await ask("i", "initialize", { ...HANDSHAKE, clientInfo: { name: client, version: "1" } });
    const answer = await ask("1", "tools/call", CALL);
    await close();
    const [pending] = await queue.pending();
    if (answers) assert.ok(await queue.answer(pending?.id ?? "", { approved: true, scope: "once" }));
    return answer;
  };
  const id = (answer: string): string | undefined => /toolwright approve ([\w-]+)/.exec(answer)?.[1];
  const first = await callOnce("each-call");
  assert.match(first, /waits for approval/);
  assert.equal(id(await callOnce("each-call", { answers: true })), id(first));
  const other = await callOnce("other");
  assert.ok(id(other) !== undefined && id(other) !== id(first), "another client's request is another one");
  assert.match(await callOnce("each-call"), /ran 1/);
  assert.match(await callOnce("each-call"), /waits for approval/);
  assert.equal(ran, 1);
});
