import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
import { test, type TestContext } from "node:test";
import { SessionProxyKey } from "../core/session/session-proxy.ts";
import type { Tool } from "../core/tool.ts";
import { createEngine } from "../engine/engine.ts";
import { defineTool } from "../schema/define/define-tool.ts";
import { add, codeOf, textOf } from "../../test/support/engines/engine.ts";
import { createWaiting, failing, long } from "../../test/support/engines/remote-tools.ts";
import { defined } from "../util/json/defined.ts";
import { createToolClient, type ConnectedClient } from "./client.ts";
import { createJobs, type Jobs } from "./jobs.ts";
import { serveLines } from "./serve-lines.ts";
import { MAX_WIRE_BYTES, READY, type RemoteJob } from "./wire.ts";

interface Served {
  readonly client: ConnectedClient;
  readonly jobs: Jobs;
  readonly served: Promise<void>;
  readonly input: PassThrough;
}

/** Connects a client with a server in this process, as pipes would. */
async function serve(t: TestContext, tools: readonly Tool[] = [add, failing, long]): Promise<Served> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const client = createToolClient((line) => void input.write(line));
  const jobs = createJobs(createEngine({ tools }));
  t.after(() => jobs.drain(0));
  output.write("a banner of the image\n");
  const served = serveLines(jobs, input, output);
  void (async () => {
    for await (const piece of output.setEncoding("utf8")) await client.receive(String(piece));
  })();
  await client.ready;
  return { client, jobs, served, input };
}

test("calls at once are answered with the results of their tools, also if they failed", async (t) => {
  const { client } = await serve(t);
  const sums = [1, 2, 3].map((a) => client.execute({ tool: "add", params: { a, b: 2 } }));
  const failed = await client.execute({ tool: "fail", params: {} });
  assert.match(failed.ok ? "" : failed.error.message, /the real reason/);
  const results = await Promise.all(sums);
  assert.deepEqual(
    results.map((result) => result.ok && result.data),
    [{ sum: 3 }, { sum: 4 }, { sum: 5 }],
  );
});

test("a proxy that a job brings along is there for its tool, with the certificate in a file that goes with the server", async (t) => {
  let caFile = "";
  const tool = defineTool({
    name: "look",
    description: "Looks for the proxy.",
    risk: "low",
    async run(_, context) {
      const proxy = await context.find(SessionProxyKey)?.();
      caFile = proxy?.caFile ?? "";
      return proxy === undefined ? "none" : `${proxy.url} ${readFileSync(caFile, "utf8")}`;
    },
  });
  const { client, jobs } = await serve(t, [tool]);
  const look = async (proxy?: RemoteJob["proxy"]) =>
    textOf(await client.execute({ tool: "look", params: {}, ...defined({ proxy }) }));
  const proxy = { url: "http://127.0.0.1:1", certificate: "PEM", spki: "AAAA" };
  assert.equal(await look(proxy), "http://127.0.0.1:1 PEM");
  assert.equal(await look(), "none");
  assert.equal(await look(proxy), "http://127.0.0.1:1 PEM");
  await jobs.drain(0);
  assert.ok(!existsSync(caFile));
});

test("long output is received in pieces, in order, and one after the other", async (t) => {
  const { client } = await serve(t);
  const ids = new Set<string>();
  let [size, waiting] = [0, 0];
  const result = await client.execute(
    { tool: "long", params: {} },
    {
      async onArtifact({ id, text }) {
        assert.equal(waiting, 0);
        waiting += 1;
        await new Promise(setImmediate);
        waiting -= 1;
        ids.add(id);
        size += text.length;
      },
    },
  );
  assert.equal(size, 2_000_000);
  assert.deepEqual(result.content, [{ type: "text", text: `whole: ${[...ids].join()}` }]);
});

test("output that cannot be stored fails its call and no other", async (t) => {
  const { client } = await serve(t);
  const onArtifact = () => Promise.reject(new Error("the disk is full"));
  await assert.rejects(client.execute({ tool: "long", params: {} }, { onArtifact }), /the disk is full/);
  assert.equal(codeOf(await client.execute({ tool: "add", params: { a: 1, b: 2 } })), "ok");
});

