import { ToolError } from "../../core/errors.ts";
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import { FORM, MULTIPART, type RequestPlan, type Slot } from "./to-definition.ts";

/** A request without what logs in. */
export interface ApiRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** Fills in the plan of an operation. Values that are not given are left out. */
export function toRequest(plan: RequestPlan, input: JsonObject): ApiRequest {
  const given = plan.slots.filter(({ key }) => input[key] !== undefined);
  const valueOf = ({ key }: Slot): Json => input[key] ?? null;
  const of = (place: Slot["in"]): readonly Slot[] => given.filter((slot) => slot.in === place);
  let path = plan.path;
  for (const slot of of("path")) path = path.replaceAll(`{${slot.name}}`, pathText(slot, valueOf(slot)));
  // An address drops such a segment with the one before it, also if it is escaped.
  if (path.split("/").some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment)))
    throw new ToolError("INVALID_INPUT", `a part of the path ${plan.path} cannot be "." or ".."`);
  const url = new URL(plan.server.replace(/\/$/, "") + path);
  for (const slot of of("query"))
    for (const [name, value] of queryPairs(slot, valueOf(slot))) url.searchParams.append(name, value);
  const cookies = of("cookie").map((slot) => `${slot.name}=${encodeURIComponent(plainText(valueOf(slot)))}`);
  const { body, contentType } = bodyOf(plan, input, of("body"));
  return {
    url,
    headers: {
      accept: "application/json, text/*;q=0.8, */*;q=0.5",
      ...Object.fromEntries(
        of("header").map((slot) => [slot.name.toLowerCase(), headerText(slot, valueOf(slot))]),
      ),
      ...(cookies.length > 0 && { cookie: cookies.join("; ") }),
      ...(contentType !== undefined && { "content-type": contentType }),
    },
    body,
  };
}

function bodyOf(
  { contentType, bodyKey }: RequestPlan,
  input: JsonObject,
  slots: readonly Slot[],
): { readonly body: string | undefined; readonly contentType?: string } {
  if (contentType === undefined) return { body: undefined };
  const fields = Object.fromEntries(slots.map(({ key, name }) => [name, input[key] ?? null]));
  const value: Json | undefined =
    bodyKey === undefined ? (slots.length === 0 ? undefined : fields) : input[bodyKey];
  if (value === undefined) return { body: undefined };
  if (contentType === FORM && isObject(value)) return { body: formBody(value), contentType };
  if (contentType === MULTIPART && isObject(value)) return multipartBody(value);
  const isText = typeof value === "string" && !/json/.test(contentType);
  return { body: isText ? value : JSON.stringify(value), contentType };
}

function formBody(fields: JsonObject): string {
  const slot = { key: "", in: "body", style: "form", explode: true } as const;
  const pairs = Object.entries(fields).flatMap(([name, value]) => queryPairs({ ...slot, name }, value));
  const body = new URLSearchParams();
  for (const [name, value] of pairs) body.append(name, value);
  return body.toString();
}

/** Writes every field as text; the names of fields come from the document, and are quoted. */
function multipartBody(fields: JsonObject): { readonly body: string; readonly contentType: string } {
  const parts = Object.entries(fields).map(([name, value]) => {
    const quoted = name.replaceAll(/[\r\n"]/g, encodeURIComponent);
    return `content-disposition: form-data; name="${quoted}"\r\n\r\n${plainText(value)}\r\n`;
  });
  let boundary = "toolwright-form";
  while (parts.some((part) => part.includes(boundary))) boundary += "-x";
  const body = `${parts.map((part) => `--${boundary}\r\n${part}`).join("")}--${boundary}--\r\n`;
  return { body, contentType: `${MULTIPART}; boundary=${boundary}` };
}

const DELIMITERS: Readonly<Record<string, string>> = { spaceDelimited: " ", pipeDelimited: "|" };

function queryPairs({ name, style, explode }: Slot, value: Json): readonly (readonly [string, string])[] {
  if (style === "json") return [[name, JSON.stringify(value)]];
  if (Array.isArray(value)) {
    const texts = (value as readonly Json[]).map(plainText);
    return explode ? texts.map((text) => [name, text]) : [[name, texts.join(DELIMITERS[style] ?? ",")]];
  }
  if (!isObject(value)) return [[name, plainText(value)]];
  const entries = Object.entries(value).map(([key, one]) => [key, plainText(one)] as const);
  if (style === "deepObject") return entries.map(([key, one]) => [`${name}[${key}]`, one]);
  return explode ? entries : [[name, entries.flat().join(",")]];
}

/** Escapes everything that would change the path: a value never becomes two segments. */
function pathText({ name, style, explode }: Slot, value: Json): string {
  const [delimiter, prefix] =
    style === "label" ? [explode ? "." : ",", "."] : [explode && style === "matrix" ? ";" : ",", ""];
  const text = listText(value, explode, delimiter);
  if (style === "matrix") return `;${name}=${text}`;
  return prefix + text;
}

function listText(value: Json, explode: boolean, delimiter: string): string {
  const encode = (one: Json): string => encodeURIComponent(plainText(one));
  if (Array.isArray(value)) return (value as readonly Json[]).map(encode).join(delimiter);
  if (!isObject(value)) return encode(value);
  const pairs = Object.entries(value).map(
    ([key, one]) => `${encode(key)}${explode ? "=" : ","}${encode(one)}`,
  );
  return pairs.join(delimiter);
}

/** Header values hold no line breaks. */
function headerText({ style }: Slot, value: Json): string {
  const text =
    style === "json"
      ? JSON.stringify(value)
      : Array.isArray(value)
        ? value.map(plainText).join(",")
        : plainText(value);
  return text.replaceAll(/[^\t\u{20}-\u{7e}\u{80}-\u{ff}]/gu, " ");
}

function plainText(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
