import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import { unionOf, mergeSchemas } from "./merge.ts";
import { withSentences, toSentence, shortJson } from "./sentences.ts";
import { inlineRefs, type Position } from "./simplify.ts";

const MOST_FORMS = 20;
/** Keywords that providers refuse at the root of parameters, but accept below it. */
const REFUSED = ["enum", "const", "not", "if", "then", "else", "dependentRequired", "dependentSchemas"];

/**
 * Returns the root of a tool's parameters as every provider requires it: an object with properties, without keywords that
 * choose between forms. Forms become one object with the properties of all, the common required ones, and a sentence about them.
 */
export function toObjectRoot(position: Position): JsonObject {
  const { node } = inlineRefs(position.root, position);
  const { anyOf, oneOf, ...base } = node;
  let root: JsonObject = base;
  for (const forms of [anyOf, oneOf])
    if (forms !== undefined) root = withForms(root, forms as readonly Json[], position);
  const sentences = REFUSED.flatMap((keyword) => {
    const value = root[keyword];
    return value === undefined ? [] : [toSentence(keyword, value)];
  });
  const accepted = Object.fromEntries(Object.entries(root).filter(([keyword]) => !REFUSED.includes(keyword)));
  const properties = isObject(accepted["properties"]) ? accepted["properties"] : {};
  return { ...accepted, ...withSentences(accepted["description"], sentences), type: "object", properties };
}

function withForms(base: JsonObject, forms: readonly Json[], position: Position): JsonObject {
  const nodes = forms.map((form) => inlineRefs(form, position).node);
  const shared = nodes
    .map(requiredOf)
    .reduce((common, names) => common.filter((name) => names.includes(name)));
  const joined = {
    properties: joinedProperties(base, nodes),
    required: shared,
    ...withSentences(undefined, [describeForms(nodes)]),
  };
  const { properties: _own, ...rest } = base;
  return mergeSchemas(rest, joined);
}

function joinedProperties(base: JsonObject, nodes: readonly JsonObject[]): JsonObject {
  const seen = new Map<string, readonly Json[]>();
  for (const node of nodes)
    for (const [name, schema] of Object.entries(propertiesOf(node)))
      seen.set(name, [...(seen.get(name) ?? []), schema]);
  const joined = [...seen].map(([name, schemas]) => [name, unionOf(schemas)] as const);
  const own = propertiesOf(base);
  const added = joined.filter(([name]) => !Object.hasOwn(own, name));
  return Object.fromEntries([...Object.entries(own), ...added]);
}

function describeForms(nodes: readonly JsonObject[]): string {
  const described = nodes.slice(0, MOST_FORMS).map(describeForm);
  const more = nodes.length > described.length ? ` or one of ${nodes.length - described.length} more` : "";
  return `Takes one of these forms: ${described.join(" or ")}${more}.`;
}

/** Returns the required keys of a form, such as `(kind="file", path)`, with the value of a constant. */
function describeForm(node: JsonObject): string {
  const names = requiredOf(node).map((name) => {
    const schema = propertiesOf(node)[name];
    const value = isObject(schema) ? schema["const"] : undefined;
    return value === undefined ? name : `${name}=${shortJson(value, 40)}`;
  });
  return names.length > 0 ? `(${names.join(", ")})` : shortJson(node, 120);
}

function requiredOf(node: JsonObject): readonly string[] {
  return (node["required"] as readonly string[] | undefined) ?? [];
}

function propertiesOf(node: JsonObject): JsonObject {
  return isObject(node["properties"]) ? node["properties"] : {};
}
