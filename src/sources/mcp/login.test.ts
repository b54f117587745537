import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { test } from "node:test";
import { call, codeOf } from "../../../test/support/engines/engine.ts";
import { sceneOf } from "../../../test/support/servers/oauth-scene.ts";
import { followInBrowser, oauthPlace } from "../../../test/support/servers/oauth-server.ts";
import { names } from "../../../test/support/engines/sources.ts";
import { logIn } from "./login.ts";

const SIGNAL = new AbortController().signal;

test("after a login with PKCE and a registered client the tools are listed and called with the token", async (t) => {
  const { logIn: log, engine, place, stored } = await sceneOf(t);
  const login = await log();
  assert.deepEqual([login?.tokens.scope, (await stored.read()).challenge], ["read", undefined]);
  const { engine: made } = await engine();
  assert.deepEqual([names(made), made.sources.problems()], [["raw__whoami", "raw__admin"], []]);
  assert.equal(codeOf(await made.run(call("raw__whoami"))), "ok");
  assert.equal(place.requests.at(-1)?.authorization, `Bearer ${login?.tokens.access_token}`);
  assert.deepEqual([place.count("/register"), place.count("/authorize"), place.count("/token")], [1, 1, 1]);
});

test("a second login registers no second client, unless its port is in use", async (t) => {
  const { logIn: log, place, stored } = await sceneOf(t);
  await log();
  await log();
  assert.deepEqual([place.count("/register"), place.count("/authorize")], [1, 2]);
  const { registration } = await stored.read();
  const other = createServer().listen(Number(new URL(registration?.redirectUrl ?? "").port), "127.0.0.1");
  t.after(() => other.close());
  await once(other, "listening");
  await log();
  assert.deepEqual([place.count("/register"), place.count("/authorize")], [2, 3]);
});

test("headers of the MCP server are not sent to the authorization server", async (t) => {
  const { stored, server, place } = await sceneOf(t);
  const show = (address: URL): void => void followInBrowser(address);
  await logIn({ name: "raw", server: { ...server, headers: { "x-key": "k" } }, stored, show }, SIGNAL);
  assert.equal(place.requests[0]?.["x-key"], "k");
  assert.ok(place.authorizationRequests.length > 3);
  for (const { headers } of place.authorizationRequests) assert.equal(headers["x-key"], undefined);
});

test("a client that the user has registered is used, with its secret, its scope and its port", async (t) => {
  const client = { id: "mine", secret: "s3cret-of-mine" };
  const oauth = { clientId: client.id, clientSecret: client.secret, scope: "read write" };
  const { logIn: log, engine, place, logins } = await sceneOf(t, { client }, oauth);
  assert.equal((await log())?.tokens.scope, "read write");
  assert.ok(!JSON.stringify(await logins.list()).includes(client.secret), "it is written nowhere");
  const { engine: made } = await engine();
  place.expire();
  assert.equal(codeOf(await made.run(call("raw__whoami"))), "ok");
  assert.deepEqual([place.count("/register"), place.count("/token", "refresh_token")], [0, 1]);
});

test("a secret that was used at one authorization server is not sent to another that the server names later", async (t) => {
  const client = { id: "mine", secret: "s3cret-of-mine" };
  const oauth = { clientId: client.id, clientSecret: client.secret };
  const { logIn: log, stored, place } = await sceneOf(t, { client }, oauth);
  const login = await log();
  assert.ok(login);
  const moved = { ...login, client: { ...login.client, issuer: "https://before.example" } };
  await stored.update((state) => ({ ...state, login: moved }));
  const before = [place.count("/authorize"), place.count("/token")];
  await assert.rejects(log(), { code: "DENIED", message: /before\.example/ });
  assert.deepEqual([place.count("/authorize"), place.count("/token")], before);
});

test("a client id that is a URL is used as a metadata document if supported; otherwise a client is registered", async (t) => {
  const clientId = "https://client.example/about.json";
  const reading = await sceneOf(t, { readsDocuments: true }, { clientId });
  await reading.logIn();
  assert.equal(reading.place.count("/register"), 0);
  assert.equal(
    reading.place.authorizationRequests.find(({ path }) => path === "/authorize")?.query.get("client_id"),
    clientId,
  );
  const other = await sceneOf(t, {}, { clientId });
  await other.logIn();
  assert.equal(other.place.count("/register"), 1);
});

test("the answer of another login is refused, and this login goes on", async (t) => {
  const { logIn: log, place } = await sceneOf(t, { hasWrongState: true });
  const statuses: number[] = [];
  const login = await log(async (address) => {
    statuses.push((await followInBrowser(address)).status);
    place.plan({});
    statuses.push((await followInBrowser(address)).status);
  });
  assert.deepEqual(statuses, [400, 200]);
  assert.equal(place.count("/token"), 1);
  assert.ok(login?.tokens.access_token);
});

for (const [what, plan, code] of [
  ["the user says no", { isDenied: true }, "DENIED"],
  ["discovery hangs", { hangsAt: "/.well-known/oauth-authorization-server" }, "TOOL_TIMEOUT"],
  ["the registration hangs", { hangsAt: "/register" }, "TOOL_TIMEOUT"],
  ["the token endpoint hangs", { hangsAt: "/token" }, "TOOL_TIMEOUT"],
  ["the token endpoint fails", { tokenStatus: 500 }, "UNAUTHORIZED"],
] as const) {
  test(`if ${what} the login fails with ${code}, and the earlier login stays`, async (t) => {
    const { logIn: log, place, stored, engine } = await sceneOf(t);
    const before = await log();
    // Another port must be registered again.
    await stored.update(({ registration: _forgotten, ...state }) => state);
    place.plan(plan);
    const exchanges = place.count("/token");
    await assert.rejects(log(), { code });
    assert.deepEqual((await stored.read()).login, before);
    if (code === "DENIED") assert.equal(place.count("/token"), exchanges);
    place.plan({});
    assert.equal(codeOf(await (await engine()).engine.run(call("raw__whoami"))), "ok");
  });
}

test("a login ends after its time limit, and at once on Ctrl-C; both free the port", async (t) => {
  const { logIn: log, stored, server } = await sceneOf(t);
  const addresses: URL[] = [];
  const show = (address: URL): void => void addresses.push(address);
  await assert.rejects(logIn({ name: "raw", server, stored, show, timeoutMs: 50 }, SIGNAL), {
    code: "TOOL_TIMEOUT",
  });
  const stop = new AbortController();
  const giveUp = (address: URL): void => (addresses.push(address), stop.abort());
  await assert.rejects(log(giveUp, stop.signal), { code: "CANCELLED" });
  assert.equal((await stored.read()).login, undefined);
  for (const address of addresses) {
    const back = address.searchParams.get("redirect_uri") ?? "";
    await assert.rejects(fetch(back), TypeError);
  }
});

test("a configured port that is in use is reported", async (t) => {
  const other = await oauthPlace(t);
  const redirectPort = Number(new URL(other.issuer).port);
  const { logIn: log } = await sceneOf(t, {}, { redirectPort });
  await assert.rejects(log(), {
    code: "UNAVAILABLE",
    message: new RegExp(`127\\.0\\.0\\.1:${redirectPort}`),
  });
});

test("a login over plain HTTP is refused", async (t) => {
  const { stored, server } = await sceneOf(t);
  const open = { ...server, url: "http://mcp.example/mcp" };
  const show = (): void => assert.fail("nothing is to be shown");
  await assert.rejects(logIn({ name: "raw", server: open, stored, show }, SIGNAL), { code: "INVALID_INPUT" });
});
