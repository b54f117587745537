import type { ToolContext } from "../../core/context.ts";
import { ToolError } from "../../core/errors.ts";
import type { Tool } from "../../core/tool.ts";
import { nullable, object, optional, record, string, type Infer } from "../../schema/define/schema.ts";
import type { Fetcher } from "../../system/fetch/fetcher.ts";
import { builtIn, urlProblem, namedAs } from "../shared/built-in-tool.ts";
import { requestId, SENDS } from "./definition.ts";
import type { ProxyOptions } from "./traffic/options.ts";
import { headerOf } from "./program/captured-body.ts";
import type { HeaderList } from "./program/messages.ts";
import { DEFAULT_SECONDS, SEND_REQUEST, send, timeoutSeconds, type Outgoing } from "./send-request.ts";
import { currentTraffic } from "./session-proxy.ts";
import type { StoredExchange, Traffic } from "./traffic/traffic.ts";

const changes = (what: string) => optional(record(nullable(string()), `${what}; null removes one`));

const modifications = object(
  {
    method: optional(string("Another method", { min: 1, max: 20, pattern: "^[A-Za-z-]+$" })),
    url: optional(string("Another address", { min: 1 })),
    params: changes("Parameters of the query to set"),
    headers: changes("Headers to set"),
    cookies: changes("Cookies to set"),
    body: optional(string("Another body")),
  },
  "What to change",
);

const input = object({
  request_id: requestId,
  modifications: optional(modifications, {}),
  timeout_seconds: optional(timeoutSeconds, DEFAULT_SECONDS),
});

export const REPEAT_REQUEST = namedAs("repeat_request", input, SEND_REQUEST.data);

type Modifications = Infer<typeof modifications>;

/** Sends a captured request again, with changes. */
export function repeatRequest(options: ProxyOptions, fetcher: Fetcher): Tool {
  return builtIn({
    ...REPEAT_REQUEST,
    description:
      "Sends a captured request again, with the changes given, and returns the response; like send_request otherwise. What is not changed is sent as before, cookies and credentials included.",
    ...SENDS,
    limitsOf: ({ timeout_seconds }) => ({ timeoutMs: timeout_seconds * 1000 }),
    check: ({ modifications: { url } }) =>
      url === undefined ? [] : urlProblem("/modifications/url", url, "https://example.com/"),
    async facts({ request_id, modifications: { url } }, context) {
      const { url: original } = await (await currentTraffic(context, options)).original(request_id);
      return [{ kind: "host", host: URL.parse(url ?? original)?.hostname ?? "" }];
    },
    attributes: ({ request_id }) => ({ request_id }),
    async run({ request_id, modifications: changed }, context: ToolContext) {
      const traffic = await currentTraffic(context, options);
      const original = await traffic.original(request_id);
      const outgoing = await modified(traffic, original, changed);
      return send(outgoing, { options, fetcher, by: `repeat_request of ${request_id}` }, context);
    },
  });
}

/** Set by the client for each connection, or no longer true of an unpacked body. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  "host",
  "connection",
  "proxy-connection",
  "keep-alive",
  "transfer-encoding",
  "te",
  "upgrade",
  "content-length",
  "content-encoding",
  "accept-encoding",
  "http2-settings",
]);

async function modified(
  traffic: Traffic,
  { method, url, request }: Pick<StoredExchange, "method" | "url" | "request">,
  changed: Modifications,
): Promise<Outgoing> {
  const target = new URL(changed.url ?? url);
  for (const [name, value] of Object.entries(changed.params ?? {})) {
    if (value === null) target.searchParams.delete(name);
    else target.searchParams.set(name, value);
  }
  const sentHeaders = request.headers.filter(([name]) => !OWN_HEADERS.has(name.toLowerCase()));
  const cookies = changed.cookies === undefined ? {} : { cookie: cookieWith(sentHeaders, changed.cookies) };
  return {
    method: changed.method ?? method,
    url: target.href,
    headers: headersWith(sentHeaders, { ...cookies, ...changed.headers }),
    body: changed.body ?? (await bodyOf(traffic, request.body)),
  };
}

function headersWith(headers: HeaderList, changed: Readonly<Record<string, string | null>>): HeaderList {
  const names = new Set(Object.keys(changed).map((name) => name.toLowerCase()));
  const set = Object.entries(changed).flatMap(([name, value]) =>
    value === null ? [] : [[name, value] as const],
  );
  return [...headers.filter(([name]) => !names.has(name.toLowerCase())), ...set];
}

function cookieWith(headers: HeaderList, changed: Readonly<Record<string, string | null>>): string | null {
  const pairs = (headerOf(headers, "cookie") ?? "").split(";").flatMap((pair) => {
    const [name = "", ...value] = pair.trim().split("=");
    return name === "" ? [] : [[name, value.join("=")] as const];
  });
  const cookies = headersWith(pairs, changed).map(([name, value]) => `${name}=${value}`);
  return cookies.length === 0 ? null : cookies.join("; ");
}

async function bodyOf(traffic: Traffic, body: StoredExchange["request"]["body"]): Promise<Outgoing["body"]> {
  if (body.bytes === 0) return undefined;
  if (body.base64 !== undefined) return Buffer.from(body.base64, "base64");
  const text = await traffic.textOf(body);
  if (text !== undefined && body.isCut !== true) return text;
  throw new ToolError("TOOL_FAILED", `the body of the request, ${body.bytes} bytes, was not stored whole`, {
    hint: "give another one: modifications.body",
  });
}
