import {
  context,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Histogram,
  type Meter,
  type Span,
  type Tracer,
  type UpDownCounter,
} from "@opentelemetry/api";
import type { ToolContext } from "../../core/context.ts";
import type { EngineEvent } from "../../core/events.ts";
import { SessionKey } from "../../core/session/session.ts";
import type { Engine } from "../../engine/types/engine.ts";
import { DURATION_BUCKETS } from "./conventions.ts";
import { contentText } from "../../util/text/content-text.ts";
import { defined } from "../../util/json/defined.ts";

interface Recorder {
  readonly tracer: Tracer;
  readonly meter: Meter;
  readonly recordsContent: boolean;
}

interface OpenCall {
  readonly session: string | undefined;
  readonly span: Span;
  askedAt?: number;
  /** How long it waited for approval. */
  waitedMs: number;
}

type CallEvent = EventOf<(typeof TYPES)[number]>;
type EventOf<Type extends EngineEvent["type"]> = Extract<EngineEvent, { readonly type: Type }>;

const TYPES = [
  "call.received",
  "call.judged",
  "call.started",
  "call.answered",
  "call.suspended",
  "approval.asked",
  "approval.answered",
] as const;

/** How much of an input or an answer a span has. */
const MAX_CONTENT = 8192;
const SECONDS = 1000;

/** The spans of the calls of one engine. */
export interface CallSpans {
  /** Returns the span of a running call. */
  find(context: Pick<ToolContext, "call" | "find">): Span | undefined;
  /** Ends the spans that are open, and listens no more. */
  stop(): void;
}

/** What is measured, and the running calls. */
interface TracedCalls extends Recorder {
  readonly duration: Histogram;
  readonly approval: Histogram;
  readonly waiting: UpDownCounter;
  /** By their id, which calls of two sessions may share. */
  readonly open: Map<string, OpenCall[]>;
}

/** Creates one span for each call, from its first event to its answer, below the caller's span. */
export function traceCalls(engine: Pick<Engine, "on">, recorder: Recorder): CallSpans {
  const calls = { ...recorder, ...createInstruments(recorder.meter), open: new Map<string, OpenCall[]>() };
  const stopListening = engine.on((event: CallEvent) => {
    const call = callOf(calls, event.callId, event.session);
    if (event.type === "call.received") start(calls, event);
    else if (call !== undefined) record(calls, call, event);
  }, TYPES);
  return {
    find({ call, find }) {
      const same = calls.open.get(call.id);
      if (same === undefined || same.length === 1) return same?.[0]?.span;
      const session = find(SessionKey)?.id;
      return (same.find((one) => one.session === session) ?? same[0])?.span;
    },
    stop() {
      stopListening();
      for (const { span } of [...calls.open.values()].flat()) span.end();
      calls.open.clear();
    },
  };
}

function createInstruments(meter: Meter): Pick<TracedCalls, "duration" | "approval" | "waiting"> {
  const advice = { explicitBucketBoundaries: [...DURATION_BUCKETS] };
  return {
    duration: meter.createHistogram("gen_ai.execute_tool.duration", {
      unit: "s",
      description: "How long calls of tools take, without the time in which they wait for approval",
      advice,
    }),
    approval: meter.createHistogram("toolwright.approval.duration", {
      unit: "s",
      description: "How long calls wait for approval",
      advice,
    }),
    waiting: meter.createUpDownCounter("toolwright.approvals.pending", {
      unit: "{call}",
      description: "Calls that wait for approval",
    }),
  };
}

function callOf({ open }: TracedCalls, callId: string, session: string | undefined): OpenCall | undefined {
  return open.get(callId)?.find((call) => call.session === session);
}

function start(calls: TracedCalls, event: EventOf<"call.received">): void {
  const { callId, name, session, parentId, at, input } = event;
  const parent = parentId === undefined ? undefined : callOf(calls, parentId, session);
  const below = parent === undefined ? context.active() : trace.setSpan(context.active(), parent.span);
  const attributes = {
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": name,
    "gen_ai.tool.type": "function",
    "gen_ai.tool.call.id": callId,
    ...defined({ "gen_ai.conversation.id": session }),
    ...(calls.recordsContent && { "gen_ai.tool.call.arguments": cut(JSON.stringify(input)) }),
  };
  const options = { kind: SpanKind.INTERNAL, startTime: at, attributes };
  const span = calls.tracer.startSpan(`execute_tool ${name}`, options, below);
  calls.open.set(callId, [...(calls.open.get(callId) ?? []), { session, span, waitedMs: 0 }]);
}

function record(
  calls: TracedCalls,
  call: OpenCall,
  event: Exclude<CallEvent, { type: "call.received" }>,
): void {
  const { span } = call;
  switch (event.type) {
    case "call.judged":
      span.setAttributes({
        "toolwright.verdict": event.verdict.kind,
        "toolwright.rule": event.verdict.rule,
      });
      return;
    case "call.started":
      if (event.attributes !== undefined) span.setAttributes(ofTool(event.attributes));
      return;
    case "approval.asked":
      call.askedAt = event.at;
      calls.waiting.add(1);
      return;
    case "approval.answered":
      span.setAttribute("toolwright.approval.given", event.approved);
      stopWaiting(calls, call, event.at);
      return;
    case "call.suspended":
      close(calls, call, event);
      span.setAttribute("toolwright.suspended", true).end(event.at);
      return;
    case "call.answered":
      close(calls, call, event);
      answer(calls, call, event);
  }
}

function close(calls: TracedCalls, call: OpenCall, { callId, at }: Pick<CallEvent, "callId" | "at">): void {
  const rest = (calls.open.get(callId) ?? []).filter((one) => one !== call);
  if (rest.length === 0) calls.open.delete(callId);
  else calls.open.set(callId, rest);
  stopWaiting(calls, call, at);
}

/** A call that is cancelled while it waits is answered before its question is. */
function stopWaiting({ approval, waiting }: TracedCalls, call: OpenCall, at: number): void {
  if (call.askedAt === undefined) return;
  const waitedMs = at - call.askedAt;
  call.waitedMs += waitedMs;
  call.span.setAttribute("toolwright.approval.seconds", call.waitedMs / SECONDS);
  approval.record(waitedMs / SECONDS);
  waiting.add(-1);
  delete call.askedAt;
}

function answer(
  { recordsContent, duration }: TracedCalls,
  { span, waitedMs }: OpenCall,
  { at, result }: EventOf<"call.answered">,
): void {
  const { meta, name, content } = result;
  const error = result.ok ? {} : { "error.type": result.error.code };
  span.setAttributes({
    "toolwright.place": meta.place,
    "toolwright.attempts": meta.attempts,
    "toolwright.source": meta.source,
    ...error,
    ...(recordsContent && { "gen_ai.tool.call.result": cut(contentText(content)) }),
  });
  if (!result.ok) span.setStatus({ code: SpanStatusCode.ERROR, message: cut(result.error.message) });
  span.end(at);
  duration.record(Math.max(0, meta.durationMs - waitedMs) / SECONDS, { "gen_ai.tool.name": name, ...error });
}

/** Returns the attributes that a tool declares, under a prefix of their own: they can have any names. */
function ofTool(attributes: Attributes): Attributes {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [`toolwright.tool.${name}`, value]),
  );
}

function cut(text: string): string {
  return text.length > MAX_CONTENT ? `${text.slice(0, MAX_CONTENT)}…` : text;
}
