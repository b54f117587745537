import type { Json, JsonObject } from "../../../core/json.ts";
import { merged } from "./merge.ts";
import { refName, resolveRef } from "./refs.ts";
import { typesOf, wellFormed } from "./well-formed.ts";
import { describe, inWords } from "./words.ts";

/** Where in a document a walk is: which refs it came through, and how much it may still unfold. */
export interface Place {
  readonly root: JsonObject;
  readonly trail: readonly string[];
  readonly budget: { left: number };
}

/** A node without `$ref` and `allOf`; `cut` names what was left out because it contains itself or is too large. */
export interface Unfolded {
  readonly node: JsonObject;
  readonly place: Place;
  readonly cut?: string;
}

/** One of several forms, or a single node; `nullable` where null fits too. */
export type Simple = {
  readonly place: Place;
  readonly nullable: boolean;
  readonly cut?: string;
} & (
  | { readonly node: JsonObject; readonly type: string | undefined }
  | { readonly forms: readonly JsonObject[] }
);

const LARGEST = 4000;

export function startOf(root: JsonObject): Place {
  return { root, trail: [], budget: { left: LARGEST } };
}

/** Puts what `$ref` and `allOf` bring into the node itself. */
export function unfold(schema: Json | undefined, place: Place): Unfolded {
  place.budget.left -= 1;
  const { $ref: ref, allOf, ...own } = wellFormed(schema);
  let unfolded: Unfolded = { node: own, place };
  if (typeof ref === "string") unfolded = withTarget(unfolded, ref);
  for (const part of (allOf as readonly Json[] | undefined) ?? []) {
    const { node, place: inner, cut } = unfold(part, unfolded.place);
    unfolded = { node: merged(unfolded.node, node), place: inner, ...pickCut(unfolded.cut ?? cut) };
  }
  return unfolded;
}

function withTarget({ node, place }: Unfolded, ref: string): Unfolded {
  const target = resolveRef(place.root, ref);
  if (target === undefined)
    return { node: { ...node, ...describe(node["description"], [inWords("$ref", ref)]) }, place };
  if (place.trail.includes(ref) || place.budget.left <= 0)
    return { node: sameAgain(node, target, refName(ref)), place, cut: refName(ref) };
  const inner = unfold(target, { ...place, trail: [...place.trail, ref] });
  // What stands beside the ref is nearer to the use, so its description and default win.
  const beside = node["description"] === undefined ? inner.node : without(inner.node, "description");
  return { ...inner, node: merged(node, beside) };
}

function sameAgain(node: JsonObject, target: Json, name: string): JsonObject {
  const { type } = wellFormed(target);
  const said = describe(node["description"], [`The same form as ${name}, again.`]);
  return { ...(type !== undefined && { type }), ...node, ...said };
}

/** The forms a value may take, each a node with one type; forms that only demand keys are put in words. */
export function simplify(schema: Json | undefined, place: Place): Simple {
  const { node, place: inner, cut } = unfold(schema, place);
  const { anyOf, oneOf, ...base } = node;
  const forms = (anyOf ?? oneOf) as readonly Json[] | undefined;
  if (forms === undefined) return { ...byType(base, inner), ...pickCut(cut) };
  const read = forms.map((form) => unfold(form, inner));
  const structural = read.filter(({ node: form }) => !isDemandOnly(form));
  const plain = {
    ...base,
    ...describe(base["description"], demandsOf(node, structural.length < read.length)),
  };
  const [first] = structural;
  if (first === undefined) return { ...byType(plain, inner), ...pickCut(cut) };
  const present = structural.filter(({ node: form }) => !isNull(form));
  const nullable = present.length < structural.length;
  if (present.length === 0) return byType(merged(plain, first.node), inner);
  return oneOrMore(plain, present, { nullable, place: inner, cut });
}

/** What is lost of a choice: forms that only demand keys, and a second choice beside the first. */
function demandsOf({ anyOf, oneOf }: JsonObject, hasDemands: boolean): readonly string[] {
  const first = anyOf ?? oneOf;
  const demands = hasDemands && first !== undefined ? [inWords("anyOf", first)] : [];
  return anyOf !== undefined && oneOf !== undefined ? [...demands, inWords("oneOf", oneOf)] : demands;
}

interface Rest {
  readonly nullable: boolean;
  readonly place: Place;
  readonly cut: string | undefined;
}

