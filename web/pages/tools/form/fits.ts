import { isObject } from "../../../api/json.ts";

/** The parts of a JSON Schema that tell alternatives apart. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema | boolean>>;
  readonly anyOf?: readonly (Schema | boolean)[];
  readonly oneOf?: readonly (Schema | boolean)[];
}

/** Returns whether a value looks like what a schema describes: type, constants and required properties. The server decides. */
export function fits(schema: unknown, value: unknown): boolean {
  if (typeof schema !== "object" || schema === null) return schema !== false;
  const { type, required = [], properties = {}, ...rest } = schema as Schema;
  if (rest.const !== undefined && !isSame(rest.const, value)) return false;
  if (rest.enum !== undefined && !rest.enum.some((one) => isSame(one, value))) return false;
  if (type !== undefined && ![type].flat().some((one) => hasType(one, value))) return false;
  const alternatives = rest.anyOf ?? rest.oneOf ?? [true];
  if (!alternatives.some((one) => fits(one, value))) return false;
  return typeof value !== "object" || value === null || hasFields({ required, properties }, value);
}

function hasFields(
  { required, properties }: Required<Pick<Schema, "required" | "properties">>,
  value: object,
): boolean {
  const fields = value as Readonly<Record<string, unknown>>;
  return (
    required.every((name) => fields[name] !== undefined) &&
    Object.entries(properties).every(([name, one]) => fields[name] === undefined || fits(one, fields[name]))
  );
}

function hasType(type: string, value: unknown): boolean {
  if (type === "array") return Array.isArray(value);
  if (type === "null") return value === null;
  if (type === "integer") return Number.isInteger(value);
  if (type === "object") return isObject(value);
  return typeof value === type;
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
