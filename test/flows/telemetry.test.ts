// Spans and metrics of the real program, received by a collector that decodes them with OpenTelemetry's own definitions.
import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createRequire } from "node:module";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { test, type TestContext } from "node:test";

import { createPlace, runProcess, until, type Place } from "./support/cli.ts";
import { connectProcess } from "./support/mcp-client.ts";
import { startServe } from "./support/serve.ts";

interface Span {
  readonly traceId: Uint8Array;
  readonly spanId: Uint8Array;
  readonly parentSpanId?: Uint8Array;
  readonly name: string;
}

interface Decoder<T> {
  decode(bytes: Uint8Array): T;
}

interface Metric {
  readonly name: string;
  readonly histogram?: { readonly dataPoints: readonly { readonly explicitBounds: readonly number[] }[] };
}

interface Definitions {
  readonly trace: {
    readonly v1: {
      readonly ExportTraceServiceRequest: Decoder<{
        readonly resourceSpans: readonly {
          readonly scopeSpans: readonly { readonly spans: readonly Span[] }[];
        }[];
      }>;
    };
  };
  readonly metrics: {
    readonly v1: {
      readonly ExportMetricsServiceRequest: Decoder<{
        readonly resourceMetrics: readonly {
          readonly scopeMetrics: readonly { readonly metrics: readonly Metric[] }[];
        }[];
      }>;
    };
  };
}

// The package has no export for its definitions.
const { collector } = (
  createRequire(import.meta.url)("otlp-definitions/build/src/generated/root.js") as {
    readonly opentelemetry: { readonly proto: { readonly collector: Definitions } };
  }
).opentelemetry.proto;

function spansIn(body: Uint8Array): readonly Span[] {
  return collector.trace.v1.ExportTraceServiceRequest.decode(body).resourceSpans.flatMap(({ scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) => spans),
  );
}

function metricsIn(body: Uint8Array): readonly Metric[] {
  return collector.metrics.v1.ExportMetricsServiceRequest.decode(body).resourceMetrics.flatMap(
    ({ scopeMetrics }) => scopeMetrics.flatMap(({ metrics }) => metrics),
  );
}

interface Collector {
  readonly endpoint: string;
  readonly spans: Span[];
  /** The metrics that arrived, with the bounds of histograms. */
  readonly metrics: Map<string, readonly number[]>;
}

async function startCollector(t: TestContext): Promise<Collector> {
  const [spans, metrics]: [Span[], Map<string, readonly number[]>] = [[], new Map()];
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request);
    if (request.url === "/v1/traces") spans.push(...spansIn(body));
    else
      for (const { name, histogram } of metricsIn(body))
        metrics.set(name, histogram?.dataPoints[0]?.explicitBounds ?? []);
    response.writeHead(200, { "content-type": "application/x-protobuf" }).end();
  };
  const server = createServer((...exchange) => void receive(...exchange));
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  t.after(() => server.close());
  return { endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, spans, metrics };
}

const hex = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString("hex");

function configure(place: Place, telemetry: object): void {
  writeFileSync(join(place.home, "config.json"), JSON.stringify({ telemetry }));
}

function script(place: Place, ...answers: readonly object[]): readonly string[] {
  place.write("script.jsonl", answers.map((answer) => `${JSON.stringify(answer)}\n`).join(""));
  return ["--model", "scripted/script.jsonl"];
}

test("one task of an agent is one connected trace, and its metrics arrive", async (t) => {
  const place = createPlace(t);
  const { endpoint, spans, metrics } = await startCollector(t);
  configure(place, { endpoint: `${endpoint}/` });
  const calls = { calls: [{ name: "ls", input: {} }] };
  const model = script(place, calls, { text: "Nothing." });
  const { code, stderr } = await runProcess(place, ["run", "What is here?", ...model]);
  assert.equal(code, 0, stderr);
  const named = (name: string): readonly Span[] => spans.filter((span) => span.name === name);
  const [task] = named("invoke_agent Toolwright");
  assert.ok(task, spans.map(({ name }) => name).join(", "));
  assert.equal(hex(task.parentSpanId), "");
  assert.equal(new Set(spans.map(({ traceId }) => hex(traceId))).size, 1);
  const requests = named("chat script.jsonl");
  assert.equal(requests.length, 2);
  const [call] = named("execute_tool ls");
  for (const span of [...requests, call]) assert.equal(hex(span?.parentSpanId), hex(task.spanId));
  const seconds = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
  assert.deepEqual(metrics.get("gen_ai.execute_tool.duration"), seconds);
  assert.deepEqual(metrics.get("gen_ai.client.operation.duration"), seconds);
  const tokens = metrics.get("gen_ai.client.token.usage");
  assert.deepEqual([tokens?.[0], tokens?.[1], tokens?.at(-1), tokens?.length], [1, 4, 67_108_864, 14]);
});

test("a call of an MCP client is below the client's span, and the environment names the collector", async (t) => {
  const place = createPlace(t);
  const { endpoint, spans } = await startCollector(t);
  const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint };
  const { client } = await connectProcess(t, place, { environment });
  const traceId = "0af7651916cd43dd8448eb211c80319c";
  const traceparent = `00-${traceId}-b7ad6b7169203331-01`;
  await client.callTool({ name: "ls", arguments: {}, _meta: { traceparent } });
  // At its end the program sends what it has, instead of waiting for more.
  await client.close();
  await until("the span arrives", () => spans.length > 0);
  assert.equal(spans[0]?.name, "execute_tool ls");
  assert.equal(hex(spans[0]?.traceId), traceId);
  assert.equal(hex(spans[0]?.parentSpanId), "b7ad6b7169203331");
});

test("a call over HTTP is below the span of its traceparent", async (t) => {
  const place = createPlace(t);
  const { endpoint, spans } = await startCollector(t);
  configure(place, { endpoint });
  const served = await startServe(t, place);
  const { address, token } = served;
  const traceId = "0af7651916cd43dd8448eb211c80319c";
  const headers = {
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    traceparent: `00-${traceId}-b7ad6b7169203331-01`,
  };
  const body = JSON.stringify({ name: "ls", input: {} });
  assert.equal((await fetch(new URL("/api/calls", address), { method: "POST", headers, body })).status, 200);
  await served.stop();
  const [span] = spans;
  assert.deepEqual([hex(span?.traceId), hex(span?.parentSpanId)], [traceId, "b7ad6b7169203331"]);
});

test("a collector that cannot be reached is reported once, and the call succeeds", async (t) => {
  const place = createPlace(t);
  configure(place, { endpoint: "http://127.0.0.1:9" });
  const { code, stdout, stderr } = await runProcess(place, ["call", "think", "thought=why"]);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /Noted/);
  assert.match(stderr, /^toolwright: warning: telemetry could not be sent: [^{}]*ECONNREFUSED[^{}]*\n$/);
});

test("a project cannot send telemetry anywhere", async (t) => {
  const place = createPlace(t);
  const { endpoint, spans } = await startCollector(t);
  mkdirSync(join(place.folder, ".toolwright"));
  place.write(".toolwright/config.json", JSON.stringify({ telemetry: { endpoint } }));
  const { code, stderr } = await runProcess(place, ["call", "think", "thought=why"]);
  assert.equal(code, 0, stderr);
  assert.match(stderr, /telemetry/);
  assert.deepEqual(spans, []);
});
