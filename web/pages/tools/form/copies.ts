import { urlOf } from "../../../api/client.ts";
import { isObject, type Json, type JsonObject } from "../../../api/json.ts";
import { fits } from "./fits.ts";
import { constantsOf } from "./simplified.ts";

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

/** Returns the input that a form means: with the constants that it does not ask for, and at every depth without values that are the default, and empty ones that are not required. */
export function withoutDefaults(input: Input, schema: JsonObject): Input {
  const { properties, required } = schema;
  const known = isObject(properties) ? properties : {};
  const names: readonly Json[] = Array.isArray(required) ? required : [];
  const isGiven = ([key, value]: readonly [string, Json | undefined]): boolean => {
    if (value === undefined) return false;
    if (names.includes(key)) return true;
    if (isEmpty(value)) return false;
    const property = known[key];
    return !isObject(property) || JSON.stringify(value) !== JSON.stringify(property["default"]);
  };
  const entries = Object.entries({ ...constantsOf(schema), ...input })
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => [key, inside(value, known[key])] as const);
  return Object.fromEntries(entries.filter(isGiven));
}

/** Returns a value without what the form filled in below it. */
function inside(value: Json, schema: Json | undefined): Json {
  if (!isObject(schema)) return value;
  if (Array.isArray(value)) return value.map((item: Json) => inside(item, schema["items"]));
  if (!isObject(value)) return value;
  const { anyOf, oneOf } = schema;
  const options = Array.isArray(anyOf) ? anyOf : Array.isArray(oneOf) ? oneOf : [schema];
  for (const option of options.filter(isObject)) {
    const input = withoutDefaults(value, option);
    if (fits(option, input)) return input;
  }
  return withoutDefaults(value, schema);
}

/** Returns true for what a form has below an optional field that a person did not touch. */
function isEmpty(value: Json): boolean {
  if (Array.isArray(value)) return value.every((item) => item === null);
  return value === null || (isObject(value) && Object.values(value).every(isEmpty));
}

function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
