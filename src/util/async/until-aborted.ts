import type { Model, ModelPart, ModelRequest } from "../../core/agent/model.ts";

/** What a model gives until its signal is aborted: also one that does not listen to the signal keeps nobody waiting. */
export async function* untilAborted(model: Model, request: ModelRequest): AsyncIterable<ModelPart> {
  const { signal } = request;
  if (signal.aborted) return;
  const parts = model.stream(request)[Symbol.asyncIterator]();
  let stop = (): void => undefined;
  const aborted = new Promise<undefined>((resolve) => {
    stop = () => resolve(undefined);
  });
  signal.addEventListener("abort", stop, { once: true });
  try {
    for (;;) {
      const next = parts.next();
      // After an abort nobody waits for it any more.
      next.catch(() => undefined);
      const given = await Promise.race([next, aborted]);
      if (given === undefined || given.done === true) return;
      yield given.value;
    }
  } finally {
    signal.removeEventListener("abort", stop);
    void Promise.resolve(parts.return?.()).catch(() => undefined);
  }
}
