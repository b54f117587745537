import { Buffer, isUtf8 } from "./bytes.ts";
import * as path from "./posix-path.ts";
import { sha256 } from "./sha256.ts";

/** Node's modules as far as the engine, the policy and the providers use them. */
const MODULES: Readonly<Record<string, object | undefined>> = {
  "node:buffer": { Buffer, isUtf8 },
  "node:crypto": {
    createHash,
    hash: (algorithm: string, text: string, encoding: "hex") =>
      createHash(algorithm).update(text).digest(encoding),
    randomUUID: () => crypto.randomUUID(),
    randomBytes: (size: number) => Buffer.from(crypto.getRandomValues(new Uint8Array(size))),
  },
  "node:path": { ...path, posix: path },
  "node:path/posix": path,
  "node:timers/promises": { setTimeout: wait },
  // oxlint-disable-next-line no-control-regex
  "node:util": {
    stripVTControlCharacters: (text: string) => text.replaceAll(/\u001b\[[\d;?]*[ -/]*[@-~]|\u001b./g, ""),
  },
  // What needs a time limit finds none, and is refused.
  "node:vm": undefined,
};

/** What stands for Node's `process`. */
export const process = {
  versions: {},
  env: {},
  argv: [],
  platform: "linux",
  cwd: () => "/",
  getBuiltinModule: (name: string): object | undefined => (name in MODULES ? MODULES[name] : absent(name)),
};

export { Buffer };

/** A timer with the methods that Node's have. It keeps nothing alive. */
interface Timer {
  readonly id: ReturnType<typeof globalThis.setTimeout>;
  ref(): Timer;
  unref(): Timer;
}

export function setTimeout(callback: (...given: unknown[]) => void, ms?: number, ...given: unknown[]): Timer {
  const id = globalThis.setTimeout(callback, ms, ...given);
  const timer: Timer = { id, ref: () => timer, unref: () => timer };
  return timer;
}

export function clearTimeout(timer?: Timer): void {
  if (timer !== undefined) globalThis.clearTimeout(timer.id);
}

export const setImmediate = (callback: (...given: unknown[]) => void, ...given: unknown[]): Timer =>
  setTimeout(callback, 0, ...given);
export const clearImmediate = (timer?: Timer): void => clearTimeout(timer);

/** A module that can be imported, and throws when something of it is used. */
function absent(name: string): object {
  const fail = (): never => {
    throw new Error(`${name} is not there: this program does not run in Node`);
  };
  return new Proxy(fail, {
    get(_, member) {
      if (member === "then") return undefined;
      // Flags are combined when a module is loaded.
      return member === Symbol.toPrimitive ? () => 0 : absent(`${name}.${String(member)}`);
    },
  });
}

function createHash(algorithm: string) {
  if (algorithm !== "sha256") throw new Error(`${algorithm} is not there: this program does not run in Node`);
  const parts: Uint8Array[] = [];
  return {
    update(part: string | Uint8Array) {
      parts.push(typeof part === "string" ? Buffer.from(part) : part);
      return this;
    },
    digest(encoding?: "hex" | "base64url") {
      const digest = Buffer.from(sha256(Buffer.concat(parts)));
      return encoding === undefined ? digest : digest.toString(encoding);
    },
  };
}

function wait<T>(
  ms: number,
  value?: T,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve(value);
    }, ms);
    if (signal?.aborted === true) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });
}
