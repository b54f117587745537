import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import type { Problem } from "../../core/result.ts";
import { nearNames } from "../../util/text/near-names.ts";
import { setOwn } from "../../util/json/set-own.ts";
import { listNames } from "../../json-schema/problems/findings.ts";

type Aliases = Readonly<Record<string, string>>;

/** Returns the input with the tool's own parameter names. An alias whose parameter is given too stays, and is unknown to the schema. */
export function withoutAliases(input: JsonObject, aliases: Aliases): JsonObject {
  const named = Object.keys(input).some((key) => Object.hasOwn(aliases, key))
    ? rename(input, aliases)
    : input;
  return withoutItemAliases(named, aliases);
}

function rename(input: JsonObject, aliases: Aliases): JsonObject {
  const target: Record<string, Json> = {};
  for (const [key, value] of Object.entries(input)) {
    const own = Object.hasOwn(aliases, key) ? (aliases[key] ?? key) : key;
    setOwn(target, own !== key && Object.hasOwn(input, own) ? key : own, value);
  }
  return target;
}

/** An alias for a member of the objects in a list: the name of the list, and of the alias. */
const ITEM_ALIAS = /^(.+)\[\]\.(.+)$/;

/** Returns the list and the name in an alias such as `edits[].old_text`; undefined for the alias of a parameter. */
export function readItemAlias(alias: string): { readonly list: string; readonly name: string } | undefined {
  const [, list, name] = alias.includes("[].") ? (ITEM_ALIAS.exec(alias) ?? []) : [];
  return list === undefined || name === undefined ? undefined : { list, name };
}

function withoutItemAliases(input: JsonObject, aliases: Aliases): JsonObject {
  const lists = new Map<string, Record<string, string>>();
  for (const [alias, target] of Object.entries(aliases)) {
    const item = readItemAlias(alias);
    if (item === undefined || !Object.hasOwn(input, item.list)) continue;
    lists.set(item.list, { ...lists.get(item.list), [item.name]: target });
  }
  if (lists.size === 0) return input;
  const renamed = [...lists].map(([list, own]): [string, Json] => {
    const items: Json = input[list] ?? null;
    if (!Array.isArray(items)) return [list, items];
    return [list, (items as readonly Json[]).map((each) => (isObject(each) ? rename(each, own) : each))];
  });
  return { ...input, ...Object.fromEntries(renamed) };
}

/** Returns a problem for each parameter that does not exist and probably stands for a missing one. */
export function misspelledParameters(
  input: Json,
  properties: JsonObject,
  problems: readonly Problem[],
): readonly Problem[] {
  if (!isObject(input)) return [];
  const missing = problems.flatMap(({ kind, path }) => (kind === "missing" ? [path.slice(1)] : []));
  if (missing.length === 0) return [];
  const reported = new Set(problems.map(({ path }) => path));
  const unknown = Object.keys(input).filter(
    (key) => !Object.hasOwn(properties, key) && !reported.has(`/${key}`),
  );
  return unknown.flatMap((key): readonly Problem[] => {
    const isOnly = unknown.length === 1 && missing.length === 1;
    const near = isOnly ? missing : nearNames(key, missing);
    if (near.length === 0) return [];
    const expected = listNames(Object.keys(properties));
    return [{ kind: "unknown", path: `/${key}`, expected, got: JSON.stringify(key), near }];
  });
}
