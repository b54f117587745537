import { readFile } from "node:fs/promises";
import { createKey, type Key, type ToolContext } from "../../core/context.ts";
import { SessionProxyKey, type SessionProxy } from "../../core/session/session-proxy.ts";
import { SessionKey } from "../../core/session/session.ts";
import { createFetcher, type Fetcher, type FetcherOptions } from "../../system/fetch/fetcher.ts";

/** Returns the fetcher for a call. */
export type FetcherOf = (context: ToolContext) => Promise<Fetcher>;

const ProxiedKey: Key<Map<string, Promise<Fetcher>>> = createKey("tools.ProxiedFetchers");

/** Returns a fetcher that goes through the session's proxy if that is on, so that what it fetches is captured; else the given one. */
export async function sessionFetcher(
  context: ToolContext,
  direct: Fetcher,
  options: FetcherOptions = {},
): Promise<Fetcher> {
  const proxy = await context.find(SessionProxyKey)?.();
  if (proxy === undefined) return direct;
  const fetchers = context.get(SessionKey).getOrCreate(ProxiedKey, () => {
    const value = new Map<string, Promise<Fetcher>>();
    return { value, close: () => closeAll(value) };
  });
  const fetcher = fetchers.get(proxy.url) ?? throughProxy(proxy, options);
  fetchers.set(proxy.url, fetcher);
  return fetcher;
}

async function throughProxy({ url: proxy, caFile }: SessionProxy, options: FetcherOptions): Promise<Fetcher> {
  return createFetcher({ ...options, proxy, proxyCa: await readFile(caFile, "utf8") });
}

async function closeAll(fetchers: ReadonlyMap<string, Promise<Fetcher>>): Promise<void> {
  await Promise.all([...fetchers.values()].map(async (fetcher) => (await fetcher).close()));
}
