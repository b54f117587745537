import { setTimeout as sleep } from "node:timers/promises";
import type { KV } from "@nats-io/kv";
import { ToolError } from "../../core/errors.ts";
import { apiCode, persist, WRONG_SEQUENCE } from "../../store/nats/nats.ts";

/** The limits of a pool or a tool, over all engines. */
export interface FleetLimit {
  readonly concurrency?: number | undefined;
  readonly perSecond?: number | undefined;
}

interface Use {
  /** The calls that run, and when each ends at the latest. */
  readonly running: Readonly<Record<string, number>>;
  /** When calls of the last second started. */
  readonly started: readonly number[];
}

const UNUSED: Use = { running: {}, started: [] };
const LOOK_MS = 50;

/** A call that waits for a limit. */
export interface LimitedCall {
  readonly key: string;
  readonly expiresAt: number;
  readonly signal: AbortSignal;
}

/**
 * Waits until a call may start under a limit, which all engines count in one entry of a bucket. Returns the function that ends the use.
 * Rejects with `UNAVAILABLE` shortly before the deadline of the call.
 */
export async function enterLimit(
  bucket: KV,
  name: string,
  limit: FleetLimit,
  { key, expiresAt, signal }: LimitedCall,
): Promise<() => Promise<void>> {
  const entry = `limit.${Buffer.from(name).toString("base64url")}`;
  for (;;) {
    const isIn = await change(bucket, entry, (use) => enter(use, limit, key, expiresAt));
    if (isIn) break;
    if (Date.now() + 2 * LOOK_MS > expiresAt)
      throw new ToolError("UNAVAILABLE", `the limit of ${name} left no room before the deadline`);
    // Engines that wait together do not look together.
    await sleep(LOOK_MS * (0.5 + Math.random()), undefined, { signal });
  }
  return async () => {
    await change(bucket, entry, ({ running: { [key]: _ended, ...running }, started }) => ({
      running,
      started,
    })).catch(() => undefined);
  };
}

/** Returns the use with the call, or undefined if there is no room. */
function enter(use: Use, limit: FleetLimit, key: string, expiresAt: number): Use | undefined {
  const now = Date.now();
  // The engine of a call whose time is over may be gone.
  const running = Object.fromEntries(Object.entries(use.running).filter(([, endsAt]) => endsAt > now));
  const { concurrency = Number.POSITIVE_INFINITY, perSecond = Number.POSITIVE_INFINITY } = limit;
  // Below one call in a second, the window is longer.
  const windowMs = 1000 * Math.max(1, 1 / perSecond);
  const started = use.started.filter((at) => at > now - windowMs);
  if (Object.keys(running).length >= concurrency || started.length >= Math.max(1, perSecond))
    return undefined;
  const starts = limit.perSecond === undefined ? [] : [...started, now];
  return { running: { ...running, [key]: expiresAt }, started: starts };
}

/** Changes the entry unless another engine changes it meanwhile: then it is read again. Returns false if there is nothing to change. */
async function change(bucket: KV, entry: string, to: (use: Use) => Use | undefined): Promise<boolean> {
  for (;;) {
    const isChanged = await persist(async () => {
      const found = await bucket.get(entry);
      const use = to(found === null ? UNUSED : found.json<Use>());
      if (use === undefined) return false;
      try {
        await bucket.put(entry, JSON.stringify(use), { previousSeq: found?.revision ?? 0 });
        return true;
      } catch (error) {
        if (WRONG_SEQUENCE.has(apiCode(error))) return undefined;
        throw error;
      }
    });
    if (isChanged !== undefined) return isChanged;
  }
}
