import assert from "node:assert/strict";
import { createServer, type AddressInfo } from "node:net";
import { test, type TestContext } from "node:test";
import { createPlace, runCli, startRun } from "./support/cli.ts";
import { createBrowser } from "../support/servers/oidc-provider.ts";
import { createOidcPlace } from "./support/oidc-place.ts";
import { addPerson } from "./support/people.ts";
import { startServe } from "./support/serve.ts";
import { untilTrue } from "../support/running.ts";

/** Tokens say in seconds when they were made. */
function laterSecond(): Promise<unknown> {
  const now = Math.floor(Date.now() / 1000);
  return untilTrue("a later second", () => Math.floor(Date.now() / 1000) > now);
}

type Browser = ReturnType<typeof createBrowser>;

async function start(t: TestContext) {
  const { provider, place } = await createOidcPlace(t);
  provider.users.set("u1", { preferred_username: "alice", groups: ["dev"] });
  const served = await startServe(t, place);
  const { origin } = served.address;
  const logIn = async (user: string, browser = createBrowser()) => {
    provider.login = user;
    const { response, url } = await browser.open(`${origin}/auth/login`);
    return { browser, response, text: await response.text(), url };
  };
  const stateOf = async (browser: Browser) => {
    const response = await browser.send(new URL("/api/state", origin));
    const body = (await response.json()) as { person?: string; rights?: string[] };
    return { status: response.status, body };
  };
  return { provider, place, served, origin, logIn, stateOf };
}

test("a person logs in at the provider, is somebody here from then on, and logs out", async (t) => {
  const { place, origin, logIn, stateOf } = await start(t);
  const { browser, response, text } = await logIn("u1");
  assert.equal(response.status, 200, text);
  assert.match(text, /You are logged in/);
  const session = response.headers.getSetCookie().find((line) => line.includes("=tws_"));
  assert.match(session ?? "", /Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/);
  const { body } = await stateOf(browser);
  assert.deepEqual([body.person, body.rights], ["alice", ["own", "call"]]);
  const { stdout } = await runCli(place, ["user", "list"]);
  assert.match(stdout, /^alice {2}caller, in 1 group: dev, logs in at http/m);
  const copied = createBrowser();
  for (const [name, value] of browser.cookies(new URL(origin)))
    await copied.send(new URL("/api/state", origin), { headers: { cookie: `${name}=${value}` } });
  const out = await browser.send(new URL("/auth/logout", origin), {
    method: "POST",
    headers: { "content-type": "application/json" },
  });
  assert.match(((await out.json()) as { url: string }).url, /session\/end/);
  assert.equal((await stateOf(browser)).status, 401);
  // The session has ended, not the cookie alone.
  const [cookie = ""] = session?.split(";") ?? [];
  const again = await fetch(new URL("/api/state", origin), { headers: { cookie } });
  assert.equal(again.status, 401);
});

test("a person of the provider is none of those of the same name whom somebody added here", async (t) => {
  const { provider, place, logIn, stateOf } = await start(t);
  await addPerson(place, "alice", "admin");
  const { browser } = await logIn("u1");
  assert.deepEqual((await stateOf(browser)).body, { ...(await stateOf(browser)).body, person: "alice-2" });
  assert.deepEqual((await stateOf(browser)).body.rights, ["own", "call"]);
  provider.users.set("u2", { preferred_username: "Alice", groups: ["eyes"] });
  const { browser: other } = await logIn("u2");
  assert.equal((await stateOf(other)).body.person, "alice-3");
  const { browser: again } = await logIn("u1");
  assert.equal((await stateOf(again)).body.person, "alice-2");
});

test("the groups of a person are those of the last login", async (t) => {
  const { provider, logIn, stateOf } = await start(t);
  const { browser } = await logIn("u1");
  provider.users.set("u1", { preferred_username: "alice", groups: ["eyes"] });
  await laterSecond();
  const { browser: second } = await logIn("u1");
  for (const one of [browser, second]) assert.deepEqual((await stateOf(one)).body.rights, ["read"]);
  // Most providers leave the claim out for a person of no group.
  provider.users.set("u1", { preferred_username: "alice" });
  await laterSecond();
  assert.equal((await logIn("u1")).response.status, 403);
  for (const one of [browser, second]) assert.equal((await stateOf(one)).status, 403);
});

test("somebody of no group with a role is refused and is not added", async (t) => {
  const { provider, place, logIn } = await start(t);
  provider.users.set("u9", { preferred_username: "guest", groups: ["guests"] });
  const { response, text } = await logIn("u9");
  assert.equal(response.status, 403);
  assert.match(text, /no role of it is yours/);
  assert.match((await runCli(place, ["user", "list"])).stdout, /no people yet/);
});

