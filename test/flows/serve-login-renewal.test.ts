import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { createBrowser } from "../support/servers/oidc-provider.ts";
import { createOidcPlace } from "./support/oidc-place.ts";
import { requestAs } from "./support/people.ts";
import { startServe } from "./support/serve.ts";

/** A server and its provider, which share a calendar that the test turns on. */
async function start(t: TestContext, ...more: readonly [Parameters<typeof createOidcPlace>[3]?]) {
  t.mock.timers.enable({ apis: ["Date"], now: Date.now() });
  const { provider, place } = await createOidcPlace(t, {}, {}, ...more);
  provider.users.set("u1", { preferred_username: "alice", groups: ["dev"] });
  const served = await startServe(t, place);
  const { origin } = served.address;
  const browser = createBrowser();
  const logIn = async () => {
    provider.login = "u1";
    const { response } = await browser.open(`${origin}/auth/login`);
    assert.equal(response.status, 200, await response.text());
  };
  const rights = async () => {
    const response = await browser.send(new URL("/api/state", origin));
    const body = (await response.json()) as { rights?: string[] };
    return response.status === 200 ? body.rights : response.status;
  };
  const asked = () => provider.received.filter((path) => path === "/token").length;
  const pass = (seconds: number): void => t.mock.timers.setTime(Date.now() + seconds * 1000);
  return { provider, served, origin, logIn, rights, asked, pass };
}

const CALLER = ["own", "call"];

test("a login is renewed when its token has expired, once for all requests, with the groups of then", async (t) => {
  const { provider, logIn, rights, asked, pass } = await start(t);
  provider.seconds = 120;
  await logIn();
  provider.users.set("u1", { preferred_username: "alice", groups: ["eyes"] });
  pass(110);
  assert.deepEqual([await rights(), asked()], [CALLER, 1]);
  pass(20);
  const all = await Promise.all(Array.from({ length: 8 }, rights));
  assert.deepEqual([all, asked()], [Array.from({ length: 8 }, () => ["read"]), 2]);
  // The token of the renewal renews the next.
  provider.users.set("u1", { preferred_username: "alice", groups: [] });
  pass(130);
  assert.deepEqual([await rights(), asked()], [403, 3]);
});

test("a login that the provider refuses to renew has ended", async (t) => {
  const { provider, logIn, rights, asked, pass } = await start(t);
  provider.seconds = 120;
  await logIn();
  provider.refresh = "refuses";
  pass(130);
  assert.deepEqual([await rights(), asked()], [401, 2]);
  provider.refresh = "renews";
  assert.deepEqual([await rights(), asked()], [401, 2]);
  await logIn();
  assert.deepEqual(await rights(), CALLER);
});

test("while the provider cannot be reached a login goes on, and it is asked again after a while", async (t) => {
  const { provider, logIn, rights, asked, pass } = await start(t);
  provider.seconds = 120;
  await logIn();
  provider.refresh = "is down";
  pass(130);
  assert.deepEqual([await rights(), await rights(), asked()], [CALLER, CALLER, 2]);
  provider.refresh = "renews";
  provider.users.set("u1", { preferred_username: "alice", groups: ["eyes"] });
  pass(20);
  assert.deepEqual([await rights(), asked()], [CALLER, 2]);
  pass(20);
  assert.deepEqual([await rights(), asked()], [["read"], 3]);
  // It does not go on for longer than a login may.
  provider.refresh = "is down";
  pass(12 * 3600);
  assert.deepEqual([await rights(), asked()], [401, 3]);
});

test("when the provider changes its keys, tokens of the new one count and those of the old one do not", async (t) => {
  const { provider, served, origin, logIn, rights, pass } = await start(t);
  const sign = () =>
    provider.sign({
      iss: provider.issuer,
      sub: "u1",
      aud: `${origin}/mcp`,
      exp: Math.floor(Date.now() / 1000) + 3600,
      groups: ["dev"],
      preferred_username: "alice",
    });
  const send = async (token: string) => {
    const list = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
    return (await requestAs(served, token, "POST", "/mcp", list)).status;
  };
  const before = await sign();
  assert.notEqual(await send(before), 401);
  await provider.rotateKeys();
  const after = await sign();
  // Not for each unknown key at once: anybody can name one.
  const reads = () => provider.received.filter((path) => path === "/jwks").length;
  assert.deepEqual([await send(after), await send(after), reads()], [401, 401, 1]);
  pass(6);
  assert.notEqual(await send(after), 401);
  assert.equal(await send(before), 401);
  assert.equal(reads(), 2);
  await logIn();
  assert.deepEqual(await rights(), CALLER);
});

test("a provider that takes the secret only in the body gets it there", async (t) => {
  const { logIn, rights } = await start(t, "client_secret_post");
  await logIn();
  assert.deepEqual(await rights(), CALLER);
});
