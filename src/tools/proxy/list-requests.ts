import { Reply } from "../../core/content.ts";
import type { ToolContext } from "../../core/context.ts";
import type { Problem } from "../../core/result.ts";
import type { Tool } from "../../core/tool.ts";
import { integer, list, object, oneOf, optional, string } from "../../schema/define/schema.ts";
import { shortened } from "../../util/text/shortened.ts";
import { builtIn, valueProblem, named } from "../shared/built-in-tool.ts";
import { READS_TRAFFIC, scopeId } from "./definition.ts";
import { urlOf } from "./filter/fields.ts";
import { parseFilter, type RequestFilter } from "./filter/parse-filter.ts";
import type { ProxyOptions } from "./traffic/options.ts";
import { compileScope, scopesOf } from "./scopes.ts";
import { currentTraffic } from "./session-proxy.ts";
import { MAX_REQUESTS } from "./traffic/traffic.ts";
import { requestSummary, type RequestSummary } from "./traffic/summaries.ts";
import { counted } from "../../util/text/words.ts";

const MAX_PAGE = 200;
const DEFAULT_PAGE = 50;
const MAX_URL = 300;

const SORTS = {
  id: ({ id }) => Number(id.slice(1)),
  time: ({ at }) => at,
  method: ({ method }) => method,
  host: ({ host }) => host,
  path: ({ path }) => path,
  status: ({ status }) => status ?? 0,
  size: ({ received }) => received,
  duration: ({ ms }) => ms,
} as const satisfies Readonly<Record<string, (request: RequestSummary) => number | string>>;
type Sort = keyof typeof SORTS;

const input = object({
  filter: optional(
    string(
      'Such as req.method.eq:"POST" AND (req.path.cont:"/api" OR resp.code.gte:400); a text in quotes alone is searched in the URL',
      { min: 1, max: 4000 },
    ),
  ),
  page: optional(integer("From 1", { min: 1 }), 1),
  page_size: optional(integer("Requests on a page", { min: 1, max: MAX_PAGE }), DEFAULT_PAGE),
  sort_by: optional(oneOf(Object.keys(SORTS) as Sort[], "The order"), "id"),
  sort_order: optional(oneOf(["asc", "desc"], "desc: the last first"), "desc"),
  scope_id: optional(scopeId),
});

export const LIST_REQUESTS = named("list_requests", input, {
  requests: list(requestSummary),
  total: integer(),
  captured: integer(),
  page: integer(),
  pages: integer(),
});

/** Lists captured requests. */
export function listRequests(options: ProxyOptions): Tool {
  return builtIn({
    ...LIST_REQUESTS,
    description:
      "Lists the HTTP requests of this session that the proxy captured, and those of send_request and repeat_request. A filter has terms FIELD.OPERATOR:VALUE, " +
      "joined by AND, OR, NOT and parentheses. Fields with text: req.method, req.scheme, req.host, req.path, req.query, req.ext, req.url, resp.type, resp.error; " +
      "operators: eq, ne, cont, ncont, like, nlike (% is any text). Fields with numbers: req.id, req.port, req.len, resp.code, resp.len, resp.roundtrip (ms); " +
      `operators: eq, ne, gt, gte, lt, lte. The last ${MAX_REQUESTS} requests are stored.`,
    ...READS_TRAFFIC,
    check: ({ filter }) => filterProblems(filter),
    attributes: ({ filter = "", page }) => ({ filter, page }),
    async run({ filter, page, page_size: size, sort_by, sort_order, scope_id }, context) {
      const matches = await filterOf(filter, scope_id, context, options);
      const all = await (await currentTraffic(context, options)).list();
      const matchingRequests = sorted(all.filter(matches), sort_by, sort_order);
      const pages = Math.max(1, Math.ceil(matchingRequests.length / size));
      const pageRequests = matchingRequests.slice((page - 1) * size, page * size);
      const data = {
        requests: pageRequests,
        total: matchingRequests.length,
        captured: all.length,
        page,
        pages,
      };
      return new Reply([headline(data), ...pageRequests.map(describeRequest)].join("\n"), { data });
    },
  });
}

/** Returns the filter of a text and a scope, each of which may be absent. The text was checked. */
export async function filterOf(
  text: string | undefined,
  scope: string | undefined,
  context: ToolContext,
  options: ProxyOptions,
): Promise<RequestFilter> {
  const parsed = text === undefined ? undefined : parseFilter(text);
  const matches = typeof parsed === "function" ? parsed : () => true;
  if (scope === undefined) return matches;
  const isInside = compileScope(await scopesOf(context, options).get(scope));
  return (request) => isInside(request) && matches(request);
}

function filterProblems(filter: string | undefined): readonly Problem[] {
  const parsed = filter === undefined ? undefined : parseFilter(filter);
  if (parsed === undefined || typeof parsed === "function") return [];
  const { column, expected, got } = parsed;
  return valueProblem("/filter", `at column ${column} ${expected}`, got);
}

function sorted(requests: readonly RequestSummary[], by: Sort, order: "asc" | "desc") {
  const key = SORTS[by];
  const sign = order === "asc" ? 1 : -1;
  return requests.toSorted((left, right) => {
    const [a, b] = [key(left), key(right)];
    return a === b ? 0 : a < b ? -sign : sign;
  });
}

type Counts = Readonly<Record<"total" | "captured" | "page" | "pages", number>>;

function headline({ total, captured, page, pages }: Counts): string {
  if (captured === 0) return "[no request was captured in this session]";
  if (total === 0) return `[none of the ${captured} captured requests matches]`;
  const all = counted(captured, "request");
  const of = total === captured ? all : `${total} of ${all}`;
  return `[${of}, page ${page} of ${pages}]`;
}

/** Describes a request in one line. */
export function describeRequest(request: RequestSummary): string {
  const { id, at, method, status, type, received, ms, by, error } = request;
  const time = new Date(at).toISOString().slice(11, 19);
  const outcome =
    status === null
      ? `failed: ${shortened(error ?? "no response", MAX_URL)}`
      : `${status} ${type} ${received} B`;
  const note = by === undefined ? "" : ` (${by})`;
  return `${id} ${time} ${method} ${shortened(urlOf(request), MAX_URL)} -> ${outcome} ${ms} ms${note}`.replaceAll(
    /\s+/g,
    " ",
  );
}
