import assert from "node:assert/strict";
import { test } from "node:test";
import type { ApprovalRequest } from "../../core/approval.ts";
import type { Client } from "./client/client.ts";
import { createPermissions } from "./permissions.ts";

const REQUEST: ApprovalRequest = {
  callId: "1",
  tool: "deploy",
  risk: "high",
  input: { target: "production" },
  facts: [],
  reason: "it deploys",
  hash: "h",
};

/** Answers each question with `optionId`; returns the texts that the editor was shown, and the approval. */
async function asked(request: ApprovalRequest, optionId = "once") {
  const shown: string[] = [];
  const context = {
    request: (_: string, { toolCall }: { readonly toolCall: { readonly content: unknown } }) => {
      shown.push(JSON.stringify(toolCall.content));
      return Promise.resolve({ outcome: { outcome: "selected", optionId } });
    },
  };
  const client = { context, capabilities: {}, sessionId: "s" } as unknown as Client;
  const approver = createPermissions(client, { idOf: (id) => id }, () => undefined);
  const approval = await approver.ask(request, new AbortController().signal);
  return { shown: shown.join("\n"), approval };
}

test("an editor shows the input of a call that touches nothing known", async () => {
  const { shown, approval } = await asked(REQUEST);
  assert.match(shown, /it deploys.*production/);
  assert.deepEqual(approval, { approved: true, scope: "once" });
});

test("an editor shows what a call touches instead of its input", async () => {
  const facts = [{ kind: "host", host: "example.com" }] as const;
  const { shown } = await asked({ ...REQUEST, facts });
  assert.match(shown, /host example\.com/);
  assert.doesNotMatch(shown, /production/);
});

test("an answer that was not offered is a denial", async () => {
  assert.equal((await asked(REQUEST, "root")).approval.approved, false);
});
