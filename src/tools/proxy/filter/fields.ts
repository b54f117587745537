import type { RequestSummary } from "../traffic/summaries.ts";

/** What a filter can ask about a request; a name is followed by an operator. */
export const TEXT_FIELDS: Readonly<Record<string, (request: RequestSummary) => string>> = {
  "req.method": ({ method }) => method,
  "req.scheme": ({ scheme }) => scheme,
  "req.host": ({ host }) => host,
  "req.path": ({ path }) => path,
  "req.query": ({ query }) => query,
  "req.ext": ({ path }) => /\.(\w+)$/.exec(path)?.[1] ?? "",
  "req.url": urlOf,
  "resp.type": ({ type }) => type,
  "resp.error": ({ error = "" }) => error,
};

/** A response that was not received has no code and equals nothing. */
export const NUMBER_FIELDS: Readonly<Record<string, (request: RequestSummary) => number>> = {
  "req.id": ({ id }) => Number(id.slice(1)),
  "req.port": ({ port }) => port,
  "req.len": ({ sent }) => sent,
  "resp.code": ({ status }) => status ?? Number.NaN,
  "resp.len": ({ received }) => received,
  "resp.roundtrip": ({ ms }) => ms,
};

export const TEXT_OPERATORS = ["eq", "ne", "cont", "ncont", "like", "nlike"] as const;
export const NUMBER_OPERATORS = ["eq", "ne", "gt", "gte", "lt", "lte"] as const;

/** Returns the URL of a request; a default port is left out. */
export function urlOf({ scheme, host, port, path, query }: RequestSummary): string {
  const isDefault = port === (scheme === "https" || scheme === "wss" ? 443 : 80);
  return `${scheme}://${host}${isDefault ? "" : `:${port}`}${path}${query === "" ? "" : `?${query}`}`;
}
