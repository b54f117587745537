import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import {
  followInBrowser,
  oauthPlace,
  type OAuthPlace,
  type OAuthPlan,
} from "../support/servers/oauth-server.ts";
import { untilTrue } from "../support/running.ts";
import {
  createPlace,
  runCli,
  startCli,
  startRun,
  until,
  type CliOptions,
  type Finished,
  type Place,
  type RunningHere,
} from "./support/cli.ts";
import { connectMcp } from "./support/mcp-client.ts";

interface AuthPlace {
  readonly place: Place;
  readonly oauth: OAuthPlace;
  readonly run: (args: readonly string[], options?: CliOptions) => Promise<Finished>;
  /** Logs in like a user who opens the printed URL. */
  readonly logIn: (name?: string) => Promise<Finished>;
}

/** A place with one configured server, `docs`, that needs a login. */
async function authPlace(t: TestContext, plan: OAuthPlan = {}): Promise<AuthPlace> {
  const place = createPlace(t);
  const oauth = await oauthPlace(t, plan);
  const run = (args: readonly string[], options?: CliOptions): Promise<Finished> =>
    runCli(place, args, options);
  assert.equal((await run(["mcp", "add", "docs", "--url", oauth.server.url])).code, 0);
  const logIn = async (name = "docs"): Promise<Finished> => {
    const running = startRun(place, ["mcp", "login", name, "--no-browser"]);
    await followInBrowser(await printedAddress(running));
    return running.finished;
  };
  return { place, oauth, run, logIn };
}

async function printedAddress({ shown, finished }: Pick<RunningHere, "shown" | "finished">): Promise<URL> {
  let isOver = false;
  void finished.then(() => (isOver = true));
  await until("the address", () => isOver || /\n\n {2}http\S+\n\n/.test(shown.stdout));
  const [, address] = /\n\n {2}(http\S+)\n\n/.exec(shown.stdout) ?? [];
  assert.ok(address, `${shown.stdout}${shown.stderr}`);
  return new URL(address);
}

test("for a server that needs a login the command is named; then login, call and logout work", async (t) => {
  const { run, logIn, oauth } = await authPlace(t);
  // Listing alone creates no store.
  assert.equal((await run(["call", "ls"])).code, 0);
  const refused = await run(["mcp", "test", "docs"]);
  assert.deepEqual([refused.code, /toolwright mcp login docs/.test(refused.stderr)], [1, true]);
  assert.match((await run(["tools", "--problems"])).stdout, /toolwright mcp login docs/);
  assert.match((await run(["mcp", "list"])).stdout, /^docs +eager, needs login +/);
  const login = await logIn();
  assert.equal(login.code, 0, login.stderr);
  const said = `logged in to docs through ${oauth.issuer}\ngranted: read\nvalid until it is revoked, renewed automatically\n`;
  assert.ok(login.stdout.endsWith(said), login.stdout);
  assert.match((await run(["mcp", "list"])).stdout, /^docs +eager, logged in +/);
  assert.match((await run(["mcp", "test", "docs"])).stdout, /2 tools: docs__whoami, docs__admin/);
  const called = await run(["call", "docs__whoami", "--yes"]);
  assert.equal(called.code, 0, called.stderr);
  assert.equal((await run(["mcp", "logout", "docs"])).stdout, "logged out of docs\n");
  assert.equal((await run(["mcp", "logout", "docs"])).stdout, "no stored login for docs\n");
  assert.equal((await run(["call", "docs__whoami", "--yes"])).code, 1);
});

test("no token is ever printed, logged or in the trace", async (t) => {
  const { run, logIn, oauth, place } = await authPlace(t);
  const log = join(place.home, "log");
  const shown = [await logIn()];
  const environment = { TOOLWRIGHT_LOG: `debug:${log}` };
  for (const renewed of [false, true]) {
    if (renewed) oauth.expire();
    shown.push(await run(["call", "docs__whoami", "--yes", "--json", "--verbose"], { environment }));
  }
  for (const args of [["mcp", "list", "--json"], ["mcp", "test", "docs"], ["doctor"], ["trace", "--json"]])
    shown.push(await run(args));
  assert.equal(oauth.count("/token", "refresh_token"), 1);
  assert.equal(oauth.tokens().length, 4);
  const texts = [...shown.map(({ stdout, stderr }) => stdout + stderr), readFileSync(log, "utf8")];
  for (const token of oauth.tokens())
    for (const text of texts) assert.ok(!text.includes(token), `${token} in ${text}`);
  const state = join(place.home, "state");
  assert.ok(readdirSync(state).some((name) => name.endsWith(".db")));
});

