import { integer, list, object, oneOf, optional, record, string } from "../../schema/define/schema.ts";
import type * as listRequests from "../proxy/list-requests.ts";
import type * as repeatRequest from "../proxy/repeat-request.ts";
import type * as scopeRules from "../proxy/scope-rules.ts";
import type * as sendRequest from "../proxy/send-request.ts";
import type * as sitemap from "../proxy/sitemap.ts";
import type * as viewRequest from "../proxy/view-request.ts";
import { named, namedAs, nullable, rows } from "./named.ts";

const texts = list(string());
const counts = record(integer());
const request = object({
  id: string(),
  at: integer(),
  method: string(),
  scheme: string(),
  host: string(),
  port: integer(),
  path: string(),
  query: string(),
  status: nullable(integer()),
  type: string(),
  sent: integer(),
  received: integer(),
  ms: integer(),
  by: optional(string()),
  error: optional(string()),
});
const requests = list(request);
const scope = object({ scope_id: string(), name: string(), allowlist: texts, denylist: texts });
const sent = object({
  request_id: string(),
  status: integer(),
  headers: record(string()),
  bytes: integer(),
  duration_ms: integer(),
  body: optional(string()),
});

/** The tools of the intercepting proxy. */
export const TRAFFIC = {
  listRequests: named<typeof listRequests.input>()("list_requests", {
    requests,
    total: integer(),
    captured: integer(),
    page: integer(),
    pages: integer(),
  }),
  viewRequest: named<typeof viewRequest.input>()("view_request", {
    request_id: string(),
    part: oneOf(["request", "response"]),
    method: string(),
    url: string(),
    status: nullable(integer()),
    page: integer(),
    pages: integer(),
    matches: optional(texts),
    total: optional(integer()),
  }),
  sendRequest: namedAs<typeof sendRequest.input>()("send_request", sent),
  repeatRequest: namedAs<typeof repeatRequest.input>()("repeat_request", sent),
  scopeRules: namedAs<typeof scopeRules.input>()(
    "scope_rules",
    oneOf([object({ scopes: list(scope) }), scope, object({ scope_id: string() })]),
  ),
  listSitemap: named<typeof sitemap.input>()("list_sitemap", {
    entries: rows({ entry_id: string(), requests: integer(), methods: texts }),
    total: integer(),
  }),
  viewSitemapEntry: named<typeof sitemap.viewInput>()("view_sitemap_entry", {
    entry_id: string(),
    total: integer(),
    methods: counts,
    statuses: counts,
    types: counts,
    parameters: counts,
    requests,
  }),
};
