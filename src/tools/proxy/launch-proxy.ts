import type { Writable } from "node:stream";
import { ToolError } from "../../core/errors.ts";
import { programFile } from "../../system/package-files.ts";
import { runProcess } from "../../system/process/process.ts";
import { createRoster } from "../../system/process/roster.ts";
import { attempt } from "../../util/async/attempt.ts";
import { withTimeout } from "../../util/async/with-timeout.ts";
import { defined } from "../../util/json/defined.ts";
import { createLineReader } from "../../util/text/line-reader.ts";
import type { ProxyOptions } from "./traffic/options.ts";
import type { ProxyFlush, ProxyMessage, ProxyStart } from "./program/messages.ts";
import type { Traffic } from "./traffic/traffic.ts";

const START_MS = 60_000;
/** The program itself waits less for exchanges that last. */
const FLUSH_MS = 5000;
const KILL_MS = 1000;
/** While more exchanges are being stored, no more are read. */
const MAX_PENDING = 64;
/** Two bodies as JSON text, and the headers. */
const MAX_LINE = 32 * 1024 * 1024;
const INSTALL =
  "install it beside toolwright: npm install mockttp, with -g if toolwright was installed with it";

export type Ready = Extract<ProxyMessage, { readonly ready: unknown }>["ready"];

/** A proxy program that was started. */
export type LaunchedProxy = ReturnType<typeof launchProxy>;

interface Launch {
  /** What clients must send. */
  readonly password: string;
  /** The proxy that this one replaces. */
  readonly previous: Ready | undefined;
  /** Ends the program. */
  readonly signal: AbortSignal;
}

/** Starts the proxy program; what it captures is stored. */
export function launchProxy(options: ProxyOptions, traffic: Traffic, { password, previous, signal }: Launch) {
  const ready = Promise.withResolvers<Ready>();
  const { pending, store } = createPending(traffic);
  const flushes = new Map<number, () => void>();
  let input: Writable | undefined;
  let flushed = 0;
  const read = createLineReader({
    maxCharacters: MAX_LINE,
    onTooLong: () => undefined,
    onLine(line) {
      // Packages may print too.
      const message = attempt(() => JSON.parse(line) as ProxyMessage);
      if (message === undefined) return;
      if ("exchange" in message) store(message.exchange);
      else if ("ready" in message) ready.resolve(message.ready);
      else if ("failed" in message)
        ready.reject(notStarted(message.failed.message, message.failed.isMissing));
      else if ("flushed" in message) flushes.get(message.flushed)?.();
    },
  });
  const running = runProcess({
    ...programOf(options),
    signal,
    // The input stays open: its end tells the program that this process is gone.
    stdin(opened) {
      input = opened;
      input.on("error", () => undefined);
      send(input, startOf(options, password, previous));
    },
    async onOutput({ stream, text }) {
      if (stream === "stdout") read(text);
      if (pending.size > MAX_PENDING) await Promise.all(pending);
    },
  });
  const finish = async (): Promise<void> => {
    await running.catch(() => undefined);
    ready.reject(new ToolError("UNAVAILABLE", "the proxy of the session ended before it was ready"));
    for (const resolve of flushes.values()) resolve();
    await Promise.all(pending);
  };
  const timed = withTimeout(ready.promise, START_MS, () => {
    throw new ToolError("UNAVAILABLE", `the proxy of the session did not start within ${START_MS / 1000} s`);
  });
  // The call that needs it gets the error.
  timed.catch(() => undefined);
  return {
    /** Rejects with `UNAVAILABLE` if it does not start. */
    ready: timed,
    /** Resolves when it has ended and what it captured is stored. */
    ended: finish(),
    /** Resolves when every exchange that has ended is stored. Never rejects. */
    async flush(): Promise<void> {
      if (!(await timed.then(Boolean, () => false)) || input === undefined) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      const number = (flushed += 1);
      flushes.set(number, resolve);
      send(input, { flush: number });
      await withTimeout(promise, FLUSH_MS, () => undefined);
      flushes.delete(number);
      await Promise.all(pending);
    },
  };
}

function programOf({ environment: env, stateFolder }: ProxyOptions) {
  const args = [programFile("proxy-program")];
  return { file: process.execPath, args, cwd: "/", env, roster: createRoster(stateFolder), graceMs: KILL_MS };
}

/** Stores exchanges; what cannot be stored is lost, as it is without a proxy. */
function createPending(traffic: Traffic) {
  const pending = new Set<Promise<unknown>>();
  const store = (exchange: Parameters<Traffic["add"]>[0]): void => {
    const stored = traffic.add(exchange).catch(() => undefined);
    pending.add(stored);
    void stored.then(() => pending.delete(stored));
  };
  return { pending, store };
}

function send(input: Writable, message: ProxyStart | ProxyFlush): void {
  input.write(`${JSON.stringify(message)}\n`);
}

function startOf({ web = {} }: ProxyOptions, password: string, previous: Ready | undefined): ProxyStart {
  const { allowedDomains, blockedDomains, privateHosts, ports } = web;
  return {
    guard: defined({ allowedDomains, blockedDomains, privateHosts, ports }),
    password,
    ...defined({ previous }),
  };
}

function notStarted(message: string, isMissing: boolean): ToolError {
  return isMissing
    ? new ToolError("UNAVAILABLE", "the proxy needs the package mockttp, which is not installed", {
        hint: INSTALL,
      })
    : new ToolError("UNAVAILABLE", `the proxy of the session did not start: ${message}`);
}