test("an aborted signal cancels the call, which is still answered", async (t) => {
  const waiting = createWaiting();
  const { client } = await serve(t, [waiting.tool]);
  const controller = new AbortController();
  const progress: unknown[] = [];
  const running = client.execute(
    { tool: "wait", params: {} },
    { signal: controller.signal, onProgress: (one) => void progress.push(one) },
  );
  await waiting.started;
  controller.abort();
  assert.equal(codeOf(await running), "CANCELLED");
  await waiting.cancelled;
  assert.deepEqual(progress, ["waiting"]);
});

test("a call that is cancelled as soon as it is sent is cancelled on the server too", async (t) => {
  const waiting = createWaiting();
  const { client } = await serve(t, [waiting.tool]);
  const controller = new AbortController();
  const running = client.execute({ tool: "wait", params: {}, session: "x".repeat(5_000_000) }, controller);
  controller.abort();
  assert.equal(codeOf(await running), "CANCELLED");
});

test("a call that the server does not understand is refused, and the next one works", async (t) => {
  const { client } = await serve(t);
  await assert.rejects(client.execute({ tool: "", params: {} }), {
    code: "UNAVAILABLE",
    message: /refused.*tool/s,
  });
  assert.equal(codeOf(await client.execute({ tool: "add", params: { a: 1, b: 2 } })), "ok");
});

test("a server that ends during a call is reported as a crash, and takes no other call", async (t) => {
  const waiting = createWaiting();
  const { client } = await serve(t, [waiting.tool]);
  const running = client.execute({ tool: "wait", params: {} });
  await waiting.started;
  client.close("it was killed");
  await assert.rejects(running, { code: "TOOL_CRASHED", message: /it was killed/ });
  await assert.rejects(client.execute({ tool: "wait", params: {} }), { code: "UNAVAILABLE" });
});

test("the server ends with its input, and a client rejects what no server writes", async (t) => {
  const { served, input } = await serve(t);
  input.end();
  await served;
  const client = createToolClient(() => undefined);
  void client.receive("ready\n");
  await client.ready;
  assert.throws(() => void client.receive("no JSON\n"), SyntaxError);
});

test("the server refuses a line that is no call, and answers the calls before and after it", async (t) => {
  const waiting = createWaiting();
  const [input, output] = [new PassThrough(), new PassThrough()];
  const jobs = createJobs(createEngine({ tools: [add, waiting.tool] }));
  t.after(() => jobs.drain(0));
  const served = serveLines(jobs, input, output);
  const job = { tool: "add", params: { a: 1, b: 2 } };
  const lines = [
    { id: "running", tool: "wait", params: {} },
    '{"id": "cut',
    "",
    "5",
    "null",
    "[]",
    { id: "no job" },
    { id: 7, ...job },
    { cancel: 5 },
    "x".repeat(MAX_WIRE_BYTES + 1),
    { cancel: "running" },
    { id: "last", ...job },
  ];
  for (const line of lines) input.write(`${typeof line === "string" ? line : JSON.stringify(line)}\n`);
  const answers: (readonly string[])[] = [];
  const reader = createInterface({ input: output });
  for await (const line of reader) {
    if (line !== READY && !line.includes('"progress"'))
      answers.push((JSON.parse(line) as readonly string[]).slice(0, 2));
    if (answers.length === lines.length - 1) break;
  }
  const refused = ["", "refused"];
  assert.deepEqual(answers.map(String).toSorted(), [
    ...Array.from({ length: 8 }, () => String(refused)),
    "last,result",
    "no job,refused",
    "running,result",
  ]);
  input.end();
  await served;
});

test("an input that is too long for the wire is refused before it is sent", async (t) => {
  const { client } = await serve(t);
  const unhandled = t.mock.fn();
  process.on("unhandledRejection", unhandled);
  t.after(() => process.off("unhandledRejection", unhandled));
  const params = { text: "x".repeat(MAX_WIRE_BYTES) };
  await assert.rejects(client.execute({ tool: "add", params }), { code: "INVALID_INPUT" });
  assert.equal((await client.execute({ tool: "add", params: { a: 1, b: 2 } })).ok, true);
  // The refused call is not one of the calls that the end of the server fails.
  client.close("it was killed");
  await new Promise(setImmediate);
  assert.equal(unhandled.mock.callCount(), 0);
});