test("a login ends where it began: in the same browser, once", async (t) => {
  const { provider, origin } = await start(t);
  provider.login = "u1";
  const [victim, attacker] = [createBrowser(), createBrowser()];
  const back = `${origin}/auth/callback`;
  const { url } = await attacker.open(`${origin}/auth/login`, back);
  const forced = await victim.send(url);
  assert.equal(forced.status, 403);
  assert.equal(victim.cookies(url).size, 0);
  for (const query of ["", "?code=x", "?code=x&state=y", `?code=x&state=${url.searchParams.get("state")}`]) {
    const wrong = await victim.send(new URL(`/auth/callback${query}`, origin));
    assert.equal(wrong.status, 403, query);
  }
  assert.equal((await attacker.send(url)).status, 200);
  assert.equal((await attacker.send(url)).status, 403);
});

test("who is disabled has no session within a moment, and cannot begin another", async (t) => {
  const { place, origin, logIn, stateOf } = await start(t);
  const { browser } = await logIn("u1");
  const stream = await browser.send(new URL("/api/events", origin));
  let isOpen = true;
  void (async () => {
    for await (const _ of stream.body ?? []);
  })()
    .catch(() => undefined)
    .finally(() => (isOpen = false));
  await runCli(place, ["user", "disable", "alice"]);
  await untilTrue("the stream has ended", () => !isOpen);
  assert.equal((await stateOf(browser)).status, 401);
  assert.equal((await logIn("u1")).response.status, 403);
  await runCli(place, ["user", "remove", "alice"]);
  assert.equal((await logIn("u1")).response.status, 403);
});

test("a page of another server cannot log a browser in under another name", async (t) => {
  const { place, served, origin, stateOf } = await start(t);
  const token = await addPerson(place, "mallory", "caller");
  for (const site of ["cross-site", "same-site", undefined]) {
    const browser = createBrowser();
    const headers = { accept: "text/html", ...(site !== undefined && { "sec-fetch-site": site }) };
    const asked = await browser.send(new URL(`/?token=${token}`, origin), { headers });
    assert.equal(asked.status, 200);
    const page = await asked.text();
    assert.match(page, /Log in as mallory/);
    assert.equal((await stateOf(browser)).status, 401);
    const confirmed = new URL(
      `/?token=${token}&asked=${/name="asked" value="([^"]+)"/.exec(page)?.[1]}`,
      origin,
    );
    // Another page does not know what was asked, and its own cookie is another.
    const guess = await createBrowser().send(confirmed, { headers });
    assert.equal(guess.status, 200);
    const entered = await browser.send(confirmed, { headers });
    assert.equal(entered.status, 303);
    assert.equal((await stateOf(browser)).body.person, "mallory");
  }
  for (const site of ["none", "same-origin"]) {
    const headers = { accept: "text/html", "sec-fetch-site": site };
    assert.equal((await createBrowser().send(served.address, { headers })).status, 303);
  }
});

for (const command of [
  ["serve", "--port", "0"],
  ["mcp", "--http", "0"],
])
  for (const [store, says] of [
    ["nats", /auth\.oidc: the store is nats, and people are stored only in a store on disk/],
    [":memory:", /auth\.oidc: people cannot be stored in memory/],
  ] as const)
    test(`${command[0]} does not start with a login and the store ${store}, which can hold no people`, async (t) => {
      const fleet = { servers: ["nats://127.0.0.1:1"] };
      const { place } = await createOidcPlace(t, {}, { store, fleet });
      const { finished, shown, terminate } = startRun(place, command);
      await Promise.race([finished, untilTrue("it serves", () => shown.stdout !== "")]);
      terminate();
      const { code, stdout, stderr } = await finished;
      assert.deepEqual([code, stdout], [2, ""], stderr);
      assert.match(stderr, says);
      assert.match(stderr, /--store FOLDER/);
    });

for (const command of ["serve --port", "mcp --http"])
  test(`${command}: nothing goes on when the port cannot be opened`, async (t) => {
    const place = createPlace(t);
    await addPerson(place, "alice", "caller");
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    t.after(() => other.close());
    const { port } = other.address() as AddressInfo;
    const [begun, ended] = [
      t.mock.method(globalThis, "setInterval"),
      t.mock.method(globalThis, "clearInterval"),
    ];
    const { code, stderr } = await runCli(place, [...command.split(" "), String(port)]);
    assert.equal(code, 1, stderr);
    assert.match(stderr, /cannot listen on 127\.0\.0\.1/);
    const cleared = new Set(ended.mock.calls.map((call) => call.arguments[0]));
    const going = begun.mock.calls.filter(({ result }) => !cleared.has(result));
    assert.ok(begun.mock.callCount() > 0);
    assert.deepEqual(
      going.map(({ arguments: [, ms] }) => ms),
      [],
    );
  });
