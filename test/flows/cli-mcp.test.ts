import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { rawServer, toolOf, type RawServer } from "../support/servers/mcp.ts";
import { LAUNCHER, createPlace, runCli, type CliOptions, type Finished, type Place } from "./support/cli.ts";

const TOKEN = "s3cret-token-value";

interface McpPlace {
  readonly place: Place;
  readonly raw: RawServer;
  readonly run: (args: readonly string[], options?: CliOptions) => Promise<Finished>;
}

/** A place whose user has one server, `raw`, with a token in its environment. */
async function withServer(t: TestContext, tools: readonly unknown[] = [toolOf("echo")]): Promise<McpPlace> {
  const place = createPlace(t);
  const raw = rawServer(t, { tools });
  const run = (args: readonly string[], options?: CliOptions): Promise<Finished> =>
    runCli(place, args, options);
  const { command, args } = raw.server;
  const added = await run([
    "mcp",
    "add",
    "raw",
    "--env",
    `API_TOKEN=${TOKEN}`,
    "--env",
    "B=2",
    "--",
    command,
    ...args,
  ]);
  assert.equal(added.code, 0, added.stderr);
  return { place, raw, run };
}

test("a server is added to a private file, listed without its token, tested, called and removed", async (t) => {
  const { place, run, raw } = await withServer(t, [toolOf("echo"), toolOf("env")]);
  const file = join(place.home, "config.json");
  const { mcpServers } = JSON.parse(readFileSync(file, "utf8")) as {
    readonly mcpServers: { readonly raw: object };
  };
  const { command, args } = raw.server;
  assert.deepEqual(mcpServers.raw, { command, args, env: { API_TOKEN: TOKEN, B: "2" } });
  assert.equal(statSync(file).mode & 0o777, 0o600);
  const shown = [
    await run(["mcp", "list"]),
    await run(["mcp", "list", "--json"]),
    await run(["doctor"]),
    await run(["mcp", "test", "raw"]),
    await run(["call", "raw__env", "--yes"]),
    await run(["trace", "--json"]),
  ];
  for (const { stdout, stderr } of shown) assert.ok(!`${stdout}${stderr}`.includes(TOKEN), stdout);
  assert.match(shown[0]?.stdout ?? "", /^raw +eager +\S+config\.json +\S+/);
  assert.match(shown[3]?.stdout ?? "", /connected in \d+ ms.*\n2 tools: raw__echo, raw__env\n/);
  assert.match((await run(["tool", "raw__echo"])).stdout, /mcp:raw/);
  const asked = await run(["call", "raw__echo", "text=hi"]);
  assert.equal(asked.code, 3);
  const called = await run(["call", "raw__echo", "text=hi", "--yes"]);
  assert.deepEqual([called.code, called.stdout], [0, "hi\n"]);
  assert.equal((await run(["mcp", "remove", "raw"])).code, 0);
  assert.match((await run(["mcp", "list"])).stdout, /no MCP servers/);
});

test("a tool that a server lists only to clients with a model is approved like any other", async (t) => {
  const { run, raw } = await withServer(t);
  assert.equal((await run(["call", "raw__echo", "text=a", "--yes"])).code, 0);
  raw.plan({ tools: [toolOf("echo")], samplingTools: [toolOf("ask_model")] });
  const environment = { TOOLWRIGHT_MODEL: "scripted/script.jsonl" };
  assert.match(
    (await run(["mcp", "approve", "raw", "--yes"])).stdout,
    /^ask_model \(new\)\n[^]*approved ask_model\n$/,
  );
  assert.match((await run(["tools"], { environment })).stdout, /^raw__ask_model/m);
  assert.doesNotMatch(
    (await run(["tools"])).stdout,
    /raw__ask_model/,
    "the server lists it to no other client",
  );
});

test("a changed tool is disabled until mcp approve, which shows the difference and needs confirmation", async (t) => {
  const { run, raw } = await withServer(t);
  assert.equal((await run(["call", "raw__echo", "text=hi", "--yes"])).code, 0);
  raw.plan({ tools: [toolOf("echo", { description: "Now with more." }), toolOf("new")] });
  const refused = await run(["call", "raw__echo", "--yes"]);
  assert.deepEqual([refused.code, /mcp approve raw/.test(refused.stderr)], [2, true]);
  assert.match((await run(["tools", "--problems"])).stdout, /^changed {2}raw__echo\n.*Now with more\./m);
  const asked = await run(["mcp", "approve", "raw", "echo"]);
  assert.equal(asked.code, 3);
  assert.match(
    asked.stdout,
    /^echo \(changed\)\n {2}- description: "Does echo\."\n {2}\+ description: "Now with more\."\n$/,
  );
  assert.equal((await run(["mcp", "approve", "raw", "other", "--yes"])).code, 2);
  const approved = await run(["mcp", "approve", "raw", "echo", "--yes"]);
  assert.deepEqual([approved.code, approved.stdout.endsWith("approved echo\n")], [0, true]);
  assert.equal((await run(["call", "raw__echo", "text=hi", "--yes"])).code, 0);
  assert.match((await run(["mcp", "approve", "raw", "--yes"])).stdout, /^new \(new\)\n/);
  assert.match((await run(["mcp", "approve", "raw"])).stdout, /no changes in the tools of raw/);
});

