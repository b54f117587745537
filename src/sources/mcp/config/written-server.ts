import type { Json, JsonObject } from "../../../core/json.ts";
import { isObject } from "../../../core/json.ts";

/** One entry of `mcpServers`, as everyone writes it. */
export interface WrittenServer {
  readonly command?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly type?: string;
  readonly disabled?: boolean;
  readonly timeoutSeconds?: number;
  readonly connectTimeoutSeconds?: number;
  readonly startup?: "eager" | "lazy";
  readonly trustAnnotations?: boolean;
  readonly oauth?: WrittenOAuth;
  readonly sandbox?: "bubblewrap";
  readonly network?: boolean;
  readonly readable?: readonly string[];
}

/** How to log in, as it is written. */
export interface WrittenOAuth {
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly scope?: string;
  readonly redirectPort?: number;
}

interface Field {
  readonly expected: string;
  readonly is: (value: Json) => boolean;
}

const TYPES: ReadonlySet<Json> = new Set(["stdio", "http", "streamable-http", "streamableHttp", "sse"]);
const MAX_SECONDS = 86_400;

const TEXT: Field = { expected: "a text", is: (value) => typeof value === "string" && value !== "" };
const SWITCH: Field = { expected: "true or false", is: (value) => typeof value === "boolean" };
const TEXTS: Field = {
  expected: "an object of texts",
  is: (value) => isObject(value) && Object.values(value).every((one) => typeof one === "string"),
};
const LIST: Field = {
  expected: "a list of texts",
  is: (value) => Array.isArray(value) && value.every((one) => typeof one === "string"),
};
const SECONDS: Field = {
  expected: "a number of seconds above 0, at most 86400",
  is: (value) => typeof value === "number" && value > 0 && value <= MAX_SECONDS,
};

const FIELDS: Readonly<Record<keyof WrittenServer, Field>> = {
  command: TEXT,
  args: LIST,
  env: TEXTS,
  cwd: TEXT,
  url: TEXT,
  headers: TEXTS,
  type: { expected: "stdio, http or sse", is: (value) => TYPES.has(value) },
  disabled: SWITCH,
  timeoutSeconds: SECONDS,
  connectTimeoutSeconds: SECONDS,
  startup: { expected: "eager or lazy", is: (value) => value === "eager" || value === "lazy" },
  trustAnnotations: SWITCH,
  oauth: { expected: "an object", is: isObject },
  sandbox: { expected: "bubblewrap", is: (value) => value === "bubblewrap" },
  network: SWITCH,
  readable: LIST,
};

const OAUTH_FIELDS: Readonly<Record<keyof WrittenOAuth, Field>> = {
  clientId: TEXT,
  clientSecret: {
    // A secret in a config ends up wherever the config does.
    expected: "a variable, as in ${NAME}",
    is: (value) => typeof value === "string" && /^\$\{[A-Za-z_][A-Za-z0-9_]*\}$/.test(value),
  },
  scope: TEXT,
  redirectPort: {
    expected: "a port from 1 to 65535",
    is: (value) => Number.isInteger(value) && Number(value) > 0 && Number(value) < 65_536,
  },
};

/** The entry, checked, or what is wrong with it. Keys that mean nothing here are passed over: other clients have their own. */
export function checkWritten(
  written: Json,
): { readonly entry: WrittenServer } | { readonly problem: string } {
  if (!isObject(written)) return { problem: "it is not an object" };
  const { command, url, oauth = {} } = written;
  const problem = problemIn(written, FIELDS, "") ?? problemIn(oauth as JsonObject, OAUTH_FIELDS, "oauth.");
  if (problem !== undefined) return { problem };
  if (command === undefined && url === undefined) return { problem: 'it has neither "command" nor "url"' };
  if (command !== undefined && url !== undefined) return { problem: 'it has both "command" and "url"' };
  if (url !== undefined && written["sandbox"] !== undefined)
    return { problem: 'it has a "sandbox", which only a program can be put into' };
  return { entry: written };
}

function problemIn(
  written: JsonObject,
  fields: Readonly<Record<string, Field>>,
  within: string,
): string | undefined {
  for (const [key, { expected, is }] of Object.entries(fields)) {
    const value = Object.hasOwn(written, key) ? written[key] : undefined;
    if (value !== undefined && !is(value)) return `its ${within}${key} is not ${expected}`;
  }
  return undefined;
}
