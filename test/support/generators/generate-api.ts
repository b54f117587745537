import type { Json, JsonObject } from "../../../src/core/json.ts";
import { createRandom, type Random } from "../../../scripts/soak/random.ts";
import type { Understood } from "../servers/serve-document.ts";

/** A generated operation: its name, an input for its tool, and what a server must understand of the call. */
export interface GeneratedCall {
  readonly tool: string;
  readonly input: JsonObject;
  readonly expected: Understood;
}

const TEXTS = ["plain", "two words", "ä/ö", "a?b&c=d#e", "100%", "1+1", "../up", "semi;colon", '"quoted"'];
const METHODS = ["get", "post", "put", "patch", "delete"] as const;

type Made = readonly [schema: JsonObject, value: Json, asText: string];
const KINDS: readonly ((random: Random) => Made)[] = [
  (random) => {
    const text = random.pick(TEXTS);
    return [{ type: "string" }, text, text];
  },
  (random) => {
    const number = random.between(-5, 1000);
    return [{ type: "integer" }, number, String(number)];
  },
  (random) => {
    const isTrue = random.next() < 0.5;
    return [{ type: "boolean" }, isTrue, String(isTrue)];
  },
];
const listOf = (random: Random): Made => {
  const items = Array.from({ length: random.between(1, 3) }, () => random.pick(TEXTS));
  return [{ type: "array", items: { type: "string" } }, items, items.join(",")];
};
const objectOf = (random: Random): Made => {
  const value = { one: random.pick(TEXTS), "two-2": random.between(1, 9) };
  const properties = { one: { type: "string" }, "two-2": { type: "integer" } };
  return [{ type: "object", properties }, value, Object.entries(value).flat().join(",")];
};
const single = (random: Random): Made => random.pick(KINDS)(random);

/** The kinds of parameters: the place, the style, and the values that it can have. */
const PARAMETERS: readonly (readonly [JsonObject, (random: Random) => Made])[] = [
  [{ in: "query" }, single],
  [{ in: "query" }, listOf],
  [{ in: "query", explode: false }, listOf],
  [{ in: "query", style: "pipeDelimited", explode: false }, listOf],
  [{ in: "query", style: "deepObject", explode: true }, objectOf],
  [{ in: "query", explode: false }, objectOf],
  [{ in: "header" }, (random) => KINDS[random.between(1, 2)]?.(random) ?? single(random)],
  [{ in: "cookie" }, single],
];

/** Returns a document with this many operations, each with parameters and a body of random kinds, and a call of each. */
export function generateApi(
  count: number,
  seed: number,
): { readonly document: JsonObject; readonly calls: readonly GeneratedCall[] } {
  const random = createRandom(seed);
  const paths: Record<string, JsonObject> = {};
  const calls: GeneratedCall[] = [];
  for (let index = 0; index < count; index += 1) {
    const { path, method, operation, call } = generateOne(index, random);
    paths[path] = { [method]: operation };
    calls.push(call);
  }
  return { document: { openapi: "3.1.0", info: { title: "Generated", version: "1" }, paths }, calls };
}

function generateOne(index: number, random: Random) {
  const method = random.pick(METHODS);
  const path = `/r${index}/{id}${random.next() < 0.5 ? "/of/{part}.json" : ""}`;
  const input: Record<string, Json> = {};
  const parameters: JsonObject[] = [];
  const expected: (readonly [string, string, string])[] = [];
  const add = (name: string, given: JsonObject, [schema, value, asText]: Made): void => {
    parameters.push({ name, ...given, schema, ...(given["in"] === "path" && { required: true }) });
    input[name.replaceAll(/[[\]]+/g, "_").replace(/_$/, "")] = value;
    expected.push([given["in"] as string, name, asText]);
  };
  add("id", { in: "path", style: random.pick(["simple", "label", "matrix"]) }, single(random));
  if (path.includes("{part}")) add("part", { in: "path" }, single(random));
  for (let at = random.between(0, 4); at > 0; at -= 1) {
    const [given, make] = random.pick(PARAMETERS);
    add(given["in"] === "query" && random.next() < 0.3 ? `in[p${at}]` : `p${at}`, given, make(random));
  }
  const body = method === "get" || method === "delete" ? undefined : generateBody(random, input);
  const operation = {
    operationId: `${method}Thing${index}`,
    parameters,
    ...(body !== undefined && {
      requestBody: { required: true, content: { [body.type]: { schema: body.schema } } },
    }),
    responses: { 200: { content: { "application/json": { schema: ANSWER } } } },
  };
  const call = {
    tool: `${method}Thing${index}`,
    input,
    expected: { operation: `${method} ${path}`, parameters: expected, body: body?.expected ?? null },
  };
  return { path, method, operation, call };
}

const ANSWER = {
  type: "object",
  required: ["operation", "parameters", "body"],
  properties: { operation: { type: "string" }, parameters: { type: "array", items: { type: "array" } } },
};

/** Adds the parameters of a body to the input. A property with the name of a parameter gets another name in the tool. */
function generateBody(random: Random, input: Record<string, Json>) {
  const type = random.pick([
    "application/json",
    "application/json",
    "application/x-www-form-urlencoded",
    "multipart/form-data",
    "text/plain",
    "application/vnd.x+json",
  ]);
  if (type === "text/plain")
    return { type, schema: { type: "string" }, expected: (input["body"] = random.pick(TEXTS)) };
  const [first, second] = [single(random), type.endsWith("json") ? objectOf(random) : single(random)];
  if (type.startsWith("application/vnd"))
    return { type, schema: { type: "array", items: second[0] }, expected: (input["body"] = [second[1]]) };
  Object.assign(input, { id_body: first[1], named: second[1] });
  const of = ([, value, asText]: Made): Json => (type.endsWith("json") ? value : asText);
  const schema = { type: "object", properties: { id: first[0], named: second[0] }, required: ["id"] };
  return { type, schema, expected: { id: of(first), named: of(second) } };
}
