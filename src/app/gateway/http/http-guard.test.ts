import assert from "node:assert/strict";
import { test } from "node:test";
import { createCallers } from "./callers.ts";
import { createGuard, isLoopback } from "./http-guard.ts";

const TOKEN = "secret";
const TOKENS = { read: "r-secret", call: TOKEN, approve: "a-secret", admin: "o-secret" };

async function statusOf(
  headers: Readonly<Record<string, string>>,
  options: { readonly host?: string; readonly path?: string } = {},
): Promise<number> {
  const callers = createCallers({ tokens: TOKENS });
  const guard = createGuard({ callers, host: options.host ?? "127.0.0.1", port: 80 });
  const request = new Request(`http://127.0.0.1${options.path ?? `/mcp?token=${TOKEN}`}`, { headers });
  const found = await guard.admit(request);
  return "status" in found ? found.status : 200;
}

const HOSTS: readonly (readonly [string, number])[] = [
  ["127.0.0.1", 200],
  ["localhost", 200],
  ["LOCALHOST:80", 200],
  ["[::1]", 200],
  ["localhost.", 403],
  ["127.0.0.1:81", 403],
  ["evil.com", 403],
  ["127.0.0.1.evil.com", 403],
  ["127.0.0.1@evil.com", 403],
  ["evil.com/127.0.0.1", 403],
  ["", 403],
];

for (const [host, status] of HOSTS)
  test(`Host ${JSON.stringify(host)} is ${status}`, async () =>
    assert.equal(await statusOf({ host }), status));

const ORIGINS: readonly (readonly [string, number])[] = [
  ["http://127.0.0.1", 200],
  ["http://localhost", 200],
  ["null", 403],
  ["https://127.0.0.1", 403],
  ["http://127.0.0.1:3000", 403],
  ["http://evil.com", 403],
  ["http://127.0.0.1.evil.com", 403],
  ["file://", 403],
  ["", 403],
];

for (const [origin, status] of ORIGINS)
  test(`Origin ${JSON.stringify(origin)} is ${status}`, async () =>
    assert.equal(await statusOf({ host: "127.0.0.1", origin }), status));

test("the token is accepted in the header and in the address, if it is exact", async () => {
  const host = "127.0.0.1";
  const path = "/mcp";
  assert.equal(await statusOf({ host }, { path }), 401);
  assert.equal(await statusOf({ host, authorization: `Bearer ${TOKEN}` }, { path }), 200);
  assert.equal(await statusOf({ host, authorization: `bearer ${TOKEN}` }, { path }), 200);
  for (const wrong of ["Bearer", `Basic ${TOKEN}`, TOKEN, `Bearer ${TOKEN}x`, `Bearer x${TOKEN}`])
    assert.equal(await statusOf({ host, authorization: wrong }, { path }), 401, wrong);
  assert.equal(await statusOf({ host }, { path: `/mcp?token=${TOKEN.toUpperCase()}` }), 401);
  assert.equal(
    await statusOf({ host, authorization: "Bearer wrong" }),
    401,
    "a wrong header counts, even if the address has the right token",
  );
});

test("on the network the named address is allowed, and with a wildcard every literal address", async () => {
  assert.equal(await statusOf({ host: "192.0.2.7" }, { host: "192.0.2.7" }), 200);
  assert.equal(await statusOf({ host: "192.0.2.8" }, { host: "192.0.2.7" }), 403);
  assert.equal(await statusOf({ host: "192.0.2.8" }, { host: "0.0.0.0" }), 200);
  assert.equal(await statusOf({ host: "[2001:db8::1]" }, { host: "::" }), 200);
  assert.equal(await statusOf({ host: "evil.com" }, { host: "0.0.0.0" }), 403);
});

test("an access token counts for the address that the server is known by, not for any that a request names", async () => {
  const ask = async (host: string, listens: string, url?: string): Promise<readonly string[]> => {
    let asked: readonly string[] = [];
    const callers = {
      ...createCallers({ tokens: TOKENS }),
      byToken: async (_: string, resources: readonly string[] = []) => void (asked = resources),
    };
    const guard = createGuard({ callers, host: listens, port: 80, url });
    await guard.admit(new Request("http://127.0.0.1/mcp", { headers: { host } }));
    return asked;
  };
  assert.deepEqual(await ask("192.0.2.8", "0.0.0.0"), []);
  assert.deepEqual(await ask("localhost", "0.0.0.0"), ["http://localhost/mcp"]);
  assert.deepEqual(await ask("192.0.2.7", "192.0.2.7"), ["http://192.0.2.7/mcp"]);
  assert.deepEqual(await ask("192.0.2.8", "0.0.0.0", "https://tools.test"), ["https://tools.test/mcp"]);
});

test("only this machine's own addresses are loopback", () => {
  for (const host of ["localhost", "127.0.0.1", "127.1.2.3", "::1"])
    assert.equal(isLoopback(host), true, host);
  for (const host of [
    "0.0.0.0",
    "::",
    "",
    "192.168.0.1",
    "127.0.0.1.evil.com",
    "example.com",
    "localhost.evil.com",
  ])
    assert.equal(isLoopback(host), false, host);
});

test("the caller of a request is the token that it sends", async () => {
  const guard = createGuard({ callers: createCallers({ tokens: TOKENS }), host: "127.0.0.1", port: 80 });
  for (const [name, token] of Object.entries(TOKENS)) {
    const headers = { host: "127.0.0.1", authorization: `Bearer ${token}` };
    const admitted = await guard.admit(new Request("http://127.0.0.1/", { headers }));
    assert.equal("caller" in admitted && admitted.caller.name, `the ${name} token`);
  }
});
