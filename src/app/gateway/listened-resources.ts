import { isObject } from "../../core/json.ts";
import type { Gateway } from "./gateway.ts";

/** Watches that clients without a handshake keep by a request that stays open. */
export interface OpenWatches {
  /** A request to listen has come. Settles when what it names is watched; never rejects. */
  begin(id: unknown, params: unknown): Promise<void>;
  /** It was given up; another id means nothing. */
  end(id: unknown): void;
  /** Says who knows of changes, and who is told. What began before begins now. */
  serve(behind: Gateway["behind"], updated: (uri: string) => void): void;
  close(): void;
}

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
      const [behind, updated] = await served.promise;
      await watchResources(behind, uris, updated, ending.signal);
    },
    end,
    serve: (behind, updated) => served.resolve([behind, updated]),
    close() {
      for (const id of open.keys()) end(id);
    },
  };
}

/** Tells of changes until the signal; a resource of which nobody tells is passed over. Never rejects. */
export async function watchResources(
  behind: Gateway["behind"],
  uris: readonly string[],
  updated: (uri: string) => void,
  signal: AbortSignal,
): Promise<void> {
  if (uris.length === 0) return;
  const upstream = await behind();
  await Promise.all(
    uris.map(async (uri) => {
      const stop = await upstream?.subscribe(uri, () => updated(uri), signal).catch(() => undefined);
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
