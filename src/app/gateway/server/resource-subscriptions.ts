import { isObject } from "../../../core/json.ts";
import type { Ceiling } from "../../../core/policy.ts";
import type { Gateway } from "../sessions/gateway.ts";

/** Subscriptions of clients without a handshake, each held by a request that stays open. */
export type OpenSubscriptions = ReturnType<typeof createOpenSubscriptions>;

/** Calls `updated` on each change until the returned function is called; undefined if no server reports changes. */
export type Subscribe = (
  uri: string,
  updated: () => void,
  signal: AbortSignal,
) => Promise<(() => void) | undefined>;

const MAX_RESOURCES = 1000;

export function createOpenSubscriptions() {
  const open = new Map<unknown, AbortController>();
  const served = Promise.withResolvers<readonly [Subscribe, (uri: string) => void]>();
  const end = (id: unknown): void => {
    open.get(id)?.abort();
    open.delete(id);
  };
  return {
    /** Settles when the resources that a `subscriptions/listen` request names are subscribed; never rejects. */
    async begin(id: unknown, params: unknown): Promise<void> {
      const uris = subscribedBy(params);
      if (uris.length === 0) return;
      const controller = new AbortController();
      open.set(id, controller);
      const [subscribe, updated] = await served.promise;
      await subscribeAll(subscribe, uris, updated, controller.signal);
    },
    /** Ends those of a cancelled request; an unknown id is ignored. */
    end,
    /** Sets how to subscribe and where to report updates; requests that came before are subscribed now. */
    serve: (subscribe: Subscribe, updated: (uri: string) => void): void =>
      served.resolve([subscribe, updated]),
    close(): void {
      for (const id of open.keys()) end(id);
    },
  };
}

/** Returns how a client under these ceilings subscribes: only to what it may read. */
export function subscribeUnder(gateway: Gateway, ceilings: readonly Ceiling[]): Subscribe {
  const access = gateway.access(ceilings);
  return async (uri, updated, signal) => {
    const upstream = access.seesResources() ? await gateway.upstream() : undefined;
    return upstream?.subscribe(uri, updated, access, signal);
  };
}

/** Reports changes until the signal is aborted; skips a resource whose server does not report changes. Never rejects. */
export async function subscribeAll(
  subscribe: Subscribe,
  uris: readonly string[],
  updated: (uri: string) => void,
  signal: AbortSignal,
): Promise<void> {
  await Promise.all(
    uris.map(async (uri) => {
      const stop = await subscribe(uri, () => updated(uri), signal).catch(() => undefined);
      if (stop === undefined) return;
      if (signal.aborted) stop();
      else signal.addEventListener("abort", stop, { once: true });
    }),
  );
}

/** Returns the addresses that a `subscriptions/listen` request names. */
export function subscribedBy(params: unknown): readonly string[] {
  const { notifications } = isObject(params) ? params : {};
  const { resourceSubscriptions: uris } = isObject(notifications) ? notifications : {};
  if (!Array.isArray(uris)) return [];
  return uris.filter((uri: unknown) => typeof uri === "string").slice(0, MAX_RESOURCES);
}
