import {
  context,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Meter,
  type Span,
  type Tracer,
} from "@opentelemetry/api";
import { withStream, type Model, type ModelPart, type ModelRequest } from "../../core/agent/model.ts";
import { conversationOf, DURATION_BUCKETS, TOKEN_BUCKETS } from "./conventions.ts";
import { toFault } from "../../util/json/fault.ts";
import { defined } from "../../util/json/defined.ts";

interface Recorder {
  readonly tracer: Tracer;
  readonly meter: Meter;
}

/** The names of providers in the conventions, where they differ from ours. */
const PROVIDERS: Readonly<Record<string, string>> = { google: "gcp.gemini" };
/** Why a model stopped, in the words of the conventions, where they differ from ours. */
const FINISH_REASONS: Readonly<Record<string, string>> = { calls: "tool_call", refused: "content_filter" };
const SECONDS = 1000;

/** Returns a model that has a span and metrics for every request; requests that it sends are below the span. */
export function traceModel(model: Model, recorder: Recorder): Model {
  const [provider = "", ...rest] = model.id.split("/");
  const name = rest.join("/");
  const common = {
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": PROVIDERS[provider] ?? provider,
    "gen_ai.request.model": name,
  };
  const record = createRecord(recorder.meter, common);
  return withStream(model, async function* (request) {
    const span = recorder.tracer.startSpan(`chat ${name}`, {
      kind: SpanKind.CLIENT,
      attributes: { ...common, ...conversationOf(context.active()), ...settingsOf(request) },
    });
    const startedAt = performance.now();
    const active = trace.setSpan(context.active(), span);
    const parts = context.with(active, () => model.stream(request)[Symbol.asyncIterator]());
    let error: string | undefined = "CANCELLED";
    try {
      for (;;) {
        const next = await context.with(active, () => parts.next());
        if (next.done === true) return;
        if (next.value.type === "done") {
          error = undefined;
          record.answer(span, next.value);
        }
        yield next.value;
      }
    } catch (thrown) {
      const { code, message } = toFault(thrown);
      error = code;
      span.setStatus({ code: SpanStatusCode.ERROR, message });
      throw thrown;
    } finally {
      // A consumer that stops early ends the request.
      await parts.return?.();
      record.end(span, performance.now() - startedAt, error);
    }
  });
}

function settingsOf({ temperature, maxOutputTokens }: ModelRequest): Attributes {
  return defined({ "gen_ai.request.temperature": temperature, "gen_ai.request.max_tokens": maxOutputTokens });
}

function createRecord(meter: Meter, common: Attributes) {
  const duration = meter.createHistogram("gen_ai.client.operation.duration", {
    unit: "s",
    description: "How long requests to models take",
    advice: { explicitBucketBoundaries: [...DURATION_BUCKETS] },
  });
  const tokens = meter.createHistogram("gen_ai.client.token.usage", {
    unit: "{token}",
    description: "Tokens of requests and of answers",
    advice: { explicitBucketBoundaries: [...TOKEN_BUCKETS] },
  });
  return {
    answer(span: Span, { usage, reason }: Extract<ModelPart, { type: "done" }>): void {
      const { inputTokens, outputTokens, cachedTokens } = usage;
      span.setAttributes({
        "gen_ai.response.finish_reasons": [FINISH_REASONS[reason] ?? reason],
        "gen_ai.usage.input_tokens": inputTokens,
        "gen_ai.usage.output_tokens": outputTokens,
        ...defined({ "gen_ai.usage.cache_read.input_tokens": cachedTokens }),
      });
      tokens.record(inputTokens, { ...common, "gen_ai.token.type": "input" });
      tokens.record(outputTokens, { ...common, "gen_ai.token.type": "output" });
    },
    end(span: Span, ms: number, error: string | undefined): void {
      const failed = error === undefined ? {} : { "error.type": error };
      span.setAttributes(failed).end();
      duration.record(ms / SECONDS, { ...common, ...failed });
    },
  };
}