test("doctor lists a failed server, a changed tool and a bad program, each under its kind", async (t) => {
  const { run, raw, place } = await withServer(t, [toolOf("echo")]);
  await run(["mcp", "add", "gone", "--", "/no/such/program"]);
  mkdirSync(join(place.home, "tools"));
  writeFileSync(join(place.home, "tools", "odd"), "#!/bin/sh\nexit 3\n", { mode: 0o755 });
  assert.equal((await run(["call", "raw__echo", "--yes"])).code, 0);
  raw.plan({ tools: [toolOf("echo", { description: "Does something else." })] });
  const { stdout } = await run(["doctor", "--json"]);
  const { checks } = JSON.parse(stdout) as { readonly checks: readonly { name: string; message: string }[] };
  const about = (what: string): readonly string[] =>
    checks.flatMap(({ name, message }) => (message.includes(what) ? [name] : []));
  assert.deepEqual(about("no such program"), ["MCP server"]);
  assert.deepEqual(about("has changed since it was approved"), ["MCP server"]);
  assert.deepEqual(about("exit_code"), ["program"]);
});

test("a token that a server prints when it cannot start is shown nowhere", async (t) => {
  const place = createPlace(t);
  const script = 'echo "the token $API_TOKEN is no good" >&2; exit 1';
  await runCli(place, ["mcp", "add", "raw", "--env", `API_TOKEN=${TOKEN}`, "--", "/bin/sh", "-c", script]);
  for (const args of [
    ["mcp", "test", "raw"],
    ["mcp", "approve", "raw"],
    ["tools", "--problems"],
    ["doctor"],
  ]) {
    const { stdout, stderr } = await runCli(place, args);
    assert.match(`${stdout}${stderr}`, /the token .* is no good/, args.join(" "));
    assert.ok(!`${stdout}${stderr}`.includes(TOKEN), args.join(" "));
  }
});

test("Toolwright configured as its own MCP server starts no further servers", async (t) => {
  const { place, run, raw } = await withServer(t, [toolOf("echo")]);
  const starts = join(place.home, "starts");
  const again = `echo started >> ${starts}; test $(wc -l < ${starts}) -gt 3 || exec ${process.execPath} ${LAUNCHER} mcp`;
  await run(["mcp", "add", "self", "--env", `TOOLWRIGHT_HOME=${place.home}`, "--", "/bin/sh", "-c", again]);
  const { stdout, stderr } = await run(["tools", "--all"]);
  assert.match(stdout, /self__grep/, stderr);
  assert.match(stdout, /raw__echo/);
  assert.doesNotMatch(stdout, /self__raw__echo|self__self__/);
  assert.equal(readFileSync(starts, "utf8"), "started\n");
  assert.equal(raw.diary().filter((line) => line.startsWith("started")).length, 1);
});

test("a project's servers are listed as untrusted and not started before they are trusted", async (t) => {
  const place = createPlace(t);
  const raw = rawServer(t, { tools: [toolOf("echo")] });
  const { command, args } = raw.server;
  place.write(
    ".mcp.json",
    JSON.stringify({ mcpServers: { theirs: { command, args }, both: { command: "a" } } }),
  );
  mkdirSync(join(place.folder, ".toolwright"));
  const own = { mcpServers: { both: { command, args } } };
  writeFileSync(join(place.folder, ".toolwright", "config.json"), JSON.stringify(own));
  const { stdout } = await runCli(place, ["mcp", "list", "--json"]);
  const listed = JSON.parse(stdout) as readonly { name: string; state: string; file: string }[];
  assert.deepEqual(
    listed.map(({ name, state, file }) => [name, state, file.slice(place.folder.length + 1)]),
    [
      ["both", "untrusted", ".toolwright/config.json"],
      ["theirs", "untrusted", ".mcp.json"],
    ],
  );
  const problems = await runCli(place, ["tools", "--problems"]);
  assert.match(problems.stdout, /^untrusted {2}theirs\n/m);
  assert.equal((await runCli(place, ["mcp", "test", "theirs"])).code, 3);
  assert.deepEqual(raw.diary(), []);
  assert.equal((await runCli(place, ["trust", "mcp_server:theirs"])).code, 0);
  assert.equal((await runCli(place, ["call", "theirs__echo", "text=hi", "--yes"])).stdout, "hi\n");
});

