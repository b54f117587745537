import { setTimeout as sleep } from "node:timers/promises";
import type { KV } from "@nats-io/kv";
import { ToolError } from "../../core/errors.ts";
import { apiCode, persist, WRONG_SEQUENCE } from "../../store/nats/nats.ts";
import { createSerializer } from "../../util/async/serialize.ts";
import { untilAborted } from "../../util/async/until-aborted.ts";
import { withTimeout } from "../../util/async/with-timeout.ts";
import type { FleetLimit } from "./types/options.ts";

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
 * Waits until a call may start under a limit, which all engines count in one entry of a bucket. Resolves with the function that ends the use.
 * Rejects with `UNAVAILABLE` shortly before the deadline of the call.
 */
export type EnterLimit = (name: string, limit: FleetLimit, call: LimitedCall) => Promise<() => void>;

/** Creates the entrance to the limits of one engine. Its calls that wait for a limit enter in order, and only the first of them looks. */
export function createEntrance(bucket: KV): EnterLimit {
  const serialize = createSerializer();
  return async (name, limit, { key, expiresAt, signal }) => {
    const entry = `limit.${Buffer.from(name).toString("base64url")}`;
    const full = (): never => {
      throw new ToolError("UNAVAILABLE", `the limit of ${name} left no room before the deadline`);
    };
    const left = (): number => expiresAt - Date.now() - 2 * LOOK_MS;
    const entering = serialize(async () => {
      while (!(await change(bucket, entry, (use) => enter(use, limit, key, expiresAt)))) {
        if (left() < 0) full();
        // Engines that wait together do not look together.
        await sleep(LOOK_MS * (0.5 + Math.random()), undefined, { signal });
      }
    }, [entry]);
    const leave = (): void => {
      const end = ({ running: { [key]: _ended, ...running }, started }: Use): Use => ({ running, started });
      change(bucket, entry, end).catch(() => undefined);
    };
    try {
      await untilAborted(withTimeout(entering, Math.max(0, left()), full), signal);
    } catch (error) {
      entering.then(leave, () => undefined);
      throw error;
    }
    return leave;
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
  // Another engine asked for the same call, or the confirmation of this change was lost.
  if (key in running) return { running, started };
  if (Object.keys(running).length >= concurrency || started.length >= Math.max(1, perSecond))
    return undefined;
  const starts = limit.perSecond === undefined ? [] : [...started, now];
  return { running: { ...running, [key]: expiresAt }, started: starts };
}

/** Changes the entry unless another engine changes it meanwhile: then it is read again. Returns false if there is nothing to change. */
async function change(bucket: KV, entry: string, to: (use: Use) => Use | undefined): Promise<boolean> {
  for (;;) {
    const isChanged = await persist(async () => {
      const storedEntry = await bucket.get(entry);
      const use = to(storedEntry === null ? UNUSED : storedEntry.json<Use>());
      if (use === undefined) return false;
      try {
        await bucket.put(entry, JSON.stringify(use), { previousSeq: storedEntry?.revision ?? 0 });
        return true;
      } catch (error) {
        if (WRONG_SEQUENCE.has(apiCode(error))) return undefined;
        throw error;
      }
    });
    if (isChanged !== undefined) return isChanged;
  }
}
