import assert from "node:assert/strict";
import { test } from "node:test";
import { isRunning } from "../../../test/support/programs/is-running.ts";
import { call, codeOf, textOf } from "../../../test/support/engines/engine.ts";
import { mcpEngine, rawServer, toolOf, until } from "../../../test/support/servers/mcp.ts";
import { isLong } from "../../../test/support/property-runs.ts";
import { engineOf, names, reasons, say } from "../../../test/support/engines/sources.ts";
import { createMcpSource } from "./source.ts";

const ECHO = toolOf("echo");

function pidsOf(diary: readonly string[]): readonly number[] {
  return diary.flatMap((line) => (line.startsWith("started ") ? [Number(line.slice(8))] : []));
}

test("a server that hangs at its start times out and is ended", async (t) => {
  const raw = rawServer(t, { start: "hang" });
  const { engine } = await mcpEngine(t, { server: raw.server, connectTimeoutMs: 1000 });
  assert.deepEqual(reasons(engine.sources.problems()), ["mcp:raw raw timeout"]);
  await until(() => pidsOf(raw.diary()).every((pid) => !isRunning(pid)), "it was ended");
});

test("a server that cannot be started, or exits at its start, is unreachable with its standard error", async (t) => {
  const raw = rawServer(t, { start: "die" });
  const missing = { ...raw.server, command: "/no/such/program" };
  const dead = await mcpEngine(t, { server: raw.server });
  assert.deepEqual(reasons(dead.engine.sources.problems()), ["mcp:raw raw unreachable"]);
  assert.match(dead.engine.sources.problems()[0]?.message ?? "", /exit code 7.*cannot find my config/);
  const none = await mcpEngine(t, { server: missing });
  assert.match(none.engine.sources.problems()[0]?.message ?? "", /no such program/);
});

for (const unknown of ["die", "silent"] as const) {
  test(`an older server that goes ${unknown === "die" ? "down" : "silent"} at an unknown request is initialized with the older protocol`, async (t) => {
    const raw = rawServer(t, { tools: [ECHO], unknown });
    const { engine } = await mcpEngine(t, { server: raw.server });
    assert.equal(textOf(await engine.run(call("raw__echo", { text: "hi" }))), "hi");
  });
}

test("a server that logs to standard output and floods standard error still works", async (t) => {
  for (const start of ["noise", "flood"] as const) {
    const raw = rawServer(t, { tools: [ECHO], start });
    const { engine, source } = await mcpEngine(t, { server: raw.server });
    assert.equal(textOf(await engine.run(call("raw__echo", { text: "hi" }))), "hi");
    const said = (await source.connection(new AbortController().signal)).stderrTail();
    assert.ok(said.length > 0 && said.length <= 8 * 1024, `${said.length} characters were kept`);
  }
});

test("a server that exits during a call fails that call with its standard error, later calls fail at once, and it is restarted", async (t) => {
  const raw = rawServer(t, { tools: [toolOf("die"), ECHO] });
  const { engine } = await mcpEngine(t, { server: raw.server, backoff: { firstMs: 1000, maxMs: 1000 } });
  const died = await engine.run(call("raw__die"));
  assert.ok(!died.ok);
  assert.equal(died.error.code, "TOOL_CRASHED");
  assert.equal(died.error.details?.["mayHaveHadEffects"], true);
  assert.match(JSON.stringify(died.error.details), /out of cheese/);
  raw.plan({ tools: [toolOf("die"), ECHO] });
  const gone = await engine.run(call("raw__echo"));
  assert.equal(codeOf(gone), "UNAVAILABLE", "it did not wait for the next start");
  assert.match(textOf(gone), /^Error: the MCP server "[^"]+" is not available: its process ended/);
  assert.equal(pidsOf(raw.diary()).length, 1);
  // It is restarted in the background, and the next call uses it.
  await until(() => pidsOf(raw.diary()).length === 2, "it was started again");
  await until(async () => codeOf(await engine.run(call("raw__echo"))) === "ok", "it works again");
});

test("a server that closes its output without exiting is ended: its calls fail, and it is restarted", async (t) => {
  const raw = rawServer(t, { tools: [toolOf("mute"), toolOf("hang"), ECHO] });
  const { engine } = await mcpEngine(t, { server: raw.server, timeoutMs: 20_000 });
  const [hanging, muted] = await Promise.all([
    engine.run(call("raw__hang")),
    engine.run({ ...call("raw__mute"), id: "2" }),
  ]);
  for (const result of [hanging, muted]) {
    assert.equal(codeOf(result), "TOOL_CRASHED");
    assert.match(textOf(result), /closed its standard output/);
  }
  await until(async () => codeOf(await engine.run(call("raw__echo"))) === "ok", "it works again");
  const [first = 0, second = 0] = pidsOf(raw.diary());
  assert.deepEqual([isRunning(first), isRunning(second)], [false, true]);
});

