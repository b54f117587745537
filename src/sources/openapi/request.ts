import { ToolError } from "../../core/errors.ts";
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import { bodyOf } from "./request-body.ts";
import { listText, plainText, queryPairs } from "./styles.ts";
import type { RequestPlan, Slot } from "./to-definition.ts";

/** A request without what logs in. */
export interface ApiRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
}

/** Fills in the plan of an operation. Values that are not given are left out. */
export function toRequest(plan: RequestPlan, input: JsonObject): ApiRequest {
  const given = plan.slots.filter(({ key }) => input[key] !== undefined);
  const valueOf = ({ key }: Slot): Json => input[key] ?? null;
  const of = (place: Slot["in"]): readonly Slot[] => given.filter((slot) => slot.in === place);
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
      ...(contentType !== undefined && { "content-type": contentType }),
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
