import { Reply } from "../../core/content.ts";
import { ToolError } from "../../core/errors.ts";
import type { Tool } from "../../core/tool.ts";
import { integer, list, nullable, object, oneOf, optional, string } from "../../schema/define/schema.ts";
import { runRipgrep } from "../../system/process/ripgrep.ts";
import { builtIn, named } from "../shared/built-in-tool.ts";
import { READS_TRAFFIC, requestId } from "./definition.ts";
import type { ProxyOptions } from "./traffic/options.ts";
import { currentTraffic } from "./session-proxy.ts";
import { renderPart } from "./traffic/render-exchange.ts";

const PAGE_CHARACTERS = 8000;
const PAGE_MATCHES = 50;
const CONTEXT_CHARACTERS = 60;

const input = object({
  request_id: requestId,
  part: optional(oneOf(["request", "response"], "What to show"), "request"),
  search_pattern: optional(
    string("A regular expression (Rust syntax): shows its matches with the text around them instead", {
      min: 1,
      max: 1000,
    }),
  ),
  page: optional(integer("From 1", { min: 1 }), 1),
});

export const VIEW_REQUEST = named("view_request", input, {
  request_id: string(),
  part: oneOf(["request", "response"]),
  method: string(),
  url: string(),
  status: nullable(integer()),
  page: integer(),
  pages: integer(),
  matches: optional(list(string())),
  total: optional(integer()),
});

/** Shows a captured request or its response. */
export function viewRequest(options: ProxyOptions): Tool {
  return builtIn({
    ...VIEW_REQUEST,
    description:
      `Shows a captured request or its response as HTTP text, ${PAGE_CHARACTERS} characters a page, or where a pattern matches in it. ` +
      "Compressed bodies are shown unpacked, secrets masked.",
    ...READS_TRAFFIC,
    attributes: ({ request_id, part }) => ({ request_id, part }),
    async run({ request_id, part, search_pattern, page }, context) {
      const traffic = await currentTraffic(context, options);
      const exchange = await traffic.get(request_id);
      const text = await renderPart(traffic, exchange, part);
      const about = {
        request_id,
        part,
        method: exchange.method,
        url: exchange.url,
        status: exchange.response?.status ?? null,
      };
      if (search_pattern !== undefined) {
        const matches = await search(text, search_pattern, context.signal);
        return paged({ items: matches, size: PAGE_MATCHES, page, what: "matches", about });
      }
      return paged({ items: pagesOf(text), size: 1, page, what: "pages", about });
    },
  });
}

interface Paged {
  readonly items: readonly string[];
  readonly size: number;
  readonly page: number;
  readonly what: "matches" | "pages";
  readonly about: { readonly request_id: string; readonly part: string };
}

function paged({ items, size, page, what, about }: Paged): Reply {
  const pages = Math.max(1, Math.ceil(items.length / size));
  const pageItems = items.slice((page - 1) * size, page * size);
  const data = {
    ...about,
    page,
    pages,
    ...(what === "matches" && { matches: pageItems, total: items.length }),
  };
  const count = what === "matches" ? `, ${items.length} matches` : "";
  const next = page < pages ? `; page=${page + 1} shows more` : "";
  const line = `[${about.part} of ${about.request_id}${count}, page ${page} of ${pages}${next}]`;
  return new Reply([line, ...pageItems].join("\n"), { data });
}

function pagesOf(text: string): readonly string[] {
  const pages: string[] = [];
  for (let at = 0; at < text.length; at += PAGE_CHARACTERS) pages.push(text.slice(at, at + PAGE_CHARACTERS));
  return pages.map((page) => page.toWellFormed());
}

/** Returns each match with its line and the text around it. Uses ripgrep, so that no pattern can hang. */
async function search(text: string, pattern: string, signal: AbortSignal): Promise<readonly string[]> {
  const matches: string[] = [];
  const around = `.{0,${CONTEXT_CHARACTERS}}`;
  const { exitCode, errors } = await runRipgrep({
    args: ["--text", "--line-number", "--only-matching", `--regexp=${around}(?:${pattern})${around}`, "-"],
    cwd: "/",
    stdin: (async function* () {
      yield text;
    })(),
    signal,
    onLine(line) {
      matches.push(`line ${line.toWellFormed().replace(":", ": ")}`);
      return true;
    },
  });
  if (exitCode === 2)
    throw new ToolError("INVALID_INPUT", errors.replace(/^rg: /, ""), {
      details: { search_pattern: pattern },
    });
  return matches;
}