test("if the source is not watched, a lost server is started by the next call after the backoff", async (t) => {
  const raw = rawServer(t, { tools: [toolOf("die"), ECHO] });
  const engine = engineOf(t);
  const source = createMcpSource({ name: "raw", server: raw.server, backoff: { firstMs: 20, maxMs: 20 } });
  engine.sources.add(source, { isWatched: false });
  await engine.sources.settled();
  await engine.run(call("raw__die"));
  await until(async () => codeOf(await engine.run(call("raw__echo"))) === "ok", "it works again");
  assert.equal(pidsOf(raw.diary()).length, 2);
});

test("a list of tools over the size limit is a problem, and the earlier tools stay", async (t) => {
  const raw = rawServer(t, { tools: [toolOf("changed"), ECHO] });
  const { engine } = await mcpEngine(t, { server: raw.server, maxMessageBytes: 100_000 });
  const long = Array.from({ length: 8 }, (_, index) =>
    toolOf(`t${index}`, { description: "x".repeat(30_000) }),
  );
  raw.plan({ tools: [toolOf("changed"), ECHO, ...long] });
  await engine.run(call("raw__changed"));
  await until(() => engine.sources.problems().length > 0, "it is told");
  assert.deepEqual(reasons(engine.sources.problems()), ["mcp:raw raw failed"]);
  assert.match(engine.sources.problems()[0]?.message ?? "", /lists more than 100000 characters of tools/);
  assert.deepEqual(names(engine).toSorted(), ["raw__changed", "raw__echo"]);
});

test("a message over the limit ends the server and does not affect another one", async (t) => {
  const raw = rawServer(t, { tools: [toolOf("big"), toolOf("hang"), ECHO] });
  const { engine } = await mcpEngine(t, { server: raw.server, maxMessageBytes: 1024 * 1024 });
  const other = createMcpSource({ name: "other", server: rawServer(t, { tools: [toolOf("echo")] }).server });
  engine.sources.add(other);
  await engine.sources.settled();
  const fits = await engine.run(call("raw__big", { bytes: 500_000 }));
  assert.equal(codeOf(fits), "ok");
  const [big, beside, elsewhere] = await Promise.all([
    engine.run(call("raw__big", { bytes: 5_000_000 })),
    engine.run(call("raw__hang")),
    engine.run(call("other__echo", { text: "hi" })),
  ]);
  assert.deepEqual(
    [codeOf(big), codeOf(beside), codeOf(elsewhere)],
    ["INVALID_OUTPUT", "INVALID_OUTPUT", "ok"],
  );
  await until(async () => codeOf(await engine.run(call("raw__echo"))) === "ok", "it was started again");
});

test("200 MB in one message use bounded memory", async (t) => {
  const raw = rawServer(t, { tools: [toolOf("big")] });
  const { engine } = await mcpEngine(t, { server: raw.server });
  let peak = 0;
  const before = process.memoryUsage().rss;
  const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss - before)), 5);
  const result = await engine.run(call("raw__big", { bytes: 200_000_000 }));
  clearInterval(watch);
  assert.equal(codeOf(result), "INVALID_OUTPUT");
  assert.ok(peak < 200 * 1024 * 1024, `${Math.round(peak / 1024 / 1024)} MB more`);
});

test("a server that sends requests without reading the answers is ended before memory grows", async (t) => {
  const raw = rawServer(t, { tools: [toolOf("nag"), ECHO] });
  const { engine } = await mcpEngine(t, { server: raw.server, maxMessageBytes: 1024 * 1024 });
  const nagged = await engine.run(call("raw__nag"));
  assert.equal(codeOf(nagged), "UNAVAILABLE");
  assert.match(nagged.ok ? "" : JSON.stringify(nagged.error), /does not read/);
  await until(async () => codeOf(await engine.run(call("raw__echo"))) === "ok", "it was started again");
});

test("an answer with a wrong id leaves its call to the deadline and does not affect others", async (t) => {
  const raw = rawServer(t, { tools: [toolOf("wrong"), ECHO] });
  const { engine } = await mcpEngine(t, { server: raw.server });
  const [wrong, echo] = await Promise.all([
    engine.run(call("raw__wrong"), { timeoutMs: 300 }),
    engine.run(call("raw__echo", { text: "hi" })),
  ]);
  assert.deepEqual([codeOf(wrong), textOf(echo)], ["TOOL_TIMEOUT", "hi"]);
});

test("a malformed error is INVALID_OUTPUT for its call, and the server keeps running", async (t) => {
  const raw = rawServer(t, { tools: [toolOf("fault"), ECHO] });
  const { engine } = await mcpEngine(t, { server: raw.server });
  for (const error of [null, "no", [], {}, { code: "-1", message: "no" }])
    assert.equal(codeOf(await engine.run(call("raw__fault", { error }))), "INVALID_OUTPUT");
  assert.equal(textOf(await engine.run(call("raw__echo", { text: "hi" }))), "hi");
  assert.equal(pidsOf(raw.diary()).length, 1);
});

