// The contents of bodies and responses: which of several is used, and how the fields of a form are written.
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import { asText } from "../../util/json/parse-json.ts";
import { resolveRef } from "./document.ts";
import { styleOf, type Style } from "./styles.ts";
import { rawProperties } from "./to-schema.ts";

/** How a field of a form is written, if the document says so. */
export interface FormField {
  readonly style?: Style;
  /** Of its part in a multipart body. */
  readonly contentType?: string;
  readonly isFile?: boolean;
}

/** A content of a body or a response. */
export interface MediaContent {
  readonly type: string;
  readonly schema: Json | undefined;
  readonly encoding: Json | undefined;
}

/** Returns the content that is used: JSON if there is JSON, else a form, else the first. */
export function contentOf({ content }: JsonObject): MediaContent | undefined {
  const types = isObject(content) ? Object.entries(content) : [];
  const [type, media] =
    types.find(([one]) => isJsonType(one)) ?? types.find(([one]) => FORM_TYPE.test(one)) ?? types[0] ?? [];
  if (type === undefined) return undefined;
  const { schema, encoding } = isObject(media) ? media : {};
  return { type: concrete(type), schema, encoding };
}

export const FORM = "application/x-www-form-urlencoded";
export const MULTIPART = "multipart/form-data";

export function isJsonType(type: string): boolean {
  return /^application\/(?:[\w.-]+\+)?json\b/.test(type);
}

const FORM_TYPE = /^(?:application\/x-www-form-urlencoded|multipart\/form-data)\b/;

/** Returns the type that is sent for one with wildcards; parameters of forms are dropped. */
function concrete(type: string): string {
  if (type.includes("*")) return type.startsWith("text/") ? "text/plain" : "application/json";
  return FORM_TYPE.exec(type)?.[0] ?? type;
}

/** Returns the fields of a form that are files, or that have an encoding in the document. */
export function fieldsOf(
  root: JsonObject,
  { type, schema, encoding }: MediaContent,
): Readonly<Record<string, FormField>> {
  if (!FORM_TYPE.test(type)) return {};
  const encodings = isObject(encoding) ? encoding : {};
  const properties = rawProperties(root, schema);
  const names = new Set([...Object.keys(properties), ...Object.keys(encodings)]);
  const fields = Array.from(
    names,
    (name) => [name, fieldOf(root, properties[name], encodings[name])] as const,
  );
  return Object.fromEntries(fields.filter(([, field]) => Object.keys(field).length > 0));
}

function fieldOf(root: JsonObject, property: Json | undefined, encoding: Json | undefined): FormField {
  const { style, explode, contentType } = isObject(encoding) ? encoding : {};
  // A style makes the type void, as OpenAPI says.
  if (typeof style === "string" || typeof explode === "boolean")
    return { style: styleOf(typeof style === "string" ? style : "form", explode) };
  const [type = ""] = asText(contentType).split(",");
  const content = type === "" || type.includes("*") ? {} : { contentType: type.trim() };
  const { items = property } = resolveRef(root, property) ?? {};
  const { contentMediaType: media } = resolveRef(root, items) ?? {};
  const isFile = media !== undefined && !isJsonType(asText(media));
  return { ...content, ...(isFile && { isFile }) };
}
