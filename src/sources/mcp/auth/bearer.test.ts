import assert from "node:assert/strict";
import { test } from "node:test";
import { call, codeOf, textOf } from "../../../../test/support/engines/engine.ts";
import { mcpEngine, until } from "../../../../test/support/servers/mcp.ts";
import { sceneOf } from "../../../../test/support/servers/oauth-scene.ts";
import { oauthPlace } from "../../../../test/support/servers/oauth-server.ts";
import { defineTool } from "../../../schema/define/define-tool.ts";
import { object } from "../../../schema/define/schema.ts";
import { MASK } from "../../../secrets/mask.ts";
import { createBearer } from "./bearer.ts";
import { forgetLogins } from "./stored-login.ts";

const SIGNAL = new AbortController().signal;

test("a server that needs a login is UNAUTHORIZED with the login command as a hint, and no browser is opened", async (t) => {
  const { engine, place } = await sceneOf(t);
  const { engine: made, source } = await engine();
  const [problem] = made.sources.problems();
  assert.deepEqual(
    [problem?.reason, problem?.hint?.startsWith("run toolwright mcp login raw")],
    ["unauthorized", true],
  );
  await assert.rejects(source.connection(SIGNAL), { code: "UNAUTHORIZED" });
  assert.deepEqual(place.authorizationRequests, []);
});

test("a token that a server prints in its answer is masked, before and after a renewal", async (t) => {
  const { logIn: log, engine, place } = await sceneOf(t);
  await log();
  const { engine: made } = await engine();
  assert.equal(textOf(await made.run(call("raw__whoami"))), `whoami: ${MASK} may read`);
  place.expire();
  assert.equal(textOf(await made.run(call("raw__whoami"))), `whoami: ${MASK} may read`);
  assert.equal(place.tokens().length, 4);
});

test("a stored token is masked in the answer of another tool, before its server is used", async (t) => {
  const { logIn: log, server, logins, place } = await sceneOf(t);
  const login = await log();
  const [tokens, used] = [login?.tokens, place.count("/mcp")];
  const print = defineTool({
    name: "print",
    description: "p",
    input: object({}),
    run: () => JSON.stringify(tokens),
  });
  const { engine } = await mcpEngine(t, { server, logins }, { tools: [print] }, { isLazy: true });
  const text = textOf(await engine.run(call("print")));
  for (const secret of [tokens?.access_token, tokens?.refresh_token]) {
    assert.ok(secret !== undefined);
    assert.doesNotMatch(text, new RegExp(secret));
  }
  assert.equal(place.count("/mcp"), used);
});

test("an access token that expires during a session is renewed once for all running calls", async (t) => {
  const { logIn: log, engine, place } = await sceneOf(t);
  await log();
  const { engine: made } = await engine();
  for (const round of [1, 2]) {
    place.expire();
    const calls = Array.from({ length: 8 }, () => made.run(call("raw__whoami")));
    assert.deepEqual(new Set((await Promise.all(calls)).map(codeOf)), new Set(["ok"]));
    assert.equal(place.count("/token", "refresh_token"), round);
  }
});

test("two processes whose token is refused use the refresh token once", async (t) => {
  const { logIn: log, engine, place } = await sceneOf(t);
  await log();
  const [one, two] = [await engine(), await engine()];
  place.expire();
  const both = await Promise.all([one, two].map(({ engine: made }) => made.run(call("raw__whoami"))));
  assert.deepEqual(both.map(codeOf), ["ok", "ok"]);
  assert.equal(place.count("/token", "refresh_token"), 1);
});

test("a token with an expiry time is renewed before it expires", async (t) => {
  const { logIn: log, engine, place } = await sceneOf(t, { expiresInSeconds: 1 });
  await log();
  place.plan({ expiresInSeconds: 3600 });
  const { engine: made } = await engine();
  const before = place.requests.length;
  assert.equal(codeOf(await made.run(call("raw__whoami"))), "ok");
  assert.equal(place.count("/token", "refresh_token"), 1);
  assert.equal(place.requests.length, before + 1);
});

test("a revoked login is UNAUTHORIZED, and its tokens are deleted", async (t) => {
  const { logIn: log, engine, place, stored } = await sceneOf(t);
  await log();
  const { engine: made } = await engine();
  place.revoke();
  const result = await made.run(call("raw__whoami"));
  assert.deepEqual(
    [codeOf(result), result.ok ? "" : result.error.hint?.slice(0, 28)],
    ["UNAUTHORIZED", "run toolwright mcp login raw"],
  );
  assert.equal((await stored.read()).login, undefined);
  assert.equal(codeOf(await made.run(call("raw__whoami"))), "UNAUTHORIZED");
  assert.equal(place.count("/token", "refresh_token"), 1);
});

test("a login that is deleted during its renewal stays deleted", async (t) => {
  const { logIn: log, engine, place, stored, logins } = await sceneOf(t);
  await log();
  const { engine: made } = await engine();
  place.expire();
  place.plan({ hangsAt: "/token" });
  const running = made.run(call("raw__whoami"));
  await until(() => place.count("/token", "refresh_token") === 1, "the renewal has begun");
  await forgetLogins(logins, "raw");
  place.release();
  assert.equal(codeOf(await running), "UNAUTHORIZED");
  assert.equal((await stored.read()).login, undefined);
});

