// A hono server with two users: calls that need approval are suspended, and each user decides on their own over HTTP.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { createEngine, defineTool, object, string } from "toolwright";
import { createStoredGrants, openStore } from "toolwright/store";
import { z } from "zod";

let sent = 0;
const mail = defineTool({
  name: "send_mail",
  description: "Sends a mail.",
  input: object({ to: string("The receiver") }),
  run({ to }) {
    sent += 1;
    return `sent to ${to}`;
  },
});

const folder = mkdtempSync(join(tmpdir(), "toolwright-server-"));
// Calls, grants and tokens are in the store: any process that opens it can answer the next request.
const store = await openStore({ folder });
const engine = createEngine({
  tools: [mail],
  journal: store.journal,
  grants: createStoredGrants(store.collections, folder),
});
const approvals = store.collections.open("approvals");

const callBody = z.object({ name: z.string(), input: z.unknown() });
const storedApproval = z.object({ token: z.string() });
const decisionBody = z.discriminatedUnion("approved", [
  z.object({ approved: z.literal(true), scope: z.enum(["once", "session", "always"]) }),
  z.object({ approved: z.literal(false), reason: z.string().default("the user refused") }),
]);
// Stands for your own authentication.
const users = new Map([
  ["Bearer ann-secret", "ann"],
  ["Bearer ben-secret", "ben"],
]);

const app = new Hono<{ Variables: { user: string } }>();
app.use(async (context, next) => {
  const user = users.get(context.req.header("authorization") ?? "");
  if (user === undefined) return context.json({ error: "log in first" }, 401);
  context.set("user", user);
  return next();
});
app.onError((error, context) =>
  context.json({ error: error.message }, error instanceof z.ZodError ? 400 : 500),
);
app.post("/calls", async (context) => {
  const subject = context.get("user");
  const call = { id: randomUUID(), ...callBody.parse(await context.req.json()) };
  const result = await engine.run(call, { subject, session: subject, whenAsked: "return" });
  if (!("pending" in result)) return context.json(result);
  // The token gives the right to decide: it stays on the server, under the key of its user.
  const { tool, input, reason } = result.request;
  await approvals.set(`${subject}/${call.id}`, { token: result.token });
  return context.json({ approval: call.id, tool, input, reason }, 202);
});
app.post("/approvals/:id", async (context) => {
  const stored = await approvals.get(`${context.get("user")}/${context.req.param("id")}`);
  if (stored === undefined) return context.json({ error: "you have no such approval" }, 404);
  const decision = decisionBody.parse(await context.req.json());
  return context.json(await engine.resume(storedApproval.parse(stored).token, decision));
});

const http = serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 });
await once(http, "listening");
const address = http.address();
if (address === null || typeof address === "string") throw new Error("it does not listen on a port");
const url = `http://127.0.0.1:${address.port}`;

// The other side: Ann and Ben with their clients.
const replyBody = z.object({ approval: z.string().optional(), ok: z.boolean().optional() });
async function post(user: string, path: string, body: object) {
  const response = await fetch(`${url}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${user}-secret`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const reply: unknown = await response.json();
  console.log(user, path, response.status, reply);
  return { status: response.status, ...replyBody.parse(reply) };
}

try {
  const call = { name: "send_mail", input: { to: "board@example.com" } };
  assert.equal((await post("eve", "/calls", call)).status, 401);

  assert.equal((await post("ann", "/calls", { tool: "send_mail" })).status, 400);
  const submitted = await post("ann", "/calls", call);
  assert.equal(submitted.status, 202);
  const always = { approved: true, scope: "always" };
  // A user cannot decide for another.
  assert.equal((await post("ben", `/approvals/${submitted.approval}`, always)).status, 404);
  assert.equal(sent, 0);
  assert.equal((await post("ann", `/approvals/${submitted.approval}`, always)).ok, true);
  // A request that is sent again gets the same answer, and runs nothing.
  assert.equal((await post("ann", `/approvals/${submitted.approval}`, always)).ok, true);
  // Ann's approval is lasting, and hers alone.
  assert.equal((await post("ann", "/calls", call)).ok, true);
  const other = await post("ben", "/calls", call);
  assert.equal(other.status, 202);
  assert.equal((await post("ben", `/approvals/${other.approval}`, { approved: false })).ok, false);
  assert.equal(sent, 2);
} finally {
  http.close();
  await engine.close();
  await store.close();
  rmSync(folder, { recursive: true });
}
