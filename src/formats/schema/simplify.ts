import type { Json, JsonObject } from "../../core/json.ts";
import { defined } from "../../util/json/defined.ts";
import { mergeSchemas } from "./merge.ts";
import { typesOf, normalize } from "./normalize.ts";
import { refName, resolveRef } from "./refs.ts";
import { withSentences, toSentence } from "./sentences.ts";

/** A position in a document: the refs on the way to it, and how many more nodes may be inlined. */
export interface Position {
  readonly root: JsonObject;
  readonly trail: readonly string[];
  readonly budget: { left: number };
}

/** A node without `$ref` and `allOf`; `cut` names a definition that was left out because it is recursive or too large. */
export interface Inlined {
  readonly node: JsonObject;
  readonly position: Position;
  readonly cut?: string;
}

/** A single node or one of several forms; `nullable` if null matches too. */
export type Simple = {
  readonly position: Position;
  readonly nullable: boolean;
  readonly cut?: string;
} & (
  | { readonly node: JsonObject; readonly type: string | undefined }
  | { readonly forms: readonly JsonObject[] }
);

const MAX_NODES = 4000;

export function startAt(root: JsonObject): Position {
  return { root, trail: [], budget: { left: MAX_NODES } };
}

/** Merges the targets of `$ref` and `allOf` into the node. */
export function inlineRefs(schema: Json | undefined, position: Position): Inlined {
  position.budget.left -= 1;
  const { $ref: ref, allOf, ...own } = normalize(schema);
  let inlined: Inlined = { node: own, position };
  if (typeof ref === "string") inlined = withTarget(inlined, ref);
  for (const part of (allOf as readonly Json[] | undefined) ?? []) {
    const { node, position: inner, cut } = inlineRefs(part, inlined.position);
    inlined = {
      node: mergeSchemas(inlined.node, node),
      position: inner,
      ...defined({ cut: inlined.cut ?? cut }),
    };
  }
  return inlined;
}

function withTarget({ node, position }: Inlined, ref: string): Inlined {
  const target = resolveRef(position.root, ref);
  if (target === undefined)
    return { node: { ...node, ...withSentences(node["description"], [toSentence("$ref", ref)]) }, position };
  if (position.trail.includes(ref) || position.budget.left <= 0)
    return { node: recursiveNode(node, target, refName(ref)), position, cut: refName(ref) };
  const inner = inlineRefs(target, { ...position, trail: [...position.trail, ref] });
  // Keywords beside the ref are specific to this use, so their description and default win.
  const { description: _shared, ...undescribed } = inner.node;
  const beside = node["description"] === undefined ? inner.node : undescribed;
  return { ...inner, node: mergeSchemas(node, beside) };
}

function recursiveNode(node: JsonObject, target: Json, name: string): JsonObject {
  const { type } = normalize(target);
  const annotations = withSentences(node["description"], [`The same form as ${name}, again.`]);
  return { ...defined({ type }), ...node, ...annotations };
}

/** Returns the forms of a value, each with one type; forms that only require keys become sentences. */
export function simplify(schema: Json | undefined, position: Position): Simple {
  const { cut, ...inlined } = inlineRefs(schema, position);
  const simple = simplifyInlined(inlined);
  return { ...simple, ...defined({ cut: simple.cut ?? cut }) };
}

function simplifyInlined({ node, position }: Inlined): Simple {
  const { anyOf, oneOf, ...base } = node;
  const forms = (anyOf ?? oneOf) as readonly Json[] | undefined;
  if (forms === undefined) return byType(base, position);
  const read = forms.map((form) => inlineRefs(form, position));
  const structural = read.filter(({ node: form }) => !isRequirementOnly(form));
  const plain = {
    ...base,
    ...withSentences(base["description"], lostRequirements(node, structural.length < read.length)),
  };
  const [first] = structural;
  if (first === undefined) return byType(plain, position);
  const present = structural.filter(({ node: form }) => !isNull(form));
  if (present.length === 0) return byType(mergeSchemas(plain, first.node), position);
  const simple = oneOrMore(plain, present, position);
  return { ...simple, nullable: simple.nullable || present.length < structural.length };
}

/** Returns sentences for what is lost: forms that only require keys, and `oneOf` beside `anyOf`. */
function lostRequirements({ anyOf, oneOf }: JsonObject, hasRequirements: boolean): readonly string[] {
  const first = anyOf ?? oneOf;
  const demands = hasRequirements && first !== undefined ? [toSentence("anyOf", first)] : [];
  return anyOf !== undefined && oneOf !== undefined ? [...demands, toSentence("oneOf", oneOf)] : demands;
}

function oneOrMore(plain: JsonObject, present: readonly Inlined[], position: Position): Simple {
  const [only] = present;
  if (present.length > 1 || only === undefined) {
    const { description, default: fallback, examples, title, ...base } = plain;
    const annotations = { description, default: fallback, examples, title };
    const forms = present.map(({ node }, index) => {
      const form = mergeSchemas(base, node);
      return index === 0 ? mergeSchemas(defined(annotations), form) : form;
    });
    return { position, nullable: false, forms };
  }
  const inside = simplify(mergeSchemas(plain, only.node), only.position);
  return { ...inside, ...defined({ cut: inside.cut ?? only.cut }) };
}

/** Splits a node by its types; null becomes a flag. */
function byType(node: JsonObject, position: Position): Simple {
  const named = typesOf(node).length > 0 ? typesOf(node) : impliedTypes(node);
  const types = named.filter((type) => type !== "null" && !(type === "integer" && named.includes("number")));
  const nullable = types.length < named.length && named.includes("null");
  const [type] = types;
  if (types.length > 1)
    return { position, nullable, forms: types.map((each, index) => ofType(node, each, index)) };
  const single = type ?? (nullable ? "null" : undefined);
  return { position, nullable: nullable && type !== undefined, type: single, node };
}

/** Returns the node for one of its types, without keywords of other types; only the first has the annotations. */
function ofType(node: JsonObject, type: string, index: number): JsonObject {
  const relevant = Object.entries(node).filter(([keyword]) => {
    const only = TYPES_OF_KEYWORD.get(keyword);
    if (only !== undefined) return only.includes(type);
    return index === 0 || !ANNOTATIONS.has(keyword);
  });
  const { enum: values, ...rest } = Object.fromEntries(relevant);
  const fitting = (values as readonly Json[] | undefined)?.filter((value) => fits(value, type));
  return { ...rest, type, ...(fitting !== undefined && fitting.length > 0 && { enum: fitting }) };
}

const ANNOTATIONS: ReadonlySet<string> = new Set(["title", "description", "default", "examples"]);
const TYPES_OF_KEYWORD: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    string: ["minLength", "maxLength", "pattern", "format", "contentEncoding", "contentMediaType"],
    number: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
    array: "items prefixItems minItems maxItems uniqueItems contains minContains maxContains".split(" "),
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
    const concerned = TYPES_OF_KEYWORD.get(keyword)?.[0];
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

/** Returns whether a form requires keys without describing a value. */
function isRequirementOnly(form: JsonObject): boolean {
  const keywords = Object.keys(form).filter((keyword) => !ANNOTATIONS.has(keyword));
  return keywords.length > 0 && keywords.every((keyword) => REQUIREMENTS.has(keyword));
}

const REQUIREMENTS: ReadonlySet<string> = new Set(["required", "not", "minProperties"]);

function isNull(form: JsonObject): boolean {
  return form["const"] === null || form["type"] === "null";
}
