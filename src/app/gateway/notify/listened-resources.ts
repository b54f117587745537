import { isObject } from "../../../core/json.ts";
import type { Ceiling } from "../../../core/policy.ts";
import type { Gateway } from "../clients/gateway.ts";

/** Watches that clients without a handshake keep by a request that stays open. */
export interface OpenWatches {
  /** A request to listen has come. Settles when what it names is watched; never rejects. */
  begin(id: unknown, params: unknown): Promise<void>;
  /** It was given up; another id means nothing. */
  end(id: unknown): void;
  /** Says how one is watched, and who is told. What began before begins now. */
  serve(watch: Watch, updated: (uri: string) => void): void;
  close(): void;
}

/** Calls back on each change until what it gives back is called; undefined where nobody tells of changes. */
export type Watch = (
  uri: string,
  updated: () => void,
  signal: AbortSignal,
) => Promise<(() => void) | undefined>;

const MAX_RESOURCES = 1000;

export function createOpenWatches(): OpenWatches {
  const open = new Map<unknown, AbortController>();
  const served = Promise.withResolvers<Parameters<OpenWatches["serve"]>>();
  const end = (id: unknown): void => {
    open.get(id)?.abort();
    open.delete(id);
  };
  return {
    async begin(id, params) {
      const uris = watchedBy(params);
      if (uris.length === 0) return;
      const ending = new AbortController();
      open.set(id, ending);
      const [watch, updated] = await served.promise;
      await watchResources(watch, uris, updated, ending.signal);
    },
    end,
    serve: (watch, updated) => served.resolve([watch, updated]),
    close() {
      for (const id of open.keys()) end(id);
    },
  };
}

/** Watches for a client under these ceilings, only what it may read. */
export function watchUnder({ behind, reach }: Gateway, ceilings: readonly Ceiling[]): Watch {
  const admission = reach(ceilings);
  return async (uri, updated, signal) => {
    const upstream = admission.showsResources() ? await behind() : undefined;
    return upstream?.subscribe(uri, updated, admission, signal);
  };
}

/** Tells of changes until the signal; a resource of which nobody tells is passed over. Never rejects. */
export async function watchResources(
  watch: Watch,
  uris: readonly string[],
  updated: (uri: string) => void,
  signal: AbortSignal,
): Promise<void> {
  if (uris.length === 0) return;
  await Promise.all(
    uris.map(async (uri) => {
      const stop = await watch(uri, () => updated(uri), signal).catch(() => undefined);
      if (stop === undefined) return;
      if (signal.aborted) stop();
      else signal.addEventListener("abort", stop, { once: true });
    }),
  );
}

/** The addresses that a request to listen names. */
export function watchedBy(params: unknown): readonly string[] {
  const { notifications } = isObject(params) ? params : {};
  const { resourceSubscriptions: uris } = isObject(notifications) ? notifications : {};
  if (!Array.isArray(uris)) return [];
  return uris.filter((uri: unknown) => typeof uri === "string").slice(0, MAX_RESOURCES);
}
