import type { Tool } from "../../core/tool.ts";
import { checkToolOptions } from "../shared/check-tool-options.ts";
import { createFetcher } from "../../system/fetch/fetcher.ts";
import { LIST_REQUESTS, listRequests } from "./list-requests.ts";
import type { ProxyOptions } from "./traffic/options.ts";
import { REPEAT_REQUEST, repeatRequest } from "./repeat-request.ts";
import { SCOPE_RULES, scopeRules } from "./scope-rules.ts";
import { SEND_REQUEST, sendRequest } from "./send-request.ts";
import { VIEW_SITEMAP_ENTRY, LIST_SITEMAP, listSitemap, viewSitemapEntry } from "./sitemap.ts";
import { VIEW_REQUEST, viewRequest } from "./view-request.ts";

/** Returns the tools of the intercepting proxy. Throws `INVALID_INPUT` if a setting of the web is wrong. */
export function proxyTools(options: ProxyOptions): Tool[] {
  checkToolOptions("proxyTools", options);
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

/** The tools of this family by name, for `builtIn`. */
export const PROXY_NAMED = {
  listRequests: LIST_REQUESTS,
  viewRequest: VIEW_REQUEST,
  sendRequest: SEND_REQUEST,
  repeatRequest: REPEAT_REQUEST,
  scopeRules: SCOPE_RULES,
  listSitemap: LIST_SITEMAP,
  viewSitemapEntry: VIEW_SITEMAP_ENTRY,
};
