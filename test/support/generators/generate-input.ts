import { sample, stringMatching } from "fast-check";
import { isObject, type Json, type JsonObject, type JsonSchema } from "../../../src/core/json.ts";

/** An input that breaks a schema in one place. */
export interface BrokenInput {
  readonly input: Json;
  /** The JSON Pointer of that place. */
  readonly path: string;
}

/** An input that fits a schema, with every optional property or with none. */
export function generateValid(schema: JsonSchema, properties: "all" | "required"): Json {
  return new Generator(schema, properties === "all").value(schema, 0);
}

/** Inputs that each break a schema in one place: a property missing, of another type, or unknown, or no object at all. */
export function generateInvalid(schema: JsonObject): readonly BrokenInput[] {
  const valid = generateValid(schema, "required") as JsonObject;
  const properties = isObject(schema["properties"]) ? schema["properties"] : {};
  const broken: BrokenInput[] = [];
  for (const name of (schema["required"] ?? []) as readonly string[]) {
    const hasDefault = isObject(properties[name]) && Object.hasOwn(properties[name], "default");
    const { [name]: _, ...input } = valid;
    if (!hasDefault) broken.push({ input, path: pointer(name) });
  }
  for (const [name, property] of Object.entries(properties)) {
    const wrong = isObject(property) ? valueOfOtherType(property["type"]) : undefined;
    if (wrong !== undefined) broken.push({ input: { ...valid, [name]: wrong }, path: pointer(name) });
  }
  if (schema["additionalProperties"] === false) {
    broken.push({ input: { ...valid, "no such name": 1 }, path: "/no such name" });
  }
  if (schema["type"] === "object") broken.push({ input: [valid], path: "" });
  return broken;
}

function pointer(name: string): string {
  return `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/** Returns a value that no coercion turns into one of these types; undefined if there is none. */
function valueOfOtherType(type: Json | undefined): Json | undefined {
  const types = typeof type === "string" ? [type] : type;
  if (!Array.isArray(types)) return undefined;
  if (!types.includes("object")) return { not: "this" };
  return types.includes("boolean") ? undefined : true;
}

const MAX_DEPTH = 12;
const TEXTS: Readonly<Record<string, string>> = {
  uri: "https://example.org/a",
  url: "https://example.org/a",
  email: "ada@example.org",
  uuid: "123e4567-e89b-12d3-a456-426614174000",
  date: "2025-01-31",
  time: "10:20:30Z",
  "date-time": "2025-01-31T10:20:30Z",
};

class Generator {
  readonly #root: JsonSchema;
  readonly #isFull: boolean;

  constructor(root: JsonSchema, isFull: boolean) {
    this.#root = root;
    this.#isFull = isFull;
  }

  value(schema: Json | undefined, depth: number): Json {
    if (!isObject(schema)) return "anything";
    if (typeof schema["$ref"] === "string") return this.value(this.#resolve(schema["$ref"]), depth + 1);
    if (schema["const"] !== undefined) return schema["const"];
    if (Array.isArray(schema["enum"])) return schema["enum"][0] as Json;
    if (Array.isArray(schema["allOf"])) return this.#merged(schema, depth);
    const branches = schema["anyOf"] ?? schema["oneOf"];
    // The last branch is the simplest one where a definition contains itself.
    if (Array.isArray(branches))
      return this.#branch(schema, (depth > 4 ? branches.at(-1) : branches[0]) as Json, depth);
    return this.#typed(schema, depth);
  }

  #typed(schema: JsonObject, depth: number): Json {
    const type: unknown = Array.isArray(schema["type"]) ? schema["type"][0] : schema["type"];
    switch (type) {
      case "string":
        return text(schema);
      case "integer":
      case "number":
        return number(schema);
      case "boolean":
        return true;
      case "null":
        return null;
      case "array":
        return this.#list(schema, depth);
      default: {
        const isObjectSchema = type === "object" || schema["properties"] !== undefined || depth === 0;
        return isObjectSchema ? this.#object(schema, depth) : "anything";
      }
    }
  }

  #merged(schema: JsonObject, depth: number): Json {
    const { allOf, ...rest } = schema;
    const parts = [...(allOf as readonly JsonObject[]), rest];
    const values = parts.map((part) => this.value(part, depth));
    if (values.every(isObject)) return Object.assign({}, ...values) as Json;
    return this.value(Object.assign({}, ...parts) as JsonObject, depth);
  }

  #branch(schema: JsonObject, branch: Json, depth: number): Json {
    const { anyOf: _, oneOf: __, ...rest } = schema;
    // A branch that says more about the properties of the object around it.
    if (
      isObject(branch) &&
      isObject(rest["properties"]) &&
      ["properties", "required"].some((key) => key in branch)
    ) {
      const properties = { ...rest["properties"], ...(branch["properties"] as JsonObject | undefined) };
      const required = [rest, branch].flatMap((one) => (one["required"] ?? []) as readonly string[]);
      return this.#object({ ...rest, ...branch, properties, required }, depth);
    }
    const chosen = this.value(branch, depth + 1);
    if (!isObject(chosen) || schema["properties"] === undefined) return chosen;
    return { ...(this.#object(schema, depth) as JsonObject), ...chosen };
  }

  #object(schema: JsonObject, depth: number): Json {
    const properties = isObject(schema["properties"]) ? schema["properties"] : {};
    const required = new Set((schema["required"] ?? []) as readonly string[]);
    const names = Object.keys(properties).filter(
      (name) => required.has(name) || (this.#isFull && depth < MAX_DEPTH),
    );
    const entries = names.map((name): [string, Json] => [name, this.value(properties[name], depth + 1)]);
    for (const name of required) if (properties[name] === undefined) entries.push([name, "anything"]);
    return Object.fromEntries(entries);
  }

  #list(schema: JsonObject, depth: number): Json {
    const least = (schema["minItems"] as number | undefined) ?? 0;
    const count = Math.max(least, this.#isFull && depth < MAX_DEPTH ? 1 : 0);
    return Array.from({ length: count }, () => this.value(schema["items"], depth + 1));
  }

  #resolve(reference: string): Json {
    let found: Json | undefined = this.#root;
    for (const key of reference.split("/").slice(1)) found = (found as JsonObject)[key];
    return found ?? true;
  }
}

function text(schema: JsonObject): string {
  const { pattern, format, minLength = 0, maxLength = Infinity } = schema;
  const fits = (value: string): boolean =>
    value.length >= Number(minLength) && value.length <= Number(maxLength);
  const known =
    (typeof format === "string" ? TEXTS[format] : undefined) ?? "x".repeat(Math.max(1, Number(minLength)));
  if (typeof pattern !== "string" || new RegExp(pattern).test(known)) return known;
  const filled = ["0", "1", "a", "A"]
    .map((one) => one.repeat(Number(minLength)))
    .find((one) => new RegExp(pattern).test(one));
  if (filled !== undefined && fits(filled)) return filled;
  return sample(stringMatching(new RegExp(pattern)), { numRuns: 50, seed: 1 }).find(fits) ?? known;
}

function number(schema: JsonObject): number {
  const step = Number(schema["multipleOf"] ?? 1);
  const least = Number(schema["minimum"] ?? Number(schema["exclusiveMinimum"] ?? -Infinity) + step);
  const most = Number(schema["maximum"] ?? Number(schema["exclusiveMaximum"] ?? Infinity) - step);
  if (least <= 1 && most >= 1 && step === 1) return 1;
  return Number.isFinite(least) ? Math.ceil(least / step) * step : Math.floor(most / step) * step;
}
