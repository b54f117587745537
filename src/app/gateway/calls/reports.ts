import type { LoggingLevel } from "@modelcontextprotocol/server";
import type { Progress } from "../../../core/context.ts";
import type { Channel, McpProgress } from "../types/gateway-types.ts";
import { counted } from "../../../util/text/words.ts";
import { defined } from "../../../util/json/defined.ts";

/**
 * Passes a call's progress on to its client, as progress and as log messages. Limits both kinds to a rate that a client can handle; the
 * last of each is always sent.
 */
export function createReports({ progress: send, log, level }: Pick<Channel, "progress" | "log" | "level">) {
  let progress: ReturnType<typeof createProgressReporter> | undefined;
  let logs: ReturnType<typeof createLogger> | undefined;
  const write: Channel["log"] = (at, message, logger) => {
    if (isAtLeast(at, level.current)) (logs ??= createLogger(log)).log(at, message, logger);
  };
  return {
    /** Sends a log message of an upstream server. */
    log: write,
    /** Sends progress until the returned function is called: many clients give up a call that reports nothing for a minute. */
    wait: (message: string): (() => void) => {
      const report = (): void => send && (progress ??= createProgressReporter(send)).report({ message });
      report();
      const timer = setInterval(report, WAITING_MS).unref();
      return () => clearInterval(timer);
    },
    add: (one: Progress): void => {
      if (send !== undefined) (progress ??= createProgressReporter(send)).report(one);
      if (typeof one === "string") write("info", one);
      else if ("stream" in one) write("debug", one.text);
    },
    /** Sends what the rate limit held back. */
    flush(): void {
      progress?.flush();
      logs?.flush();
    },
  };
}

const WAITING_MS = 10_000;

const LEVELS = "debug info notice warning error critical alert emergency".split(" ");

/** Returns whether a message of this level is sent to a client that set a lowest level. */
export function isAtLeast(level: LoggingLevel, lowest: LoggingLevel): boolean {
  return LEVELS.indexOf(level) >= LEVELS.indexOf(lowest);
}

const MAX_MESSAGE = 2000;
/** Added for a text that comes between two numbers of the tool. */
const SMALL_STEP = 1e-6;

/** Sends a number that only grows, at a limited rate; the last is always sent. */
export function createProgressReporter(send: (progress: McpProgress) => void) {
  let last = -1;
  let isCounted = true;
  const maySend = createRateLimit();
  let held: McpProgress | undefined;
  let timer: NodeJS.Timeout | undefined;

  const next = (done: number | undefined): number => {
    if (done !== undefined) isCounted = false;
    return done ?? last + (isCounted ? 1 : Math.max(1, Math.abs(last)) * SMALL_STEP);
  };
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (held !== undefined) send(held);
    held = undefined;
  };
  return {
    flush,
    report(progress: Progress): void {
      const { done, total, message } = toParts(progress);
      const number = next(done);
      if (!(number > last) || !Number.isFinite(number)) return;
      last = number;
      const sent = { progress: number, ...defined({ total }), ...(message && { message }) };
      if (timer === undefined && maySend()) return send(sent);
      held = sent;
      timer ??= setTimeout(flush, INTERVAL_MS).unref();
    },
  };
}

function toParts(progress: Progress) {
  if (typeof progress === "string") return { message: cut(progress) };
  if ("stream" in progress) return { message: cut(progress.text) };
  const { done, total, message } = progress;
  const finite = (value: number | undefined): number | undefined =>
    value !== undefined && Number.isFinite(value) ? value : undefined;
  return {
    done: finite(done),
    total: finite(total),
    message: message === undefined ? undefined : cut(message),
  };
}

/** Keeps the end of a long text: it shows best how far the call is. */
function cut(text: string): string {
  const trimmed = text.trimEnd();
  return trimmed.length <= MAX_MESSAGE ? trimmed : `…${trimmed.slice(-MAX_MESSAGE).toWellFormed()}`;
}

/** Sends log messages at a limited rate; the last is always sent, and the number of those left out. */
export function createLogger(send: Channel["log"]) {
  const maySend = createRateLimit();
  let last: Parameters<Channel["log"]> | undefined;
  let leftOut = 0;
  let highest: LoggingLevel = "debug";
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    if (last === undefined) return;
    clearTimeout(timer);
    timer = undefined;
    // At the highest level among them: a client that would have received one of them receives the count.
    if (leftOut > 0) send(highest, `${counted(leftOut, "log message was", "log messages were")} left out`);
    send(...last);
    [last, leftOut, highest] = [undefined, 0, "debug"];
  };
  return {
    flush,
    log(...message: Parameters<Channel["log"]>): void {
      if (last === undefined && maySend()) return send(...message);
      if (last !== undefined) {
        leftOut += 1;
        if (isAtLeast(last[0], highest)) [highest] = last;
      }
      last = message;
      timer ??= setTimeout(flush, INTERVAL_MS).unref();
    },
  };
}

const BURST = 32;
const INTERVAL_MS = 50;

/** Allows a burst of messages, then one each interval. */
function createRateLimit(): () => boolean {
  let free = BURST;
  let freedAt = performance.now();
  return () => {
    const now = performance.now();
    const freed = Math.floor((now - freedAt) / INTERVAL_MS);
    if (freed > 0) [free, freedAt] = [Math.min(BURST, free + freed), now];
    if (free === 0) return false;
    free -= 1;
    return true;
  };
}
