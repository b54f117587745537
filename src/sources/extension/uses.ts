import { ToolError } from "../../core/errors.ts";
import { isAsyncIterable, isThenable } from "../../util/async/thenable.ts";

/** Counts the running functions of an extension. */
export type Uses = ReturnType<typeof createUses>;

export function createUses(name: string) {
  let running = 0;
  let hasEnded = false;
  let waiting: (() => void) | undefined;
  const done = (): void => {
    running -= 1;
    if (running === 0) waiting?.();
  };
  const end = (): void => void (hasEnded = true);
  return {
    /** Runs `work` and counts it until its promise has settled or its async iterable has ended. */
    run<T>(work: () => T): T {
      if (hasEnded) throw replaced(name);
      running += 1;
      return untilDone(work, done);
    },
    /** Resolves when nothing is running; from then on `run` throws. */
    ended: (): Promise<void> =>
      new Promise((resolve) => {
        waiting = () => {
          end();
          resolve();
        };
        if (running === 0) waiting();
      }),
    /** Makes `run` throw from now on, even if something is still running. */
    end,
  };
}

/** The approved code was unloaded, and the call must not run its replacement. */
function replaced(name: string): ToolError {
  return new ToolError("UNAVAILABLE", `the extension "${name}" was reloaded while the call waited`, {
    hint: "make the call again",
  });
}

function untilDone<T>(work: () => T, done: () => void): T {
  let output: T;
  try {
    output = work();
  } catch (error) {
    done();
    throw error;
  }
  if (isThenable(output)) return afterwards(output, done) as T;
  if (isAsyncIterable(output)) return iterated(output, done) as T;
  done();
  return output;
}

async function afterwards(output: PromiseLike<unknown>, done: () => void): Promise<unknown> {
  let value: unknown;
  try {
    value = await output;
  } catch (error) {
    done();
    throw error;
  }
  if (isAsyncIterable(value)) return iterated(value, done);
  done();
  return value;
}

/** Not a generator: its `finally` would not run if it is closed before the first step. */
function iterated(output: AsyncIterable<unknown>, done: () => void): AsyncIterable<unknown> {
  const inner = output[Symbol.asyncIterator]();
  let isOpen = true;
  const finish = (): void => {
    if (isOpen) done();
    isOpen = false;
  };
  const step = async (
    next: Promise<IteratorResult<unknown>> | undefined,
  ): Promise<IteratorResult<unknown>> => {
    let isLast = true;
    try {
      const result = (await next) ?? { done: true, value: undefined };
      isLast = result.done === true;
      return result;
    } finally {
      if (isLast) finish();
    }
  };
  const iterator: AsyncIterator<unknown> = {
    next: () => step(inner.next()),
    return: () => step(inner.return?.()),
  };
  return { [Symbol.asyncIterator]: () => iterator };
}
