import { checkOptions, type OptionKinds } from "../../util/json/check-options.ts";
import {
  context,
  metrics,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Meter,
  type Span,
  type Tracer,
} from "@opentelemetry/api";
import type { AgentInfo } from "../../core/context.ts";
import type { Model } from "../../core/agent/model.ts";
import type { Around } from "../../core/executor.ts";
import type { Engine } from "../../engine/types/engine.ts";
import { traceCalls, type CallSpans } from "./call-spans.ts";
import { withConversation } from "./conventions.ts";
import { traceModel } from "./trace-model.ts";

/** Where spans and metrics go, and what they have. */
export interface TelemetryOptions {
  /** Default: the tracer of the program's own OpenTelemetry SDK. */
  readonly tracer?: Tracer;
  /** Default: the meter of the program's own OpenTelemetry SDK. */
  readonly meter?: Meter;
  /** True: spans have the input and the answer of calls, masked and cut. Default: false. */
  readonly recordsContent?: boolean;
}

/** An agent as its span names it. */
export interface TracedAgent {
  readonly identity: AgentInfo;
  readonly session: string;
}

/** Spans and metrics by the GenAI conventions of OpenTelemetry, for calls, model requests and the tasks of agents. */
export interface Telemetry {
  /** Makes the span of a call the active one while its tool runs: give it to `createEngine` in `around`. */
  readonly around: Around;
  /** Creates a span for every call of an engine. Returns a function that ends it. */
  watch(engine: Pick<Engine, "on">): () => void;
  /** Returns a model that has a span for every request. */
  model(model: Model): Model;
  /** Runs a task of an agent in a span. */
  agent<T>(agent: TracedAgent, task: () => Promise<T>): Promise<T>;
  /** Runs work below the span of another process, which `traceparent` of a request names. Without one, or with an invalid one, just runs it. */
  below<T>(traceparent: unknown, work: () => T): T;
}

const SCOPE = "toolwright";

const KINDS: OptionKinds<TelemetryOptions> = {
  tracer: "an object",
  meter: "an object",
  recordsContent: "true or false",
};

/** Without an SDK that the program has set up, nothing is recorded and every call costs next to nothing. */
export function createTelemetry(options: TelemetryOptions = {}): Telemetry {
  checkOptions("createTelemetry", options, KINDS);
  const tracer = options.tracer ?? trace.getTracer(SCOPE);
  const meter = options.meter ?? metrics.getMeter(SCOPE);
  const calls: CallSpans[] = [];
  return {
    around({ context: running }, next) {
      for (const spans of calls) {
        const span = spans.find(running);
        if (span !== undefined) return context.with(trace.setSpan(context.active(), span), next);
      }
      return next();
    },
    watch(engine) {
      const spans = traceCalls(engine, { tracer, meter, recordsContent: options.recordsContent === true });
      calls.push(spans);
      return () => {
        calls.splice(calls.indexOf(spans), 1);
        spans.stop();
      };
    },
    model: (model) => traceModel(model, { tracer, meter }),
    agent({ identity, session }, task) {
      const attributes = {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.id": identity.id,
        "gen_ai.agent.name": identity.name,
        "gen_ai.conversation.id": session,
      };
      const name = `invoke_agent ${identity.name}`;
      return context.with(withConversation(context.active(), session), () =>
        inSpan(tracer, name, attributes, task),
      );
    },
    below(traceparent, work) {
      const parent = parentOf(traceparent);
      return parent === undefined ? work() : context.with(parent, work);
    },
  };
}

async function inSpan<T>(
  tracer: Tracer,
  name: string,
  attributes: Attributes,
  task: () => Promise<T>,
): Promise<T> {
  const span = tracer.startSpan(name, { kind: SpanKind.INTERNAL, attributes });
  try {
    const outcome = await context.with(trace.setSpan(context.active(), span), task);
    endTask(span, outcome);
    return outcome;
  } finally {
    span.end();
  }
}

/** The outcome of an agent's task says how it ended; tasks do not reject. */
function endTask(span: Span, outcome: unknown): void {
  const { kind, why, fault } = (outcome ?? {}) as {
    readonly kind?: string;
    readonly why?: string;
    readonly fault?: { readonly code: string; readonly message: string };
  };
  const type = fault?.code ?? (kind === "stopped" ? why : undefined);
  if (type === undefined) return;
  span.setAttribute("error.type", type);
  if (fault !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: fault.message });
}

const TRACEPARENT = /^[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/;

/** Reads the W3C form of a parent. */
function parentOf(traceparent: unknown): Context | undefined {
  const parentMatch = typeof traceparent === "string" ? TRACEPARENT.exec(traceparent) : null;
  if (parentMatch === null || String(traceparent).startsWith("ff")) return undefined;
  const [, traceId = "", spanId = "", flags = ""] = parentMatch;
  const span = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
  return trace.setSpanContext(ROOT_CONTEXT, span);
}
