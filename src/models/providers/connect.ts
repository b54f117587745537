import { ToolError } from "../../core/errors.ts";
import type { ModelOptions } from "./model-options.ts";
import type { Connection, Provider } from "./provider.ts";

/**
 * Returns the connection to a model of this provider. Throws MISSING_CREDENTIALS if the key is missing, INVALID_INPUT without a
 * valid address.
 */
export function connect(provider: Provider, word: string, name: string, options: ModelOptions): Connection {
  const { environment, headers = {}, fetch = globalThis.fetch } = options;
  const { keys, needsKey } = provider;
  const candidates = [options.apiKey, ...keys.map((key) => environment[key])];
  const apiKey = candidates.find((key) => key !== undefined && key !== "");
  if (apiKey === undefined && needsKey)
    throw new ToolError("MISSING_CREDENTIALS", `${word} needs a key, but ${keys.join(" or ")} is not set`, {
      hint: `set ${keys[0] ?? "a key"} in the environment; on the command line, toolwright login ${word} stores the key`,
      details: { variables: [...keys] },
    });
  const baseUrl = addressOf(provider, word, options);
  return { provider: word, name, baseUrl, apiKey, headers, fetch: refusingPages(fetch, baseUrl) };
}

/** Returns a `fetch` that throws on a web page: a wrong path, or a network that wants a login, answers with one. */
function refusingPages(send: typeof fetch, baseUrl: string): typeof fetch {
  return async (...request) => {
    const response = await send(...request);
    const isPage = response.headers.get("content-type")?.startsWith("text/html") === true;
    if (!isPage || !(response.ok || response.status === 404 || response.status === 405)) return response;
    await response.body?.cancel().catch(() => undefined);
    throw new ToolError("MODEL_FAILED", `${baseUrl} answered with a web page, not with a model's answer`, {
      hint: "check the address: that of most servers ends in /v1; a proxy or a network that wants a login answers so, too",
    });
  };
}

/** Adds the default path to an address without one, since the variables for addresses are often set so. */
function addressOf(
  { address, addressKey }: Provider,
  word: string,
  { baseUrl, environment }: ModelOptions,
): string {
  const baseAddress = baseUrl ?? (addressKey === undefined ? undefined : environment[addressKey]);
  const chosen = baseAddress === undefined || baseAddress === "" ? address : baseAddress;
  if (chosen === undefined)
    throw new ToolError("INVALID_INPUT", `${word} needs the address of a server`, {
      hint: `toolwright config set models.${word}.baseUrl URL${addressKey === undefined ? "" : `, or set ${addressKey}`}; in a program: baseUrl`,
    });
  const url = URL.parse(/^https?:\/\//i.test(chosen) ? chosen : `http://${chosen}`);
  // fetch rejects an address with a password, and its error would show the password.
  if (url === null || url.username !== "" || url.password !== "")
    throw new ToolError("INVALID_INPUT", `the address of ${word} is not a URL without a password`, {
      hint: "write http://host:port/path, and send a password as a header or key",
    });
  const path = address === undefined ? "/v1" : new URL(address).pathname;
  return `${url.origin}${url.pathname === "/" ? path : url.pathname.replace(/\/+$/, "")}`;
}
