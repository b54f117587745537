import { createKey, type Key, type ToolContext } from "../../core/context.ts";
import { SessionKey } from "../../core/session/session.ts";
import type { Fetched, Fetcher } from "../../system/fetch/fetcher.ts";
import { defined } from "../../util/json/defined.ts";

const MAX_BYTES = 32 * 1024 * 1024;

const Pages: Key<Map<string, Fetched>> = createKey("tools.Pages");

export interface PageFetch {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly maxBytes: number;
}

/** Fetches a page; if this session has it already, asks the server only whether it has changed. */
export async function fetchPage(
  fetcher: Fetcher,
  { url, headers, maxBytes }: PageFetch,
  context: ToolContext,
): Promise<Fetched> {
  const pages = context.get(SessionKey).getOrCreate(Pages, () => ({ value: new Map() }));
  const known = pages.get(url.href);
  const { signal } = context;
  const sent = known === undefined ? headers : { ...headers, ...validatorsOf(known) };
  const fetched = await fetcher.fetch(url, { headers: sent, maxBytes, signal });
  pages.delete(url.href);
  const page = fetched.status === 304 && known !== undefined ? known : fetched;
  const { etag, "last-modified": modified } = page.headers;
  if (page.status === 200 && (etag ?? modified) !== undefined) keep(pages, url.href, page);
  return page;
}

function validatorsOf({ headers }: Fetched): Readonly<Record<string, string>> {
  return defined({ "if-none-match": headers["etag"], "if-modified-since": headers["last-modified"] });
}

/** Keeps a page; the ones that were used longest ago make room. */
function keep(pages: Map<string, Fetched>, url: string, page: Fetched): void {
  pages.set(url, page);
  let size = [...pages.values()].reduce((sum, { body }) => sum + body.length, 0);
  for (const [oldest, { body }] of pages) {
    if (size <= MAX_BYTES) return;
    pages.delete(oldest);
    size -= body.length;
  }
}
