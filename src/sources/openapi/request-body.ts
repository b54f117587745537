import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import { FORM, isJsonType, MULTIPART, type FormField } from "./media-content.ts";
import { plainText, queryPairs, type Style } from "./styles.ts";
import type { RequestPlan } from "./to-definition.ts";

interface Body {
  readonly body: string | Uint8Array | undefined;
  readonly contentType?: string;
}

/** Returns the body of a request: the parameter that is the whole body, or an object of those that are its properties. */
export function bodyOf({ slots, contentType, bodyKey, fields = {} }: RequestPlan, input: JsonObject): Body {
  if (contentType === undefined) return { body: undefined };
  const given = slots.filter((slot) => slot.in === "body" && input[slot.key] !== undefined);
  const properties = Object.fromEntries(given.map(({ key, name }) => [name, input[key] ?? null]));
  const value: Json | undefined =
    bodyKey !== undefined ? input[bodyKey] : given.length > 0 ? properties : undefined;
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
