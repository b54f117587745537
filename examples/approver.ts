// If a call needs approval, your approver decides: for this call, or for the same call in the session.
import assert from "node:assert/strict";
import { createEngine, defineTool, object, string, type Approval, type ApprovalRequest } from "toolwright";

const sent: string[] = [];
const mail = defineTool({
  name: "send_mail",
  description: "Sends a mail.",
  input: object({ to: string() }),
  risk: "high",
  run: ({ to }) => void sent.push(to),
});

const requests: ApprovalRequest[] = [];
const engine = createEngine({
  tools: [mail],
  approver: {
    async ask(request): Promise<Approval> {
      requests.push(request);
      if (request.input["to"] === "boss@example.com") return { approved: false, reason: "she is on leave" };
      return { approved: true, scope: "session" };
    },
  },
});
const send = (to: string) => engine.run({ id: to, name: "send_mail", input: { to } }, { session: "s1" });

assert.ok((await send("ann@example.com")).ok);
console.log(requests[0]);
assert.equal(requests[0]?.reason, '"send_mail" is high risk and mode auto asks before such calls');

// The grant is bound to the tool and this exact input: any other call needs approval again.
assert.ok((await send("ann@example.com")).ok);
assert.equal(requests.length, 1);

const refused = await send("boss@example.com");
assert.ok(!refused.ok);
console.log(refused.content);
assert.equal(refused.error.code, "DENIED");
assert.match(refused.error.message, /she is on leave/);
assert.deepEqual(sent, ["ann@example.com", "ann@example.com"]);
await engine.close();

// Without an approver the call is denied, with a hint how to allow it.
const headless = createEngine({ tools: [mail] });
const denied = await headless.run({ id: "1", name: "send_mail", input: { to: "ann@example.com" } });
assert.ok(!denied.ok);
console.log(denied.error.hint);
assert.equal(denied.error.hint, "give createEngine an approver, or a mode that allows it");
await headless.close();