function oneOrMore(plain: JsonObject, present: readonly Unfolded[], rest: Rest): Simple {
  const [only] = present;
  if (present.length > 1 || only === undefined) {
    const { description, default: fallback, examples, title, ...base } = plain;
    const said = { description, default: fallback, examples, title };
    const forms = present.map(({ node }, index) => {
      const form = merged(base, node);
      return index === 0 ? merged(defined(said), form) : form;
    });
    return { place: rest.place, nullable: rest.nullable, forms, ...pickCut(rest.cut) };
  }
  const node = merged(plain, only.node);
  const inside = simplify(node, only.place);
  return {
    ...inside,
    nullable: inside.nullable || rest.nullable,
    ...pickCut(inside.cut ?? only.cut ?? rest.cut),
  };
}

/** A node whose types are told apart; null among them is kept as a flag. */
function byType(node: JsonObject, place: Place): Simple {
  const named = typesOf(node).length > 0 ? typesOf(node) : impliedTypes(node);
  const types = named.filter((type) => type !== "null" && !(type === "integer" && named.includes("number")));
  const nullable = types.length < named.length && named.includes("null");
  const [type] = types;
  if (types.length > 1)
    return { place, nullable, forms: types.map((each, index) => ofType(node, each, index)) };
  const single = type ?? (nullable ? "null" : undefined);
  return { place, nullable: nullable && type !== undefined, type: single, node };
}

/** For a list of types: what concerns another type is left out, what is said of all is said once. */
function ofType(node: JsonObject, type: string, index: number): JsonObject {
  const kept = Object.entries(node).filter(([keyword]) => {
    const only = CONCERNS.get(keyword);
    if (only !== undefined) return only.includes(type);
    return index === 0 || !SAID_ONCE.has(keyword);
  });
  const { enum: values, ...rest } = Object.fromEntries(kept);
  const fitting = (values as readonly Json[] | undefined)?.filter((value) => fits(value, type));
  return { ...rest, type, ...(fitting !== undefined && fitting.length > 0 && { enum: fitting }) };
}

const SAID_ONCE: ReadonlySet<string> = new Set(["title", "description", "default", "examples"]);
const CONCERNS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    string: ["minLength", "maxLength", "pattern", "format", "contentEncoding", "contentMediaType"],
    number: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
    array: [
      "items",
      "prefixItems",
      "minItems",
      "maxItems",
      "uniqueItems",
      "contains",
      "minContains",
      "maxContains",
    ],
    object:
      "properties required additionalProperties patternProperties propertyNames minProperties maxProperties dependentRequired dependentSchemas".split(
        " ",
      ),
  }).flatMap(([type, keywords]) =>
    keywords.map((keyword) => [keyword, type === "number" ? ["number", "integer"] : [type]] as const),
  ),
);

function impliedTypes(node: JsonObject): readonly string[] {
  const values =
    node["const"] === undefined ? (node["enum"] as readonly Json[] | undefined) : [node["const"]];
  if (values !== undefined) return [...new Set(values.map(typeOfValue))];
  for (const keyword of Object.keys(node)) {
    const concerned = CONCERNS.get(keyword)?.[0];
    if (concerned !== undefined) return [concerned];
  }
  return [];
}

function typeOfValue(value: Json): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value;
}

function fits(value: Json, type: string): boolean {
  const actual = typeOfValue(value);
  return actual === type || (type === "number" && actual === "integer");
}

/** It says what must be there, not what a value looks like. */
function isDemandOnly(form: JsonObject): boolean {
  const keywords = Object.keys(form).filter((keyword) => !SAID_ONCE.has(keyword));
  return keywords.length > 0 && keywords.every((keyword) => DEMANDS.has(keyword));
}

const DEMANDS: ReadonlySet<string> = new Set(["required", "not", "minProperties"]);

function isNull(form: JsonObject): boolean {
  if (form["const"] === null) return true;
  return form["type"] === "null";
}

function pickCut(cut: string | undefined): { readonly cut?: string } {
  return cut === undefined ? {} : { cut };
}

function defined(node: Readonly<Record<string, Json | undefined>>): JsonObject {
  return Object.fromEntries(Object.entries(node).filter(([, value]) => value !== undefined)) as JsonObject;
}

function without(node: JsonObject, keyword: string): JsonObject {
  const { [keyword]: _dropped, ...rest } = node;
  return rest;
}
