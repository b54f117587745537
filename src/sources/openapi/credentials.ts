import { ToolError } from "../../core/errors.ts";
import { isObject, type JsonObject } from "../../core/json.ts";
import type { Fetcher } from "../../system/fetch/fetcher.ts";
import { parseObject } from "../../util/json/parse-json.ts";
import { resolveRef } from "./document.ts";
import { defined } from "../../util/json/defined.ts";

/** How to log in at an API. Values are in environment variables, never in the config. */
export interface ApiLogin {
  /** bearer: a token; apiKey: a key; basic: a user and a password; oauth2: a token for the id and secret of a client. */
  readonly type: "bearer" | "apiKey" | "basic" | "oauth2";
  /** The variable with the token, the key, `user:password`, or the secret of the client. */
  readonly variable: string;
  /** Where an API key goes; default: as the document says. */
  readonly in?: "header" | "query" | "cookie";
  readonly name?: string;
  /** The id of the client, for oauth2. */
  readonly clientId?: string;
  /** Default: as the document says, if it is on the host of the API. */
  readonly tokenUrl?: string;
  /** The scopes to request, for oauth2. */
  readonly scope?: string;
}

export interface CredentialsOptions {
  readonly api: string;
  readonly login: ApiLogin | undefined;
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly fetcher: Fetcher;
  /** Called with each token before it is used. */
  readonly onSecret: (secret: string) => void;
}

/** Returns the values that log in, if the variable is set: the password of `user:password` appears without the user too. */
export function loginSecrets(
  login: ApiLogin | undefined,
  variables: CredentialsOptions["variables"],
): readonly string[] {
  const value = variables[login?.variable ?? ""] ?? "";
  return value === ""
    ? []
    : [value, ...(login?.type === "basic" ? [value.slice(value.indexOf(":") + 1)] : [])];
}

/** Adds what logs in to requests. */
export type Credentials = ReturnType<typeof createCredentials>;

const TOKEN_BYTES = 256 * 1024;
/** A token is renewed this long before it ends. */
const EARLY_MS = 30_000;

export function createCredentials(options: CredentialsOptions) {
  const { login } = options;
  let known: Partial<ApiLogin> = {};
  const fetchToken = createTokens(options);
  return {
    /** Learns from the document where keys go and where tokens come from. */
    learn: (root: JsonObject): void => void (known = schemeOf(root, login?.type)),
    /** Returns headers, and sets the query of the address. Throws MISSING_CREDENTIALS if the variable is not set. */
    async apply(url: URL, signal: AbortSignal): Promise<Readonly<Record<string, string>>> {
      if (login === undefined) return {};
      const credential = { ...withoutOtherHost(known, url), ...login };
      if (credential.type === "oauth2")
        return { authorization: `Bearer ${await fetchToken(credential, signal)}` };
      const secret = secretOf(credential, options);
      if (credential.type === "bearer") return { authorization: `Bearer ${secret}` };
      if (credential.type === "basic") return { authorization: basic(secret) };
      const { name = "x-api-key", in: place = "header" } = credential;
      if (place === "header") return { [name.toLowerCase()]: secret };
      if (place === "cookie") return { cookie: `${name}=${encodeURIComponent(secret)}` };
      url.searchParams.set(name, secret);
      return {};
    },
  };
}

/** A document that changes must not send the secret of the client elsewhere: only the addresses of operations are approved. */
function withoutOtherHost({ tokenUrl, ...known }: Partial<ApiLogin>, { host }: URL): Partial<ApiLogin> {
  const isOwn = tokenUrl !== undefined && URL.parse(tokenUrl)?.host === host;
  return isOwn ? { ...known, tokenUrl } : known;
}

function secretOf({ variable }: ApiLogin, { api, variables }: CredentialsOptions): string {
  const value = variables[variable];
  if (value !== undefined && value !== "") return value;
  const what = `the variable ${variable}, with which "${api}" logs in, is not set`;
  throw new ToolError("MISSING_CREDENTIALS", what, {
    hint: `set ${variable} in the environment of toolwright`,
  });
}

/** Returns a function that gets a token by client credentials, and holds it until it ends. */
function createTokens(options: CredentialsOptions) {
  let token: { readonly value: string; readonly until: number } | undefined;
  return async (login: ApiLogin, signal: AbortSignal): Promise<string> => {
    if (token !== undefined && Date.now() < token.until) return token.value;
    const { tokenUrl, clientId = "", scope } = login;
    const { api, fetcher, onSecret } = options;
    if (tokenUrl === undefined)
      throw new ToolError("MISSING_CREDENTIALS", `"${api}" names no address for tokens on its own host`, {
        hint: `set auth.tokenUrl of the api "${api}" in the config`,
      });
    const form = { grant_type: "client_credentials", ...defined({ scope }) };
    const authorization = basic(`${clientId}:${secretOf(login, options)}`);
    const { status, body } = await fetcher.fetch(new URL(tokenUrl), {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded", authorization },
      body: new URLSearchParams(form).toString(),
      signal,
      maxBytes: TOKEN_BYTES,
    });
    const { access_token: value, expires_in: seconds = 300 } = parseObject(body.toString()) ?? {};
    if (status >= 400 || typeof value !== "string")
      throw new ToolError("UNAUTHORIZED", `${tokenUrl} gave no token: it answered ${status}`);
    onSecret(value);
    token = { value, until: Date.now() + Number(seconds) * 1000 - EARLY_MS };
    return value;
  };
}

function basic(pair: string): string {
  return `Basic ${Buffer.from(pair).toString("base64")}`;
}

/** Returns what the document says about the first scheme of a type. */
function schemeOf(root: JsonObject, type: ApiLogin["type"] | undefined): Partial<ApiLogin> {
  const components = isObject(root["components"]) ? root["components"] : {};
  const schemes = isObject(components["securitySchemes"]) ? Object.values(components["securitySchemes"]) : [];
  const scheme = schemes.map((one) => resolveRef(root, one)).find((one) => one?.["type"] === type);
  const { name, in: place, flows } = scheme ?? {};
  const flow =
    isObject(flows) && isObject(flows["clientCredentials"])
      ? flows["clientCredentials"]["tokenUrl"]
      : undefined;
  return {
    ...(typeof name === "string" && { name }),
    ...((place === "header" || place === "query" || place === "cookie") && { in: place }),
    ...(typeof flow === "string" && { tokenUrl: flow }),
  };
}
