// Spans of calls, model requests and agents in the OpenTelemetry SDK that a program has set up.
import assert from "node:assert/strict";
import { context, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { createEngine, defineTool, number, object } from "toolwright";
import { createTelemetry } from "toolwright/opentelemetry";

// What a program with OpenTelemetry has anyway, with an exporter to its collector.
const exporter = new InMemorySpanExporter();
trace.setGlobalTracerProvider(
  new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }),
);
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());

const square = defineTool({
  name: "square",
  description: "Squares a number.",
  input: object({ value: number() }),
  risk: "low",
  effects: "none",
  run: ({ value }) => value * value,
});

const telemetry = createTelemetry();
const engine = createEngine({ tools: [square], around: [telemetry.around] });
telemetry.watch(engine);

await trace.getTracer("app").startActiveSpan("GET /square", async (span) => {
  await engine.run({ id: "1", name: "square", input: { value: 4 } });
  span.end();
});

const [call, request] = exporter.getFinishedSpans();
assert.equal(call?.name, "execute_tool square");
assert.equal(call?.parentSpanContext?.spanId, request?.spanContext().spanId);
console.log(`the span "${call?.name}" is below "${request?.name}"`);
await engine.close();
