import { Reply } from "../../core/content.ts";
import { ToolError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Tool } from "../../core/tool.ts";
import { integer, list, object, optional, record, string } from "../../schema/define/schema.ts";
import { builtIn, named } from "../shared/built-in-tool.ts";
import { READS_TRAFFIC, scopeId } from "./definition.ts";
import { urlOf } from "./filter/fields.ts";
import { describeRequest, filterOf } from "./list-requests.ts";
import type { ProxyOptions } from "./traffic/options.ts";
import { currentTraffic } from "./session-proxy.ts";
import { requestSummary, type RequestSummary } from "./traffic/summaries.ts";

const MAX_DEPTH = 10;
const MAX_ENTRIES = 500;
const MAX_SHOWN = 20;
const entryId = (what: string) =>
  string(`${what}: an id from list_sitemap, such as https://example.com/api/`, { min: 1 });

const input = object({
  scope_id: optional(scopeId),
  parent_id: optional(entryId("Only what is below this entry")),
  depth: optional(integer("Levels to show", { min: 1, max: MAX_DEPTH }), 2),
});

export const LIST_SITEMAP = named("list_sitemap", input, {
  entries: list(object({ entry_id: string(), requests: integer(), methods: list(string()) })),
  total: integer(),
});

interface Entry {
  /** The URL up to here; that of a folder ends with a slash. */
  readonly id: string;
  readonly level: number;
  requests: number;
  readonly methods: Set<string>;
}

/** Shows the hosts and paths of the captured requests as a tree. */
export function listSitemap(options: ProxyOptions): Tool {
  return builtIn({
    ...LIST_SITEMAP,
    description: `Shows the hosts, folders and pages of the captured requests as a tree, with the number of requests and their methods; at most ${MAX_ENTRIES} entries.`,
    ...READS_TRAFFIC,
    attributes: ({ parent_id = "", depth }) => ({ parent_id, depth }),
    async run({ scope_id, parent_id = "", depth }, context) {
      const matches = await filterOf(undefined, scope_id, context, options);
      const requests = (await (await currentTraffic(context, options)).list()).filter(matches);
      const all = entriesOf(requests, parent_id, depth);
      const firstEntries = all.slice(0, MAX_ENTRIES);
      const rest =
        all.length > firstEntries.length
          ? [`[truncated: ${all.length} entries; use parent_id or a smaller depth]`]
          : [];
      const lines = firstEntries.map(
        ({ id, level, requests: count, methods }) =>
          `${"  ".repeat(level)}${id} (${count} ${[...methods].sort().join(" ")})`,
      );
      const entries = firstEntries.map(({ id, requests: count, methods }): JsonObject => ({
        entry_id: id,
        requests: count,
        methods: [...methods].sort(),
      }));
      const text = lines.length === 0 ? "[no captured request is there]" : [...lines, ...rest].join("\n");
      return new Reply(text, { data: { entries, total: all.length } });
    },
  });
}

const viewInput = object({ entry_id: entryId("The entry") });

const counts = record(integer());

export const VIEW_SITEMAP_ENTRY = named("view_sitemap_entry", viewInput, {
  entry_id: string(),
  total: integer(),
  methods: counts,
  statuses: counts,
  types: counts,
  parameters: counts,
  requests: list(requestSummary),
});

/** Shows what is known about a host, folder or page. */
export function viewSitemapEntry(options: ProxyOptions): Tool {
  return builtIn({
    ...VIEW_SITEMAP_ENTRY,
    description: `Shows an entry of the sitemap: methods, statuses, media types and parameter names of its requests, and the last ${MAX_SHOWN} of them.`,
    ...READS_TRAFFIC,
    attributes: ({ entry_id }) => ({ entry_id }),
    async run({ entry_id }, context) {
      const all = await (await currentTraffic(context, options)).list();
      const requests = all.filter((request) => idsOf(request).includes(entry_id));
      if (requests.length === 0)
        throw new ToolError("TOOL_FAILED", `unknown entry ${JSON.stringify(entry_id)}`, {
          hint: "list_sitemap shows the ids",
          details: { entry_id },
        });
      const about = {
        methods: countsOf(requests, ({ method }) => [method]),
        statuses: countsOf(requests, ({ status }) => [String(status ?? "none")]),
        types: countsOf(requests, ({ type }) => (type === "" ? [] : [type])),
        parameters: countsOf(requests, ({ query }) => new Set(new URLSearchParams(query).keys())),
      };
      const last = requests.slice(-MAX_SHOWN).toReversed();
      const lines = Object.entries(about).flatMap(([name, counts]) => {
        const parts = Object.entries(counts).map(([key, count]) => `${key} (${count})`);
        return parts.length === 0 ? [] : [`${name}: ${parts.join(", ")}`];
      });
      return new Reply(
        [`${entry_id}: ${requests.length} requests`, ...lines, ...last.map(describeRequest)].join("\n"),
        {
          data: { entry_id, total: requests.length, ...about, requests: last },
        },
      );
    },
  });
}

/** Returns the entries below a parent, sorted as a tree. */
function entriesOf(requests: readonly RequestSummary[], parent: string, depth: number): readonly Entry[] {
  const entries = new Map<string, Entry>();
  for (const request of requests) {
    const ids = idsOf(request);
    const start = parent === "" ? 0 : ids.indexOf(parent) + 1;
    if (start === 0 && parent !== "") continue;
    for (const [level, id] of ids.slice(start, start + depth).entries()) {
      const entry = entries.get(id) ?? { id, level, requests: 0, methods: new Set() };
      entry.requests += 1;
      entry.methods.add(request.method);
      entries.set(id, entry);
    }
  }
  return [...entries.values()].sort((left, right) => (left.id < right.id ? -1 : 1));
}

/** Returns the entries that a request belongs to, from its host to its page. */
function idsOf(request: RequestSummary): readonly string[] {
  const host = urlOf({ ...request, path: "/", query: "" });
  const names = request.path.split("/").slice(1);
  const page = names.pop() ?? "";
  const folders = names.map((_, index) => `${host}${names.slice(0, index + 1).join("/")}/`);
  return [host, ...folders, ...(page === "" ? [] : [`${folders.at(-1) ?? host}${page}`])];
}

function countsOf(
  requests: readonly RequestSummary[],
  keysOf: (request: RequestSummary) => Iterable<string>,
) {
  const counts = new Map<string, number>();
  for (const request of requests)
    for (const key of keysOf(request)) counts.set(key, (counts.get(key) ?? 0) + 1);
  return Object.fromEntries([...counts].sort(([, left], [, right]) => right - left).slice(0, 100));
}
