import { ToolError } from "../../core/errors.ts";
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import { listText, plainText, queryPairs, type Style } from "./styles.ts";
import type { RequestPlan, Slot } from "./to-definition.ts";
import { FORM, isJsonType, MULTIPART, type FormField } from "./media-content.ts";
import { defined } from "../../util/json/defined.ts";

/** A request without what logs in. */
export interface ApiRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
}

/** Fills in the plan of an operation. Values that are not given are left out. */
export function toRequest(plan: RequestPlan, input: JsonObject): ApiRequest {
  const filled = plan.slots.filter(({ key }) => input[key] !== undefined);
  const valueOf = ({ key }: Slot): Json => input[key] ?? null;
  const of = (place: Slot["in"]): readonly Slot[] => filled.filter((slot) => slot.in === place);
  let path = plan.path;
  for (const slot of of("path"))
    path = path.replaceAll(`{${slot.name}}`, () => pathText(slot, valueOf(slot)));
  // An address drops such a segment with the one before it, also if it is escaped.
  if (path.split("/").some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment)))
    throw new ToolError("INVALID_INPUT", `a part of the path ${plan.path} cannot be "." or ".."`);
  const url = new URL(plan.server.replace(/\/$/, "") + path);
  for (const slot of of("query"))
    for (const [name, value] of queryPairs(slot, valueOf(slot))) url.searchParams.append(name, value);
  const cookies = of("cookie").map((slot) => `${slot.name}=${listText(valueOf(slot), escaped)}`);
  const { body, contentType } = bodyOf(plan, input);
  return {
    url,
    headers: {
      accept: "application/json, text/*;q=0.8, */*;q=0.5",
      ...Object.fromEntries(
        of("header").map((slot) => [slot.name.toLowerCase(), headerText(slot, valueOf(slot))]),
      ),
      ...(cookies.length > 0 && { cookie: cookies.join("; ") }),
      ...defined({ "content-type": contentType }),
    },
    body,
  };
}

/** Escapes everything that would change the path: a value never becomes two segments. */
function pathText({ name, style, explode }: Slot, value: Json): string {
  if (style === "label") return `.${listText(value, escaped, explode ? { between: ".", pair: "=" } : {})}`;
  if (style !== "matrix") return listText(value, escaped, explode ? { pair: "=" } : {});
  if (!explode || (!Array.isArray(value) && !isObject(value))) return `;${name}=${listText(value, escaped)}`;
  const between = Array.isArray(value) ? `;${name}=` : ";";
  return between + listText(value, escaped, { between, pair: "=" });
}

function escaped(value: Json): string {
  return encodeURIComponent(plainText(value));
}

/** Header values hold no line breaks. */
function headerText({ style, explode }: Slot, value: Json): string {
  const text =
    style === "json" ? JSON.stringify(value) : listText(value, plainText, explode ? { pair: "=" } : {});
  return text.replaceAll(/[^\t\u{20}-\u{7e}\u{80}-\u{ff}]/gu, " ");
}

interface Body {
  readonly body: string | Uint8Array | undefined;
  readonly contentType?: string;
}

/** Returns the body of a request: the parameter that is the whole body, or an object of those that are its properties. */
function bodyOf({ slots, contentType, bodyKey, fields = {} }: RequestPlan, input: JsonObject): Body {
  if (contentType === undefined) return { body: undefined };
  const bodySlots = slots.filter((slot) => slot.in === "body" && input[slot.key] !== undefined);
  const properties = Object.fromEntries(bodySlots.map(({ key, name }) => [name, input[key] ?? null]));
  const value: Json | undefined =
    bodyKey !== undefined ? input[bodyKey] : bodySlots.length > 0 ? properties : undefined;
  if (value === undefined) return { body: undefined };
  if (contentType === FORM && isObject(value)) return { body: formBody(value, fields), contentType };
  if (contentType === MULTIPART && isObject(value)) return multipartBody(value, fields);
  if (typeof value !== "string" || isJsonType(contentType))
    return { body: JSON.stringify(value), contentType };
  return { body: contentType.startsWith("text/") ? value : bytesOf(value).bytes, contentType };
}

type Fields = Readonly<Record<string, FormField>>;

function formBody(form: JsonObject, fields: Fields): string {
  const body = new URLSearchParams();
  for (const [name, value] of Object.entries(form)) {
    const { style, contentType = "" } = fields[name] ?? {};
    const usual: Style = { style: isJsonType(contentType) ? "json" : "field", explode: true };
    for (const pair of queryPairs({ name, ...(style ?? usual) }, value)) body.append(...pair);
  }
  return body.toString();
}

/** The names of fields come from the document, and are quoted. */
function multipartBody(form: JsonObject, fields: Fields): Body {
  const parts = Object.entries(form).flatMap(([name, value]) => partsOf(name, value, fields[name] ?? {}));
  let boundary = "toolwright-form";
  while (parts.some((part) => part.includes(boundary))) boundary += "-x";
  const chunks = parts.flatMap((part) => [Buffer.from(`--${boundary}\r\n`), part, Buffer.from("\r\n")]);
  const body = Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)]);
  return { body, contentType: `${MULTIPART}; boundary=${boundary}` };
}

/** Returns one part for each item of a list, and one for any other value. */
function partsOf(name: string, value: Json, field: FormField): readonly Buffer[] {
  const { style, contentType, isFile } = field;
  if (style !== undefined)
    return queryPairs({ name, ...style }, value).map((pair) => toPart(pair[0], Buffer.from(pair[1])));
  const items = Array.isArray(value) ? (value as readonly Json[]) : [value];
  return items.map((one) => {
    if (isFile !== true || typeof one !== "string") {
      const type = typeof one === "object" ? "application/json" : contentType;
      const text = isJsonType(type ?? "") ? JSON.stringify(one) : plainText(one);
      return toPart(name, Buffer.from(text), type);
    }
    const { bytes, type = "application/octet-stream" } = bytesOf(one);
    return toPart(name, bytes, contentType ?? type, name);
  });
}

function toPart(name: string, bytes: Buffer, type?: string, fileName?: string): Buffer {
  const file = fileName === undefined ? "" : `; filename=${quoted(fileName)}`;
  const typeLine = type === undefined ? "" : `content-type: ${type}\r\n`;
  const head = `content-disposition: form-data; name=${quoted(name)}${file}\r\n${typeLine}\r\n`;
  return Buffer.concat([Buffer.from(head), bytes]);
}

function quoted(text: string): string {
  return `"${text.replaceAll(/[\r\n"]/g, encodeURIComponent)}"`;
}

/** Returns the bytes of a file: those of a data URL, else the text itself. */
function bytesOf(text: string): { readonly bytes: Buffer; readonly type?: string } {
  const [, type, data] = /^data:([\w.+-]+\/[\w.+-]+);base64,([\w+/=-]*)$/.exec(text) ?? [];
  if (type === undefined || data === undefined) return { bytes: Buffer.from(text) };
  return { bytes: Buffer.from(data, "base64"), type };
}
