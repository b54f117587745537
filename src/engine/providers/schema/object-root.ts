import type { Json, JsonObject } from "../../../core/json.ts";
import { isObject } from "../../../core/json.ts";
import { eitherOf, merged } from "./merge.ts";
import type { Place } from "./unfold.ts";
import { unfold } from "./unfold.ts";
import { describe, inWords, short } from "./words.ts";

const MOST_FORMS = 20;
/** Refused at the top of a tool's parameters, where they are welcome further down. */
const REFUSED = ["enum", "const", "not", "if", "then", "else", "dependentRequired", "dependentSchemas"];

/**
 * The top of a tool's parameters as every provider wants it: an object with properties and none of the keywords that choose
 * between forms. Forms become one object with the properties of all, required what all require, and a sentence that says so.
 */
export function objectRoot(place: Place): JsonObject {
  const { node } = unfold(place.root, place);
  const { anyOf, oneOf, ...base } = node;
  let root: JsonObject = base;
  for (const forms of [anyOf, oneOf])
    if (forms !== undefined) root = withForms(root, forms as readonly Json[], place);
  const sentences = REFUSED.flatMap((keyword) => {
    const value = root[keyword];
    return value === undefined ? [] : [inWords(keyword, value)];
  });
  const kept = Object.fromEntries(Object.entries(root).filter(([keyword]) => !REFUSED.includes(keyword)));
  const properties = isObject(kept["properties"]) ? kept["properties"] : {};
  return { ...kept, ...describe(kept["description"], sentences), type: "object", properties };
}

function withForms(base: JsonObject, forms: readonly Json[], place: Place): JsonObject {
  const nodes = forms.map((form) => unfold(form, place).node);
  const shared = nodes
    .map(requiredOf)
    .reduce((common, names) => common.filter((name) => names.includes(name)));
  const joined = {
    properties: joinedProperties(base, nodes),
    required: shared,
    ...describe(undefined, [formsInWords(nodes)]),
  };
  const { properties: _own, ...rest } = base;
  return merged(rest, joined);
}

function joinedProperties(base: JsonObject, nodes: readonly JsonObject[]): JsonObject {
  const seen = new Map<string, readonly Json[]>();
  for (const node of nodes)
    for (const [name, schema] of Object.entries(propertiesOf(node)))
      seen.set(name, [...(seen.get(name) ?? []), schema]);
  const joined = [...seen].map(([name, schemas]) => [name, eitherOf(schemas)] as const);
  const own = propertiesOf(base);
  const added = joined.filter(([name]) => !Object.hasOwn(own, name));
  return Object.fromEntries([...Object.entries(own), ...added]);
}

function formsInWords(nodes: readonly JsonObject[]): string {
  const said = nodes.slice(0, MOST_FORMS).map(formInWords);
  const more = nodes.length > said.length ? ` or one of ${nodes.length - said.length} more` : "";
  return `Takes one of these forms: ${said.join(" or ")}${more}.`;
}

/** `(kind="file", path)`: the keys a form needs, with the value where only one is right. */
function formInWords(node: JsonObject): string {
  const names = requiredOf(node).map((name) => {
    const schema = propertiesOf(node)[name];
    const value = isObject(schema) ? schema["const"] : undefined;
    return value === undefined ? name : `${name}=${short(value, 40)}`;
  });
  return names.length > 0 ? `(${names.join(", ")})` : short(node, 120);
}

function requiredOf(node: JsonObject): readonly string[] {
  return (node["required"] as readonly string[] | undefined) ?? [];
}

function propertiesOf(node: JsonObject): JsonObject {
  return isObject(node["properties"]) ? node["properties"] : {};
}