test("the scope that a call lacked is still stored after a renewal", async (t) => {
  const { logIn: log, engine, place } = await sceneOf(t);
  await log();
  const { engine: made } = await engine();
  assert.equal(codeOf(await made.run(call("raw__admin"))), "UNAUTHORIZED");
  place.expire();
  assert.equal(codeOf(await made.run(call("raw__whoami"))), "ok");
  assert.equal((await log())?.tokens.scope, "read admin");
});

test("a login without a refresh token has expired when it is refused", async (t) => {
  const { logIn: log, engine, place } = await sceneOf(t, { isShort: true });
  await log();
  const { engine: made } = await engine();
  place.expire();
  assert.equal(codeOf(await made.run(call("raw__whoami"))), "UNAUTHORIZED");
  assert.equal(place.count("/token"), 1);
});

for (const [what, plan] of [
  ["failing", { tokenStatus: 500 }],
  ["silent", { hangsAt: "/token" }],
] as const) {
  test(`while the authorization server is ${what} a call is UNAVAILABLE and the login stays stored`, async (t) => {
    const { logIn: log, place, stored, server, logins } = await sceneOf(t);
    await log();
    const { engine } = await mcpEngine(t, { server, logins, authorizationTimeoutMs: 300 });
    place.expire();
    place.plan(plan);
    assert.equal(codeOf(await engine.run(call("raw__whoami"))), "UNAVAILABLE");
    assert.notEqual((await stored.read()).login, undefined);
    place.plan({});
    assert.equal(codeOf(await engine.run(call("raw__whoami"))), "ok");
  });
}

test("an HTML page from a proxy of the authorization server is shortened in the error", async (t) => {
  const { logIn: log, engine, place } = await sceneOf(t);
  await log();
  const { engine: made } = await engine();
  place.expire();
  place.plan({ tokenPage: `<h1>Bad gateway</h1>${"x".repeat(100_000)}` });
  const result = await made.run(call("raw__whoami"));
  assert.equal(codeOf(result), "UNAVAILABLE");
  const { message = "" } = result.ok ? {} : result.error;
  assert.match(message, /could not be renewed: HTTP 502/);
  assert.ok(message.length < 1000, `${message.length} characters`);
});

test("a call that lacks a scope reports it, and the next login requests both scopes", async (t) => {
  const { logIn: log, engine } = await sceneOf(t);
  await log();
  const { engine: made } = await engine();
  const refused = await made.run(call("raw__admin"));
  assert.equal(codeOf(refused), "UNAUTHORIZED");
  assert.equal((await log())?.tokens.scope, "read admin");
  assert.equal(codeOf(await made.run(call("raw__admin"))), "ok");
});

test("a call that was refused during a login is retried with the new login", async (t) => {
  const { logIn: log, stored, server, place } = await sceneOf(t);
  const bearer = createBearer({ name: "raw", server, stored });
  const refused = await bearer.watch(fetch)(server.url, { method: "POST" });
  const login = await log();
  await bearer.onUnauthorized({ response: refused });
  assert.equal(await bearer.token(), login?.tokens.access_token);
  assert.deepEqual([(await stored.read()).challenge, place.count("/token")], [undefined, 1]);
});

test("a login is bound to its URL: the same name at another URL gets no token", async (t) => {
  const { logIn: log, engine, server, place } = await sceneOf(t);
  await log();
  const elsewhere = await oauthPlace(t);
  await engine({ ...server, url: elsewhere.server.url });
  assert.ok(elsewhere.requests.length > 0);
  for (const headers of elsewhere.requests) assert.equal(headers.authorization, undefined);
  await engine({ ...server, url: `${server.url}?other` });
  assert.equal(place.requests.at(-1)?.authorization, undefined);
});

test("a project's server gets no token of the user, and none before it is trusted", async (t) => {
  const { logIn: log, server, logins, place } = await sceneOf(t);
  await log();
  const before = place.requests.length;
  let isTrusted = false;
  const project = { folder: "/project", isTrusted: () => isTrusted };
  const { source } = await mcpEngine(t, { server, logins, project });
  assert.equal(place.requests.length, before);
  isTrusted = true;
  await assert.rejects(source.connection(SIGNAL), { code: "UNAUTHORIZED" });
  assert.equal(place.requests.at(-1)?.authorization, undefined);
});

test("a configured Authorization header is sent instead of a stored login", async (t) => {
  const { logIn: log, server, engine, place } = await sceneOf(t);
  await log();
  const { source } = await engine({ ...server, headers: { authorization: "Bearer mine" } });
  await assert.rejects(source.connection(SIGNAL), {
    code: "UNAUTHORIZED",
    hint: /check its Authorization header/,
  });
  assert.equal(place.requests.at(-1)?.authorization, "Bearer mine");
});

test("a deleted login is not used again", async (t) => {
  const { logIn: log, engine, logins, place } = await sceneOf(t);
  await log();
  const { engine: made } = await engine();
  assert.equal(await forgetLogins(logins, "raw"), true);
  assert.equal(await forgetLogins(logins, "raw"), false);
  assert.equal(codeOf(await made.run(call("raw__whoami"))), "UNAUTHORIZED");
  assert.equal(place.requests.at(-1)?.authorization, undefined);
});
