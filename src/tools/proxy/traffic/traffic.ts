import { isDeepStrictEqual } from "node:util";
import { ArtifactsKey, type Artifacts } from "../../../core/store/artifacts.ts";
import type { Collection } from "../../../core/store/collection.ts";
import { createKey, type Key, type ToolContext } from "../../../core/context.ts";
import { ToolError } from "../../../core/errors.ts";
import { isObject } from "../../../core/json.ts";
import { SessionKey } from "../../../core/session/session.ts";
import { createSerializer } from "../../../util/async/serialize.ts";
import { defined } from "../../../util/json/defined.ts";
import { createMasker } from "../../../secrets/mask.ts";
import { maskFields, maskHeader } from "../../../secrets/find/fields.ts";
import { sessionCollection } from "../../shared/collections.ts";
import type { ProxyOptions } from "./options.ts";
import { headerOf } from "../program/captured-body.ts";
import { createSummaries, keyOf, type RequestSummary, type Summaries } from "./summaries.ts";
import type { CapturedBody, CapturedExchange, CapturedMessage } from "../program/messages.ts";

/** The maximum number of requests of all sessions together. */
export const MAX_REQUESTS = 20_000;
/** Longer bodies are artifacts. */
const MAX_INLINE_CHARACTERS = 8 * 1024;
/** Requests with secrets that can be repeated, in memory only. */
const MAX_UNMASKED = 200;

type StoredBody = CapturedBody & {
  /** The artifact with the text. */
  readonly artifact?: string;
};
type StoredMessage = Omit<CapturedMessage, "body"> & { readonly body: StoredBody };

/** A captured exchange as it is stored: masked, long bodies as artifacts. */
export type StoredExchange = Omit<CapturedExchange, "request" | "response"> & {
  readonly request: StoredMessage;
  readonly response: (StoredMessage & { readonly status: number; readonly reason: string }) | null;
};

/** The captured traffic of one session. */
export interface Traffic {
  /** Stores an exchange, masked, and returns its summary. */
  add(exchange: CapturedExchange, by?: string): Promise<RequestSummary>;
  /** Returns the summaries, oldest first. */
  list(): Promise<readonly RequestSummary[]>;
  /** Throws for an unknown id. */
  get(id: string): Promise<StoredExchange>;
  /** Returns the text of a body; undefined if it was not stored, or has expired. */
  textOf(body: StoredBody): Promise<string | undefined>;
  /** Returns the request as it was sent if this process captured it, else as it was stored. Throws for an unknown id. */
  original(id: string): Promise<Pick<StoredExchange, "method" | "url" | "request">>;
}

const TrafficKey: Key<Traffic> = createKey("proxy.Traffic");

/** Where traffic is stored, and how it is masked. */
export type TrafficOptions = Pick<ProxyOptions, "collections" | "mask">;

/** Returns the captured traffic of the call's session. */
export function trafficOf(context: ToolContext, options: TrafficOptions): Traffic {
  return context.get(SessionKey).getOrCreate(TrafficKey, () => ({
    value: createTraffic({
      summaries: createSummaries(
        sessionCollection(context, options, { name: "requests", limit: MAX_REQUESTS }),
      ),
      exchanges: sessionCollection(context, options, { name: "exchanges", limit: MAX_REQUESTS }),
      artifacts: context.find(ArtifactsKey),
      mask: options.mask ?? createMasker().text,
    }),
  }));
}

interface TrafficParts {
  readonly summaries: Summaries;
  readonly exchanges: Collection;
  readonly artifacts: Artifacts | undefined;
  readonly mask: (text: string, name?: string) => string;
}