test("a running gateway renews the login, and uses one that is made while it runs", async (t) => {
  const { place, logIn, oauth } = await authPlace(t);
  const { client } = await connectMcp(t, place, { args: ["--mode", "yolo"] });
  const before = await client.listTools();
  assert.ok(!before.tools.some(({ name }) => name === "docs__whoami"));
  assert.equal((await logIn()).code, 0);
  await untilTrue("the tools come", async () =>
    (await client.listTools()).tools.some(({ name }) => name === "docs__whoami"),
  );
  oauth.expire();
  const answer = await client.callTool({ name: "docs__whoami", arguments: {} });
  assert.notEqual(answer.isError, true, JSON.stringify(answer));
  assert.equal(oauth.count("/token", "refresh_token"), 1);
});

test("a refused login, and a cancelled one, exit with their codes and store nothing", async (t) => {
  const { place, run, logIn, oauth } = await authPlace(t, { isDenied: true });
  const denied = await logIn();
  assert.deepEqual([denied.code, /access_denied/.test(denied.stderr)], [3, true]);
  const running = startCli(place, ["mcp", "login", "docs", "--no-browser"]);
  const address = await printedAddress(running);
  running.child.kill("SIGINT");
  const { code } = await running.finished;
  assert.equal(code, 130);
  await assert.rejects(fetch(address.searchParams.get("redirect_uri") ?? ""), TypeError);
  assert.equal(oauth.count("/token"), 0);
  assert.match((await run(["mcp", "list"])).stdout, /^docs +eager +/);
});

test("a project's server is not logged in to before it is trusted", async (t) => {
  const { place, run, logIn, oauth } = await authPlace(t);
  place.write(".mcp.json", JSON.stringify({ mcpServers: { theirs: { url: oauth.server.url } } }));
  const refused = await run(["mcp", "login", "theirs"]);
  assert.deepEqual([refused.code, oauth.requests.length], [3, 0]);
  assert.equal((await run(["trust", "mcp_server:theirs"])).code, 0);
  assert.equal((await logIn("theirs")).code, 0);
  assert.equal((await run(["call", "theirs__whoami", "--yes"])).code, 0);
  assert.equal((await run(["call", "docs__whoami", "--yes"])).code, 2);
});

test("a server that is removed is logged out of", async (t) => {
  const { run, logIn, oauth } = await authPlace(t);
  assert.equal((await logIn()).code, 0);
  await run(["mcp", "remove", "docs"]);
  await run(["mcp", "add", "docs", "--url", oauth.server.url]);
  assert.equal((await run(["mcp", "test", "docs"])).code, 1);
  assert.equal(oauth.requests.at(-1)?.authorization, undefined);
});

test("a server without logins is an error that says why", async (t) => {
  const { run } = await authPlace(t);
  await run(["mcp", "add", "program", "--", "true"]);
  await run([
    "mcp",
    "add",
    "keyed",
    "--url",
    "https://a.example/mcp",
    "--header",
    "Authorization: Bearer abcdef",
  ]);
  for (const [args, told] of [
    [["login"], /missing server name/],
    [["login", "dosc"], /did you mean docs/],
    [["login", "program"], /runs as a child process/],
    [["login", "keyed"], /has an Authorization header/],
    [["login", "docs", "--store", ":memory:"], /is :memory:/],
    [["logout"], /missing server name/],
    [["list", "--no-browser"], /--no-browser cannot be used with "mcp list"/],
  ] as const) {
    const { code, stderr } = await run(["mcp", ...args]);
    assert.deepEqual([code, told.test(stderr)], [2, true], stderr);
  }
});
