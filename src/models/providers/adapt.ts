import { callsOf } from "../../core/agent/message.ts";
import type { Model, ModelPart, ModelRequest } from "../../core/agent/model.ts";
import { createAnswer } from "./answer.ts";
import { toModelFailure, type Recipient } from "./model-failure.ts";
import type { RetryOptions } from "./model-options.ts";
import type { SdkModel, SdkPart } from "./sdk.ts";
import { toSdkRequest, type RequestSettings } from "./to-request.ts";
import { withRetries } from "./with-retries.ts";
import { ToolError } from "../../core/errors.ts";
import { defined } from "../../util/json/defined.ts";
import { untilAborted } from "../../util/async/until-aborted.ts";

interface AdaptedModel extends RequestSettings {
  readonly format: Model["format"];
  readonly price: Model["price"];
  readonly maxTools: number | undefined;
  readonly recipient: Recipient;
  readonly retry: RetryOptions;
  readonly timeoutMs: number;
  /** Returns the SDK's model. Called with each request, and not before the first. */
  readonly load: () => Promise<SdkModel>;
}

/** Adapts a model of the AI SDK to the `Model` interface. */
export function toModel(adapted: AdaptedModel): Model {
  const { format, window, price, maxTools, recipient, retry } = adapted;
  return {
    id: recipient.id,
    format,
    window,
    price,
    ...defined({ maxTools }),
    stream: (request) =>
      withRetries(
        () => send(adapted, request),
        retry,
        request.signal,
        (thrown, hasBegun) => toModelFailure(thrown, recipient, hasBegun),
      ),
  };
}

async function* send(adapted: AdaptedModel, request: ModelRequest): AsyncIterable<ModelPart> {
  const model = await adapted.load();
  const watch = createIdleWatch(request.signal, adapted.timeoutMs);
  try {
    const sent = model.doStream({ ...toSdkRequest(request, adapted), abortSignal: watch.signal });
    const { stream } = await watch.next(sent);
    const answer = createAnswer(callIdsIn(request), request.streamsInput);
    for await (const part of partsOf(stream, watch)) {
      const delta = answer.add(part);
      if (delta !== undefined) yield delta;
    }
    yield answer.done();
  } finally {
    watch.close();
  }
}

function callIdsIn({ messages }: ModelRequest): readonly string[] {
  return messages.flatMap((message) =>
    message.role === "assistant" ? callsOf(message).map(({ id }) => id) : [],
  );
}

async function* partsOf(stream: ReadableStream<SdkPart>, watch: IdleWatch): AsyncIterable<SdkPart> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await watch.next(reader.read());
      if (done) return;
      yield value;
    }
  } finally {
    // An aborted request has already ended its stream, and some streams fail when they are cancelled after that.
    if (!watch.signal.aborted) reader.cancel().catch(() => undefined);
  }
}

/** Aborts a request when its caller does, or when the provider sends nothing for too long. */
type IdleWatch = ReturnType<typeof createIdleWatch>;

/** Watches one request. The timeout applies to each `next` on its own. */
export function createIdleWatch(caller: AbortSignal, timeoutMs: number) {
  const own = new AbortController();
  const signal = AbortSignal.any([caller, own.signal]);
  const timeOut = (): void =>
    own.abort(
      new ToolError("UNAVAILABLE", `timed out: the provider sent nothing for ${timeoutMs / 1000} s`, {
        hint: "try again, or set a longer timeout",
      }),
    );
  return {
    signal,
    /** Returns the value of the promise, or throws as soon as the request is aborted, even if the promise ignores the signal. */
    next: async <Value>(promise: PromiseLike<Value>): Promise<Value> => {
      // Only the time spent waiting for the provider counts.
      const timer = setTimeout(timeOut, timeoutMs);
      try {
        return await untilAborted(promise, signal);
      } finally {
        clearTimeout(timer);
      }
    },
    // Stops what is still in flight.
    close: (): void => own.abort(new ToolError("CANCELLED", "the request is over")),
  };
}
