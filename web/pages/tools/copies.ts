import { urlOf } from "../../api/client.ts";
import type { JsonObject } from "../../api/json.ts";

/** The input of a call. */
export type Input = JsonObject;

/** Returns the command that makes the same call in a terminal. */
export function asCli(name: string, input: Input): string {
  const entries = Object.entries(input);
  const isPlain = entries.every(([, value]) => typeof value !== "object");
  const words = isPlain
    ? entries.map(([key, value]) =>
        quote(`${key}=${typeof value === "string" ? value : JSON.stringify(value)}`),
      )
    : ["--args", quote(JSON.stringify(input))];
  return ["toolwright", "call", quote(name), ...words].join(" ");
}

/** Returns the call as a model would write it. */
export function asJson(name: string, input: Input): string {
  return JSON.stringify({ name, input }, undefined, 2);
}

/** Returns the request that makes the same call over HTTP. The token is not in it: the page does not know it. */
export function asCurl(name: string, input: Input, origin: string): string {
  return [
    `curl ${origin}${urlOf("run", {})}`,
    `-H "authorization: Bearer $TOOLWRIGHT_TOKEN"`,
    `-H "content-type: application/json"`,
    `-d ${quote(JSON.stringify({ name, input }))}`,
  ].join(" \\\n  ");
}

/** Leaves out what the form filled in: values that are the default, and empty ones that are not required. */
export function withoutDefaults(input: Input, schema: object): Input {
  const { properties = {}, required = [] } = schema as {
    readonly properties?: Readonly<Record<string, { readonly default?: unknown }>>;
    readonly required?: readonly string[];
  };
  const isGiven = ([key, value]: readonly [string, unknown]): boolean => {
    if (value === undefined) return false;
    if (required.includes(key)) return true;
    if (isEmpty(value)) return false;
    return JSON.stringify(value) !== JSON.stringify(properties[key]?.default);
  };
  return Object.fromEntries(Object.entries(input).filter(isGiven));
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && (value === null || Object.keys(value).length === 0);
}

function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