function createTraffic({ summaries, exchanges, artifacts, mask }: TrafficParts): Traffic {
  const unmasked = new Map<string, CapturedExchange>();
  const get = async (id: string): Promise<StoredExchange> => {
    const stored = /^r\d+$/.test(id) ? await exchanges.get(keyOf(Number(id.slice(1)))) : undefined;
    if (!isObject(stored)) throw unknownRequest(id, await summaries.list());
    return stored as StoredExchange;
  };
  const inOrder = createSerializer();
  const add = async (exchange: CapturedExchange, by: string | undefined): Promise<RequestSummary> => {
    const url = mask(maskFields(exchange.url));
    const request = masked(exchange.request, mask);
    const isMasked = url !== exchange.url || !isDeepStrictEqual(request, exchange.request);
    const stored: StoredExchange = {
      ...exchange,
      url,
      request: await spilled(request, artifacts),
      response: exchange.response && (await spilled(masked(exchange.response, mask), artifacts)),
    };
    const summary = await summaries.add(summaryOf(stored, by));
    await exchanges.set(keyOf(Number(summary.id.slice(1))), stored);
    if (isMasked) {
      unmasked.set(summary.id, exchange);
      for (const [oldest] of unmasked) if (unmasked.size > MAX_UNMASKED) unmasked.delete(oldest);
    }
    return summary;
  };
  return {
    add: (exchange, by) => inOrder(() => add(exchange, by)),
    list: () => summaries.list(),
    get,
    async textOf({ text, artifact, bytes }) {
      if (artifact === undefined) return bytes === 0 ? "" : text;
      const info = await artifacts?.info(artifact);
      return info && (await artifacts?.read(artifact, 0, info.size))?.text;
    },
    original: async (id) => unmasked.get(id) ?? get(id),
  };
}

function masked<M extends CapturedMessage>(message: M, mask: TrafficParts["mask"]): M {
  const { headers, body } = message;
  return {
    ...message,
    headers: headers.map(([name, value]) => [name, mask(maskHeader(name, value))] as const),
    body: maskedBody(body, mask),
  };
}

/** Returns a body without secrets. Bytes that have one are not stored: with a mask in them they would be others. */
function maskedBody(body: CapturedMessage["body"], mask: TrafficParts["mask"]): CapturedMessage["body"] {
  const { text, base64, ...rest } = body;
  if (text !== undefined) return { ...rest, text: mask(maskFields(text)) };
  if (base64 === undefined) return body;
  const bodyText = Buffer.from(base64, "base64").toString("latin1");
  return mask(maskFields(bodyText)) === bodyText ? body : rest;
}

/** Moves a long body to an artifact. */
async function spilled<M extends CapturedMessage>(
  message: M,
  artifacts: Artifacts | undefined,
): Promise<M & StoredMessage> {
  const { text = "", ...rest } = message.body;
  if (text.length <= MAX_INLINE_CHARACTERS || artifacts === undefined) return message;
  const writer = artifacts.create();
  await writer.write(text);
  await writer.close();
  return { ...message, body: { ...rest, artifact: writer.id } };
}

function summaryOf(exchange: StoredExchange, by: string | undefined): Omit<RequestSummary, "id"> {
  const { startedAt: at, method, request, response, durationMs: ms, error } = exchange;
  const [type = ""] = (headerOf(response?.headers ?? [], "content-type") ?? "").split(";");
  return {
    at,
    method,
    ...partsOf(exchange.url),
    status: response?.status ?? null,
    type: type.trim(),
    sent: request.body.bytes,
    received: response?.body.bytes ?? 0,
    ms,
    ...defined({ by, error }),
  };
}

function partsOf(text: string): Pick<RequestSummary, "scheme" | "host" | "port" | "path" | "query"> {
  const url = URL.parse(text);
  if (url === null) return { scheme: "", host: "", port: 0, path: text, query: "" };
  const scheme = url.protocol.slice(0, -1);
  const usual = scheme === "https" || scheme === "wss" ? 443 : 80;
  const port = url.port === "" ? usual : Number(url.port);
  return { scheme, host: url.hostname, port, path: url.pathname, query: url.search.slice(1) };
}

function unknownRequest(id: string, known: readonly RequestSummary[]): ToolError {
  return new ToolError("TOOL_FAILED", `unknown request ${JSON.stringify(id)}`, {
    hint:
      known.length === 0
        ? "no request was captured in this session"
        : `list_requests shows the ids, from ${known[0]?.id} to ${known.at(-1)?.id}; the oldest requests are dropped`,
    details: { request_id: id },
  });
}
