import type { Json } from "../../../core/json.ts";
import { isObject } from "../../../core/json.ts";
import { parseJson } from "../../../util/json/parse-json.ts";
import type { Run } from "./run-once.ts";

/** What a program printed, as its caller would take it. */
export type Answer =
  | { readonly kind: "value"; readonly value: Json }
  | { readonly kind: "error"; readonly error: string; readonly code: string | undefined }
  | { readonly kind: "none"; readonly why: string };

const MAX_SHOWN = 60;

/** Reads the one JSON value on standard output; a text under `error` makes it a failure. */
export function readAnswer({ stdout, isTooLong }: Run): Answer {
  if (isTooLong) return { kind: "none", why: "printed over 1 MB" };
  const text = stdout.trim();
  if (text === "") return { kind: "none", why: "printed nothing on standard output" };
  const value = parseJson(text);
  if (value === undefined) return { kind: "none", why: whyNot(text) };
  if (!isObject(value) || typeof value["error"] !== "string" || value["error"] === "") {
    return { kind: "value", value };
  }
  const code = value["error_code"];
  return { kind: "error", error: value["error"], code: typeof code === "string" ? code : undefined };
}

/** How a run came to its end, in words. */
export function endOf({ exitCode, signal, stderr }: Run): string {
  const said = stderr.trim().split("\n").at(-1) ?? "";
  const how = signal === null ? `ended with exit code ${exitCode}` : `was ended by ${signal}`;
  return said === "" ? how : `${how}, saying: ${shown(said)}`;
}

function whyNot(text: string): string {
  const values = text.split("\n").filter((line) => parseJson(line) !== undefined);
  if (values.length > 1) return `printed ${values.length} JSON values where there must be one`;
  return `printed something that is not JSON: ${shown(text)}`;
}

function shown(text: string): string {
  return JSON.stringify(text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text);
}
