import { ToolError } from "../../core/errors.ts";
import { isObject, type Json } from "../../core/json.ts";
import { object, string, type Infer } from "../../schema/define/schema.ts";
import type { FetchRequest } from "../../system/fetch/fetcher.ts";

/** The service that `web_search` asks. */
export interface SearchOptions {
  /** SearXNG runs on a server of your own; Brave and Tavily need a key. */
  readonly service: "searxng" | "brave" | "tavily";
  /** Needed for SearXNG; default: the service's own. */
  readonly url?: string;
  /** Needed for the others. */
  readonly key?: string;
}

export const searchResult = object({ title: string(), url: string(), snippet: string() });
export type SearchResult = Infer<typeof searchResult>;

export interface SearchQuery {
  readonly query: string;
  readonly count: number;
}

/** How a service is asked, and where its answer has the results. */
interface Service {
  request(options: SearchOptions, query: SearchQuery): SearchRequest;
  /** The keys that lead to the list, then those of a result's title, address and snippet. */
  readonly list: readonly string[];
  readonly fields: readonly [title: string, url: string, snippet: string];
}

export type SearchRequest = { readonly url: URL } & Pick<FetchRequest, "method" | "headers" | "body">;

const SERVICES: Readonly<Record<SearchOptions["service"], Service>> = {
  searxng: {
    request: ({ url = "" }, { query }) => ({
      url: withQuery(new URL("search", url.endsWith("/") ? url : `${url}/`), { q: query, format: "json" }),
    }),
    list: ["results"],
    fields: ["title", "url", "content"],
  },
  brave: {
    request: ({ url, key = "" }, { query, count }) => ({
      url: withQuery(new URL(url ?? "https://api.search.brave.com/res/v1/web/search"), {
        q: query,
        count: String(count),
      }),
      headers: { accept: "application/json", "x-subscription-token": key },
    }),
    list: ["web", "results"],
    fields: ["title", "url", "description"],
  },
  tavily: {
    request: ({ url, key = "" }, { query, count }) => ({
      url: new URL(url ?? "https://api.tavily.com/search"),
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
      body: JSON.stringify({ query, max_results: count }),
    }),
    list: ["results"],
    fields: ["title", "url", "content"],
  },
};

function withQuery(url: URL, parameters: Readonly<Record<string, string>>): URL {
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url;
}

/** Returns whether a service can be asked: it has its address or its key. */
export function isComplete({ service, url = "", key = "" }: SearchOptions): boolean {
  return service === "searxng" ? url !== "" : key !== "";
}

export function searchRequest(options: SearchOptions, query: SearchQuery): SearchRequest {
  return SERVICES[options.service].request(options, query);
}

/** Reads the results of an answer. Throws `TOOL_FAILED` if it has none of the expected form. */
export function searchResults({ service }: SearchOptions, answer: Json): readonly SearchResult[] {
  const { list, fields } = SERVICES[service];
  const resultList = list.reduce<Json | undefined>((at, key) => (isObject(at) ? at[key] : undefined), answer);
  // Brave leaves out the whole part if there are no results.
  if (resultList === undefined && isObject(answer) && service === "brave") return [];
  if (!Array.isArray(resultList))
    throw new ToolError("TOOL_FAILED", `${service} gave an answer without results`);
  return resultList.flatMap((row: Json) => {
    const [title, url, snippet] = fields.map((field) => (isObject(row) ? row[field] : undefined));
    if (typeof url !== "string" || !URL.canParse(url)) return [];
    return [{ title: textOf(title), url, snippet: textOf(snippet) }];
  });
}

/** Snippets may have markup around the words that were searched for. */
function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value.replace(/<\/?(?:strong|b|em|mark)>/g, "").trim() : "";
}
