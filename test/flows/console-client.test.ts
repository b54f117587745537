import assert from "node:assert/strict";
import { test } from "node:test";
import { Hono } from "hono";
import { ROUTES, type RouteName } from "../../src/app/http/api.ts";
import type { Given } from "../../src/app/http/api/routes.ts";
import { tokenCaller } from "../../src/app/host/people/caller.ts";
import { addApi, toResponse, type App } from "../../src/app/http/server/app.ts";
import { api, read, RequestError, urlOf } from "../../web/api/client.ts";

/** What arrived at the handler of an operation. */
interface Arrived {
  readonly name: string;
  readonly params: object;
  readonly query: unknown;
  readonly body: unknown;
}

/** Answers each operation with its name and what arrived there. The routing and the validation are those of the server. */
function echoApp(): App {
  const app: App = new Hono();
  app.use(async (context, next) => {
    context.set("caller", tokenCaller("admin"));
    await next();
  });
  app.onError((error) => toResponse(error));
  const echo =
    (name: string) =>
    ({ params, query, body }: Given<RouteName>) =>
      Response.json({ name, params, query, body });
  addApi(app, Object.fromEntries(Object.keys(ROUTES).map((name) => [name, echo(name)])), {});
  return app;
}

/** Answers fetch as in a page whose origin is the server: an address without an origin is one of the server. */
function servePage(app: App): Disposable {
  return withFetch(async (url, init) => app.request(url, init));
}

function withFetch(answer: (url: string, init?: RequestInit) => Promise<Response>): Disposable {
  const { fetch } = globalThis;
  globalThis.fetch = answer as typeof fetch;
  return { [Symbol.dispose]: () => void (globalThis.fetch = fetch) };
}

const id = "a/b ?&=#%2F{id}é";

/** A request of the console to each operation, and what must arrive. */
const REQUESTS: {
  readonly [N in RouteName]: readonly [request: () => Promise<unknown>, expected?: Partial<Arrived>];
} = {
  state: [() => read("state", {})],
  events: [async () => (await fetch(urlOf("events", { after: id }))).json(), { query: { after: id } }],
  calls: [
    () => read("calls", { limit: 5, all: true, text: id }),
    { query: { limit: 5, all: true, text: id } },
  ],
  call: [() => read("call", { callId: id }), { params: { callId: id } }],
  run: [
    () => api.run({ name: "shell", input: { command: id }, wait: false }),
    { body: { name: "shell", input: { command: id }, wait: false } },
  ],
  cancelCall: [() => api.cancelCall({ callId: id }), { params: { callId: id }, body: undefined }],
  counts: [() => read("counts", { since: 1.5 }), { query: { since: 1.5, buckets: 60 } }],
  trace: [() => read("trace", {}), { query: { format: "jsonl", limit: 1000, all: false } }],
  artifact: [
    () => read("artifact", { id, start: 5 }),
    { params: { id }, query: { start: 5, length: 65_536 } },
  ],
  searchArtifact: [
    () => read("searchArtifact", { id, text: id, isPattern: true }),
    { params: { id }, query: { text: id, isPattern: true, limit: 200 } },
  ],
  approvals: [() => read("approvals", {})],
  decide: [() => api.decide({ id }, { choice: "once" }), { params: { id }, body: { choice: "once" } }],
  grants: [() => read("grants", {})],
  revokeGrant: [() => api.revokeGrant({ id }), { params: { id } }],
  tools: [() => read("tools", {}), { query: { all: true } }],
  tool: [() => read("tool", { name: id }), { params: { name: id } }],
  sources: [() => read("sources", {})],
  refreshSource: [() => api.refreshSource({ name: id }), { params: { name: id } }],
  traffic: [() => read("traffic", { name: id }), { params: { name: id } }],
  pins: [() => read("pins", { name: id }), { params: { name: id } }],
  approvePins: [
    () => api.approvePins({ name: id }, { changes: [{ tool: "a", hash: "b" }] }),
    { params: { name: id }, body: { changes: [{ tool: "a", hash: "b" }] } },
  ],
  policy: [() => read("policy", {})],
  setMode: [() => api.setMode({ mode: "plan" }), { params: {}, body: { mode: "plan" } }],
  explain: [() => api.explain({ command: id }), { body: { command: id } }],
  allow: [() => api.allow({ command: id }), { body: { command: id } }],
  sandbox: [() => read("sandbox", {})],
  fleet: [() => read("fleet", {})],
  drainWorker: [() => api.drainWorker({ id }), { params: { id } }],
  retryDead: [() => api.retryDead({ key: id }), { params: { key: id } }],
  removeDead: [() => api.removeDead({ key: id }), { params: { key: id } }],
  sessions: [() => read("sessions", {}), { query: { all: false } }],
  session: [() => read("session", { id }), { params: { id } }],
  waterfall: [() => read("waterfall", { id }), { params: { id } }],
  renameSession: [() => api.renameSession({ id }, { title: "t" }), { params: { id }, body: { title: "t" } }],
  deleteSession: [() => api.deleteSession({ id }), { params: { id } }],
  agents: [() => read("agents", { session: id }), { query: { session: id } }],
  chats: [() => read("chats", {})],
  openChat: [() => api.openChat({ resume: id }), { body: { resume: id } }],
  chat: [() => read("chat", { id }), { params: { id } }],
  sendMessage: [() => api.sendMessage({ id }, { text: id }), { params: { id }, body: { text: id } }],
  forkChat: [() => api.forkChat({ id }, { before: 3 }), { params: { id }, body: { before: 3 } }],
  setChatModel: [() => api.setChatModel({ id }, { model: id }), { params: { id }, body: { model: id } }],
  chatContext: [() => read("chatContext", { id }), { params: { id } }],
  models: [() => read("models", {})],
  cancelChat: [() => api.cancelChat({ id }), { params: { id } }],
  closeChat: [() => api.closeChat({ id }), { params: { id } }],
};

