import { callsOf } from "../../core/agent/message.ts";
import type { Model, ModelPart, ModelRequest } from "../../core/agent/model.ts";
import { createAnswer } from "./answer.ts";
import { createIdleWatch, type IdleWatch } from "./idle-watch.ts";
import { toModelFailure, type Recipient } from "./model-failure.ts";
import type { RetryOptions } from "./model-options.ts";
import type { SdkModel, SdkPart } from "./sdk.ts";
import { toSdkRequest, type RequestSettings } from "./to-sdk-request.ts";
import { withRetries } from "./with-retries.ts";

export interface AdaptedModel extends RequestSettings {
  readonly format: Model["format"];
  readonly price: Model["price"];
  readonly recipient: Recipient;
  readonly retry: RetryOptions;
  readonly timeoutMs: number;
  /** Returns the SDK's model. Called with each request, and not before the first. */
  readonly load: () => Promise<SdkModel>;
}

/** Adapts a model of the AI SDK to the `Model` interface. */
export function adapt(adapted: AdaptedModel): Model {
  const { format, window, price, recipient, retry } = adapted;
  return {
    id: recipient.id,
    format,
    window,
    price,
    stream: (request) =>
      withRetries(() => send(adapted, request), {
        retry,
        signal: request.signal,
        toFailure: (thrown) => toModelFailure(thrown, recipient),
      }),
  };
}

async function* send(adapted: AdaptedModel, request: ModelRequest): AsyncIterable<ModelPart> {
  const model = await adapted.load();
  const watch = createIdleWatch(request.signal, adapted.timeoutMs);
  try {
    const sent = model.doStream({ ...toSdkRequest(request, adapted), abortSignal: watch.signal });
    const { stream } = await watch.next(sent);
    const answer = createAnswer(callIdsIn(request));
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