test("a user's server is not replaced by a project's of the same name", async (t) => {
  const { place, run, raw } = await withServer(t);
  place.write(".mcp.json", JSON.stringify({ mcpServers: { raw: { command: "/bin/false" } } }));
  const called = await run(["call", "raw__echo", "text=hi", "--yes"]);
  assert.equal(called.stdout, "hi\n");
  assert.match((await run(["tools", "--problems"])).stdout, /your own config has a server of that name/);
  assert.ok(raw.diary().length > 0);
});

test("an invalid .mcp.json is only a warning", async (t) => {
  const place = createPlace(t);
  place.write(".mcp.json", "{");
  const { code, stderr } = await runCli(place, ["call", "ls"]);
  assert.deepEqual([code, /\.mcp\.json:1:\d+: not valid JSON/.test(stderr)], [0, true]);
});

test("bad usage of mcp exits 2 and says what is expected", async (t) => {
  const place = createPlace(t);
  const cases = [
    [["lits"], /did you mean list/],
    [["add"], /missing server name/],
    [["add", "x"], /--url URL or a command after --/],
    [["add", "x", "--url", "http://a", "--", "b"], /either/],
    [["add", "x", "--url", "nowhere"], /not an http address/],
    [["add", "x", "--url", "http://a", "--header", "nothing"], /--header 'NAME: VALUE'/],
    [["add", "x", "--header", "A: b", "--", "c"], /--header cannot be used with a command/],
    [["add", "a b", "--", "c"], /its name/],
    [["add", "x", "--", "${SECRET_THING}"], /which is not set/],
    [["remove", "x"], /has no server "x"/],
    [["test", "x"], /unknown MCP server "x"/],
    [["list", "--yes"], /--yes cannot be used with "mcp list"/],
  ] as const;
  for (const [args, told] of cases) {
    const { code, stderr } = await runCli(place, ["mcp", ...args]);
    assert.equal(code, 2, stderr);
    assert.match(stderr, told);
  }
  assert.equal(existsSync(join(place.home, "config.json")), false);
});

test("mcp test of an unreachable server fails with exit code 1", async (t) => {
  const place = createPlace(t);
  await runCli(place, ["mcp", "add", "gone", "--", "/no/such/program"]);
  const gone = await runCli(place, ["mcp", "test", "gone"]);
  assert.deepEqual([gone.code, /gone: .*no such program/.test(gone.stderr)], [1, true]);
  const call = await runCli(place, ["call", "gone__read", "--yes"]);
  assert.match(call.stderr, /"gone__read" is not there: gone: .*no such program/);
  assert.doesNotMatch(call.stderr, /did you mean|the tools are/);
});

test("a call of a tool that was added since the server was approved says how to approve it", async (t) => {
  const { run, raw } = await withServer(t);
  assert.equal((await run(["mcp", "test", "raw"])).code, 0);
  raw.plan({ tools: [toolOf("echo"), toolOf("extra")] });
  assert.match((await run(["mcp", "test", "raw"])).stdout, /changed +raw__extra/);
  const call = await run(["call", "raw__extra", "--yes"]);
  assert.match(
    call.stderr,
    /"raw__extra" changed since you approved it, or was added\n +run toolwright mcp approve raw/,
  );
  const list = await run(["mcp", "list"]);
  assert.match(list.stdout, /1 to approve/);
  assert.match(list.stderr, /toolwright mcp approve raw shows what changed/);
});

test("a call that uses no MCP server starts none, although one is configured", async (t) => {
  const { run, raw } = await withServer(t);
  assert.equal((await run(["call", "ls"])).code, 0);
  assert.deepEqual(raw.diary(), []);
  assert.equal((await run(["call", "raw__echo", "--yes"])).code, 0);
  assert.notDeepEqual(raw.diary(), []);
});

test("toolwright /server:prompt shows the prompt, starts no other server, and says what it takes", async (t) => {
  const { run, raw } = await withServer(t);
  const other = rawServer(t, { tools: [] });
  await run(["mcp", "add", "other", "--", other.server.command, ...other.server.args]);
  raw.plan({ tools: [], prompts: [{ name: "review", arguments: [{ name: "file", required: true }] }] });
  for (const words of [["a b.ts"], ["file=a b.ts"]]) {
    const shown = await run(["/raw:review", ...words]);
    assert.deepEqual([shown.code, shown.stdout], [0, 'review {"file":"a b.ts"}\n'], shown.stderr);
  }
  assert.deepEqual(other.diary(), []);
  for (const [args, told] of [
    [["/raw:review"], /needs file/],
    [["/raw:reviwe", "a"], /it has \/raw:review/],
    [["/rau:review", "a"], /unknown MCP server "rau"/],
  ] as const) {
    const { code, stderr } = await run(args);
    assert.deepEqual([code, told.test(stderr)], [2, true], stderr);
  }
});
