import { isObject, type Json } from "../../../core/json.ts";
import { parseJson } from "../../../util/json/parse-json.ts";
import type { Run } from "./run-once.ts";

/** The output of a program, as the engine reads it. */
export type Answer =
  | { readonly kind: "value"; readonly value: Json }
  | { readonly kind: "error"; readonly error: string; readonly code: string | undefined }
  | { readonly kind: "none"; readonly why: string };

const MAX_SHOWN = 60;

/** Parses the JSON value on standard output; a text under `error` makes it a failure. */
export function readAnswer({ stdout, isTooLong }: Run): Answer {
  if (isTooLong) return { kind: "none", why: "printed over 1 MB" };
  const text = stdout.trim();
  if (text === "") return { kind: "none", why: "printed nothing on standard output" };
  const value = parseJson(text);
  if (value === undefined) return { kind: "none", why: describeInvalid(text) };
  if (!isObject(value) || typeof value["error"] !== "string" || value["error"] === "") {
    return { kind: "value", value };
  }
  const code = value["error_code"];
  return { kind: "error", error: value["error"], code: typeof code === "string" ? code : undefined };
}

/** Describes how a run ended. */
export function endOf({ exitCode, signal, stderr }: Run): string {
  const last = stderr.trim().split("\n").at(-1) ?? "";
  const how = signal === null ? `ended with exit code ${exitCode}` : `was ended by ${signal}`;
  return last === "" ? how : `${how}, printing: ${shown(last)}`;
}

function describeInvalid(text: string): string {
  const values = text.split("\n").filter((line) => parseJson(line) !== undefined);
  if (values.length > 1) return `printed ${values.length} JSON values instead of one`;
  return `printed something that is not JSON: ${shown(text)}`;
}

function shown(text: string): string {
  return JSON.stringify(text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text);
}