test("every request of the console reaches its operation of the server, with its parameters and body", async () => {
  using _ = servePage(echoApp());
  for (const [name, [request, expected = {}]] of Object.entries(REQUESTS)) {
    const arrived = (await request()) as Arrived;
    assert.equal(arrived.name, name);
    for (const [part, value] of Object.entries(expected))
      assert.deepEqual(arrived[part as keyof Arrived], value, `${name}: ${part}`);
  }
});

test("a request that the server refuses throws its status, message and details", async () => {
  using _ = servePage(echoApp());
  await assert.rejects(api.run({ name: "" }), (error: unknown) => {
    assert.ok(error instanceof RequestError);
    assert.equal(error.status, 400);
    assert.match(error.message, /name/);
    return true;
  });
});

test("a request that no server answers has a hint, and a cancelled one throws its reason", async () => {
  const { fetch } = globalThis;
  // Port 1 of this machine: no server listens there.
  using _ = withFetch((url, init) => fetch(new URL(url, "http://127.0.0.1:1"), init));
  await assert.rejects(read("state", {}), { status: 0, message: "The server does not answer" });
  const reason = new Error("left the page");
  await assert.rejects(read("state", {}, AbortSignal.abort(reason)), reason);
});

test("the answer of a call that failed is a result, whatever its status is", async () => {
  using _ = servePage(
    new Hono().all("*", () =>
      Response.json({ callId: "a", ok: false, content: [] }, { status: 500 }),
    ) as never,
  );
  assert.deepEqual(await api.retryDead({ key: "k" }), { callId: "a", ok: false, content: [] });
});

test("a browser that is not signed in and a missing key of a model are different errors", async () => {
  const answers = new Hono()
    .get("/api/state", () => new Response("no", { status: 401, headers: { "www-authenticate": "Bearer" } }))
    .post("/api/chats", () =>
      Response.json({ error: { code: "X", message: "no key", hint: "set it" } }, { status: 401 }),
    );
  using _ = servePage(answers as never);
  await assert.rejects(read("state", {}), { status: 401, message: "This browser is not signed in" });
  await assert.rejects(api.openChat({}), { status: 401, message: "no key", hint: "set it" });
});