test("a server's environment is filtered: it contains no secret of ours", async (t) => {
  const raw = rawServer(t, { tools: [toolOf("env")] });
  process.env["TOOLWRIGHT_TEST_SECRET"] = "hush";
  t.after(() => delete process.env["TOOLWRIGHT_TEST_SECRET"]);
  const environment = { ...raw.server.environment, GIVEN: "yes" };
  const { engine } = await mcpEngine(t, { server: { ...raw.server, environment } });
  const seen = JSON.parse(textOf(await engine.run(call("raw__env")))) as Readonly<Record<string, string>>;
  assert.deepEqual([seen["GIVEN"], seen["TOOLWRIGHT_TEST_SECRET"]], ["yes", undefined]);
});

test("a closed engine ends its servers, also one that ignores TERM, first by closing their input", async (t) => {
  const polite = rawServer(t, { tools: [ECHO] });
  const stubborn = rawServer(t, { tools: [ECHO], start: "ignore-term" });
  const first = await mcpEngine(t, { server: polite.server });
  const second = await mcpEngine(t, { server: stubborn.server });
  await Promise.all([first.engine.close(), second.engine.close()]);
  const pids = [...pidsOf(polite.diary()), ...pidsOf(stubborn.diary())];
  assert.equal(pids.length, 2);
  for (const pid of pids) assert.equal(isRunning(pid), false);
  assert.equal(polite.diary().at(-1), "input ended");
  assert.equal(stubborn.diary().at(-1), "TERM");
});

test("a source that is closed during the handshake leaves no process behind", async (t) => {
  const raw = rawServer(t, { start: "hang" });
  const source = createMcpSource({ name: "raw", server: raw.server });
  const connecting = source.connection(new AbortController().signal);
  connecting.catch(() => undefined);
  await raw.told("initialize");
  await source.close?.();
  const [pid = 0] = pidsOf(raw.diary());
  assert.equal(isRunning(pid), false);
  await assert.rejects(connecting, { code: "CANCELLED" });
});

for (const as of ["child", "daemon"] as const)
  for (const then of ["is closed", "die"] as const) {
    test(`a ${as} of a server is ended with it, when it ${then === "die" ? "dies" : then}`, async (t) => {
      const raw = rawServer(t, { tools: [toolOf("leave")] });
      const { engine } = await mcpEngine(t, { server: raw.server });
      const left = await engine.run(call("raw__leave", { then, as }));
      assert.equal(codeOf(left), then === "die" ? "TOOL_CRASHED" : "ok");
      if (then === "is closed") await engine.close();
      const [pid] = raw.diary().flatMap((line) => (line.startsWith("left ") ? [Number(line.slice(5))] : []));
      assert.ok(pid !== undefined && pid > 0);
      t.after(() => isRunning(pid) && process.kill(pid, "SIGKILL"));
      assert.equal(isRunning(pid), false);
    });
  }

test("a server that prints no message has its output shown in its problem", async (t) => {
  const script = "echo Listening on port 3000; echo Ready >&2; exec sleep 600";
  const server = { ...rawServer(t, {}).server, command: "sh", args: ["-c", script] };
  const source = createMcpSource({
    name: "web",
    server,
    connectTimeoutMs: 300,
    backoff: { firstMs: 1, maxMs: 1 },
  });
  t.after(() => source.close?.());
  const told = async (): Promise<string> => {
    const { problems } = await source.load(new AbortController().signal);
    return problems[0]?.message ?? "";
  };
  // A start may take longer than the limit: it is tried until the output came in time.
  let message = await told();
  const until = performance.now() + 60_000;
  const isWhole = (): boolean => message.includes("Ready") && message.includes("Listening");
  while (!isWhole() && performance.now() < until) message = await told();
  assert.match(
    message,
    /did not answer within 0.3 s[^]*\[no MCP message, on standard output\] Listening on port 3000/,
  );
});

const TENS = isLong ? 5 : 2;

test(`of ${10 * TENS} servers, ${TENS} dead and ${TENS} hanging, the other ${8 * TENS} work; each is started once`, async (t) => {
  const engine = engineOf(t);
  const raws = Array.from({ length: 10 * TENS }, (_, index) => {
    const start = index % 10 === 3 ? ("die" as const) : index % 10 === 7 ? ("hang" as const) : undefined;
    return rawServer(t, { tools: [ECHO], ...(start !== undefined && { start }) });
  });
  for (const [index, { server }] of raws.entries())
    engine.sources.add(createMcpSource({ name: `s${index}`, server, connectTimeoutMs: 60_000 }));
  const live = raws.flatMap((_, index) => ([3, 7].includes(index % 10) ? [] : [`s${index}__echo`]));
  // The engine answers before anything has loaded.
  engine.add(say("own"));
  assert.equal(codeOf(await engine.run(call("own"))), "ok");
  await until(() => live.every((name) => names(engine).includes(name)), "the live ones are there");
  // The hanging servers are still pending: the others did not wait for them.
  assert.equal(engine.sources.state(), "in_progress");
  const results = await Promise.all(live.map((name) => engine.run(call(name, { text: name }))));
  assert.deepEqual(results.map(textOf), live);
  for (const [index, raw] of raws.entries())
    if (index % 10 !== 3) assert.equal(pidsOf(raw.diary()).length, 1);
});
