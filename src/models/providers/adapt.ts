import { callsOf } from "../../core/agent/message.ts";
import type { Model, ModelPart, ModelRequest } from "../../core/agent/model.ts";
import { createAnswer } from "../answer/collect-answer.ts";
import type { IdleWatch } from "./idle-watch.ts";
import { createIdleWatch } from "./idle-watch.ts";
import type { Recipient } from "./model-failure.ts";
import { toModelFailure } from "./model-failure.ts";
import type { RetryOptions } from "../answer/model-options.ts";
import type { SdkModel, SdkPart } from "../answer/sdk.ts";
import type { Asking } from "./to-sdk-request.ts";
import { toSdkRequest } from "./to-sdk-request.ts";
import { withRetries } from "./with-retries.ts";

export interface Adapted extends Asking {
  readonly format: Model["format"];
  readonly price: Model["price"];
  readonly recipient: Recipient;
  readonly retry: RetryOptions;
  readonly timeoutMs: number;
  /** Gives the SDK's model; asked for with each request, and not before the first. */
  readonly load: () => Promise<SdkModel>;
}

/** A model of the AI SDK behind our port. */
export function adapt(adapted: Adapted): Model {
  const { format, window, price, recipient, retry } = adapted;
  return {
    id: recipient.id,
    format,
    window,
    price,
    stream: (request) =>
      withRetries(() => ask(adapted, request), {
        retry,
        signal: request.signal,
        toFailure: (thrown) => toModelFailure(thrown, recipient),
      }),
  };
}

async function* ask(adapted: Adapted, request: ModelRequest): AsyncIterable<ModelPart> {
  const model = await adapted.load();
  const watch = createIdleWatch(request.signal, adapted.timeoutMs);
  try {
    const asked = model.doStream({ ...toSdkRequest(request, adapted), abortSignal: watch.signal });
    const { stream } = await watch.next(asked);
    const answer = createAnswer(idsIn(request));
    for await (const part of partsOf(stream, watch)) {
      const shown = answer.take(part);
      if (shown !== undefined) yield shown;
    }
    yield answer.done();
  } finally {
    watch.close();
  }
}

function idsIn({ messages }: ModelRequest): readonly string[] {
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
    // A request that was ended has ended its stream, and one of the packages fails to hear of it twice.
    if (!watch.signal.aborted) reader.cancel().catch(() => undefined);
  }
}
