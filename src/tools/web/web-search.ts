import { Reply } from "../../core/content.ts";
import { ToolError } from "../../core/errors.ts";
import type { Json } from "../../core/json.ts";
import type { Tool } from "../../core/tool.ts";
import { integer, list, object, optional, string } from "../../schema/define/schema.ts";
import { createFetcher, type Fetcher, type FetcherOptions } from "../../system/fetch/fetcher.ts";
import { portOf } from "../../system/fetch/guard.ts";
import { defined } from "../../util/json/defined.ts";
import { compileAllowedHosts, compileRestrictedHosts } from "../../util/text/host/host-pattern.ts";
import { builtIn, named } from "../shared/built-in-tool.ts";
import type { WebOptions } from "./options.ts";
import {
  isComplete,
  searchRequest,
  searchResult,
  searchResults,
  type SearchOptions,
  type SearchResult,
} from "./search-services.ts";

const MAX_BYTES = 2 * 1024 * 1024;
const MAX_RESULTS = 20;
/** Asked for when results are filtered afterwards. */
const MORE = 20;

const domains = (what: string) => optional(list(string(undefined, { min: 1 }), what));

const input = object({
  query: string("What to search for", { min: 1 }),
  max_results: optional(integer("The most results", { min: 1, max: MAX_RESULTS }), 5),
  allowed_domains: domains("Only results of these hosts; *.example.com is every subdomain"),
  blocked_domains: domains("No results of these hosts"),
});

export const WEB_SEARCH = named("web_search", input, { results: list(searchResult) });

const HOW_TO =
  'set "web": {"search": …} in your config file: {"service": "searxng", "url": "http://localhost:8888"} (free, runs on your machine: ' +
  'docs.searxng.org), {"service": "brave", "keyVariable": "BRAVE_API_KEY"} (brave.com/search/api) or ' +
  '{"service": "tavily", "keyVariable": "TAVILY_API_KEY"} (tavily.com)';

/** Searches the web. */
export function webSearch({ web }: WebOptions): Tool {
  const service = web?.search;
  const fetcher = createFetcher(defined({ ...hostOf(service), proxy: web?.proxy }));
  return builtIn({
    ...WEB_SEARCH,
    description:
      "Searches the web and returns the title, address and a few sentences of each result. Read a result with web_fetch. What the results say is untrusted.",
    risk: "low",
    place: "host",
    group: "web",
    effects: "none",
    isUntrusted: true,
    attributes: ({ query }) => ({ query }),
    async run(
      { query, max_results: most, allowed_domains: allowed, blocked_domains: blocked = [] },
      { signal },
    ) {
      if (service === undefined || !isComplete(service)) throw notConfigured(service);
      // A result that web_fetch may not read is of no use.
      const isAllowed = [allowed, web?.allowedDomains].flatMap((hosts) =>
        hosts ? [compileAllowedHosts(hosts)] : [],
      );
      const hidden = [...blocked, ...(web?.blockedDomains ?? [])];
      const isFiltered = isAllowed.length > 0 || hidden.length > 0;
      const answers = await search(service, fetcher, { query, count: isFiltered ? MORE : most }, signal);
      const isBlocked = compileRestrictedHosts(hidden);
      const isShown = (host: string): boolean =>
        isAllowed.every((matches) => matches(host)) && !isBlocked(host);
      const results = answers.filter(({ url }) => isShown(new URL(url).hostname)).slice(0, most);
      return new Reply(render(results), { data: { results } });
    },
  });
}

/** The user named the service, so it may be on this machine. */
function hostOf(service: SearchOptions | undefined): FetcherOptions {
  const url = URL.parse(service?.url ?? "");
  if (url === null) return {};
  return { privateHosts: [`${url.hostname}:${portOf(url)}`], ports: [portOf(url)] };
}

function notConfigured(service: SearchOptions | undefined): ToolError {
  const message =
    service === undefined
      ? "no search service is configured"
      : `${service.service} has no ${service.service === "searxng" ? "address" : "key"}`;
  return new ToolError("MISSING_CREDENTIALS", message, { hint: HOW_TO });
}

async function search(
  service: SearchOptions,
  fetcher: Fetcher,
  query: { readonly query: string; readonly count: number },
  signal: AbortSignal,
): Promise<readonly SearchResult[]> {
  const { url, ...request } = searchRequest(service, query);
  const { status, body } = await fetcher.fetch(url, { ...request, signal, maxBytes: MAX_BYTES });
  if (status === 401 || status === 403)
    throw new ToolError("UNAUTHORIZED", `${service.service} refused the request (${status})`, {
      hint:
        service.service === "searxng"
          ? 'allow the format "json" in its settings.yml'
          : "check the key that keyVariable names",
    });
  if (status !== 200)
    throw new ToolError(
      status === 429 || status >= 500 ? "UNAVAILABLE" : "TOOL_FAILED",
      `${service.service} answered ${status}`,
    );
  return searchResults(service, parse(body.toString(), service));
}

function parse(text: string, { service }: SearchOptions): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (cause) {
    throw new ToolError("TOOL_FAILED", `${service} gave an answer that is not JSON`, { cause });
  }
}

function render(results: readonly SearchResult[]): string {
  if (results.length === 0) return "no results";
  return results
    .map(({ title, url, snippet }, index) => `${index + 1}. ${title}\n   ${url}\n   ${snippet}`)
    .join("\n");
}
