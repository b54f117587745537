import { Reply } from "../../core/content.ts";
import type { ToolContext } from "../../core/context.ts";
import { ToolError } from "../../core/errors.ts";
import type { Tool } from "../../core/tool.ts";
import { integer, object, optional, record, string } from "../../schema/define/schema.ts";
import type { Fetched, Fetcher } from "../../system/fetch/fetcher.ts";
import { MASK } from "../../secrets/mask.ts";
import { builtIn, urlProblem, named } from "../shared/built-in-tool.ts";
import { SENDS } from "./definition.ts";
import type { ProxyOptions } from "./traffic/options.ts";
import { capturedBody } from "./program/captured-body.ts";
import type { CapturedMessage, HeaderList } from "./program/messages.ts";
import { renderPart } from "./traffic/render-exchange.ts";
import { trafficOf } from "./traffic/traffic.ts";
import { defined } from "../../util/json/defined.ts";

export const DEFAULT_SECONDS = 30;
const MAX_SECONDS = 300;
const MAX_MB = 16;

export const timeoutSeconds = integer("Time limit in seconds", { min: 1, max: MAX_SECONDS });

const input = object({
  method: string("The HTTP method", { min: 1, max: 20, pattern: "^[A-Za-z-]+$" }),
  url: string("The http or https address", { min: 1 }),
  headers: optional(record(string(), "The headers")),
  body: optional(string("The body")),
  timeout_seconds: optional(timeoutSeconds, DEFAULT_SECONDS),
});

export const SEND_REQUEST = named("send_request", input, {
  request_id: string(),
  status: integer(),
  headers: record(string()),
  bytes: integer(),
  duration_ms: integer(),
  body: optional(string()),
});

/** Sends one request and captures it. */
export function sendRequest(options: ProxyOptions, fetcher: Fetcher): Tool {
  return builtIn({
    ...SEND_REQUEST,
    description:
      `Sends one HTTP request and returns the response, up to ${MAX_MB} MB. Redirects are not followed. It is captured: list_requests shows it, view_request all of it. ` +
      "Private addresses are refused unless the user's config allows them.",
    ...SENDS,
    limitsOf: ({ timeout_seconds }) => ({ timeoutMs: timeout_seconds * 1000 }),
    check: ({ url }) => urlProblem("/url", url, "https://example.com/"),
    facts: ({ url }) => [{ kind: "host", host: new URL(url).hostname }],
    attributes: ({ method, url }) => ({ method, url }),
    run: ({ method, url, headers = {}, body }, context) =>
      send(
        { method, url, headers: Object.entries(headers), body },
        { options, fetcher, by: "send_request" },
        context,
      ),
  });
}

export interface Outgoing {
  readonly method: string;
  readonly url: string;
  readonly headers: HeaderList;
  readonly body: string | Buffer | undefined;
}

interface Sending {
  readonly options: ProxyOptions;
  readonly fetcher: Fetcher;
  /** The tool. */
  readonly by: string;
}

/** Sends a request, stores the exchange and returns the response. Throws if a masked secret would be sent. */
export async function send(
  outgoing: Outgoing,
  { options, fetcher, by }: Sending,
  context: ToolContext,
): Promise<Reply> {
  refuseMasks(outgoing);
  const { method, url, headers, body } = outgoing;
  const startedAt = Date.now();
  const began = performance.now();
  const fetched = await fetcher.fetch(new URL(url), {
    method: method.toUpperCase(),
    headers: Object.fromEntries(headers),
    ...defined({ body }),
    signal: context.signal,
    maxBytes: MAX_MB * 1024 * 1024,
    followsRedirects: false,
  });
  const traffic = trafficOf(context, options);
  const durationMs = Math.round(performance.now() - began);
  const request = { headers, body: await capturedBody(Buffer.from(body ?? ""), headers) };
  const response = { ...(await responseOf(fetched)), status: fetched.status, reason: "" };
  const line = { startedAt, durationMs, method: method.toUpperCase(), url, version: "1.1" };
  const { id } = await traffic.add({ ...line, request, response }, by);
  const { body: stored, status } = response;
  const masked = await traffic.get(id);
  const text = await renderPart(traffic, masked, "response");
  const responseText = masked.response && (await traffic.textOf(masked.response.body));
  const about = `[${id}: status ${status}, ${stored.bytes} bytes, ${durationMs} ms]`;
  return new Reply(`${about}\n${text}`, {
    data: {
      request_id: id,
      status,
      headers: Object.fromEntries(masked.response?.headers ?? []),
      bytes: stored.bytes,
      duration_ms: durationMs,
      ...(stored.text !== undefined && { body: responseText ?? "" }),
    },
  });
}

/** The body is unpacked by now. */
async function responseOf({ headers, body }: Fetched): Promise<CapturedMessage> {
  const list = Object.entries(headers);
  return {
    headers: list,
    body: await capturedBody(
      body,
      list.filter(([name]) => name !== "content-encoding"),
    ),
  };
}

function refuseMasks({ url, headers, body }: Outgoing): void {
  const places = [
    ...(url.includes(MASK) || url.includes(encodeURIComponent(MASK)) ? ["the URL"] : []),
    ...headers.flatMap(([name, value]) => (value.includes(MASK) ? [`the header ${name}`] : [])),
    ...(typeof body === "string" && body.includes(MASK) ? ["the body"] : []),
  ];
  if (places.length === 0) return;
  throw new ToolError("TOOL_FAILED", `the request was not sent: a secret is masked in ${places.join(", ")}`, {
    hint: "secrets are not stored; set these parts to other values, or capture the request again and repeat that",
  });
}
