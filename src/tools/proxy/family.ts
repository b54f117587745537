import type { Tool } from "../../core/tool.ts";
import { createFetcher } from "../../system/fetch/fetcher.ts";
import { listRequests } from "./list-requests.ts";
import type { ProxyOptions } from "./traffic/options.ts";
import { repeatRequest } from "./repeat-request.ts";
import { scopeRules } from "./scope-rules.ts";
import { sendRequest } from "./send-request.ts";
import { listSitemap, viewSitemapEntry } from "./sitemap.ts";
import { viewRequest } from "./view-request.ts";

/** Returns the tools of the intercepting proxy. Throws `INVALID_INPUT` if a setting of the web is wrong. */
export function proxyTools(options: ProxyOptions): Tool[] {
  const fetcher = createFetcher(options.web);
  return [
    listRequests(options),
    viewRequest(options),
    sendRequest(options, fetcher),
    repeatRequest(options, fetcher),
    scopeRules(options),
    listSitemap(options),
    viewSitemapEntry(options),
  ];
}
