import type { StoredExchange, Traffic } from "./traffic.ts";

export type Part = "request" | "response";

/** Returns a request or response as HTTP text, as it was sent before compression. */
export async function renderPart(traffic: Traffic, exchange: StoredExchange, part: Part): Promise<string> {
  const { request, response, error } = exchange;
  const message = part === "request" ? request : response;
  if (message === null) return `[no response: ${error ?? "unknown reason"}]`;
  const fields = message.headers.map(([name, value]) => `${name}: ${value}`);
  return [firstLine(exchange, part), ...fields, "", await bodyOf(traffic, message.body)].join("\n");
}

function firstLine({ method, url, version, response }: StoredExchange, part: Part): string {
  if (part === "request") {
    const { pathname = url, search = "" } = URL.parse(url) ?? {};
    return `${method} ${pathname}${search} HTTP/${version}`;
  }
  return `HTTP/${version} ${response?.status ?? ""} ${response?.reason ?? ""}`.trimEnd();
}

async function bodyOf(traffic: Traffic, body: StoredExchange["request"]["body"]): Promise<string> {
  const { bytes, base64, isCut } = body;
  if (base64 !== undefined) return `[binary, ${bytes} bytes, as base64]\n${base64}`;
  const text = await traffic.textOf(body);
  if (text === undefined) return `[${bytes} bytes, not stored: binary, too long, or expired]`;
  return isCut === true ? `${text}\n[the rest was not stored: the body has ${bytes} bytes as sent]` : text;
}
