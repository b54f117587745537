import { isObject, type Json, type JsonObject } from "../../../core/json.ts";
import type { Tool } from "../../../core/tool.ts";
import type { Engine } from "../../../engine/types/engine.ts";
import { alignRows } from "../print/align-rows.ts";
import { visible } from "../../../util/text/visible.ts";

/** Returns everything about a tool, for a program. */
export function describeTool(engine: Engine, found: Tool): JsonObject {
  const spec = engine.list({ all: true }).find(({ name }) => name === found.name);
  return {
    ...spec,
    aliases: aliasesOf(found),
    active: engine.groups.isActive(found.group),
  } as unknown as JsonObject;
}

/** Returns a tool for a person: its purpose, risk and parameters. */
export function toolPage(engine: Engine, found: Tool): string {
  const { name, group, limits } = found;
  const spec = describeTool(engine, found);
  const state = group === undefined || engine.groups.isActive(group) ? "" : " (off)";
  const facts = [
    ["group", `${group ?? "-"}${state}`],
    ["risk", found.riskOf === undefined ? found.risk : `${found.risk}, or lower by its input`],
    ["place", found.place],
    ["effects", found.effects],
    ["source", found.source],
    ["aliases", aliasesOf(found).join(", ") || "-"],
    ...(limits?.timeoutMs === undefined ? [] : [["deadline", `${limits.timeoutMs / 1000} s`]]),
  ];
  const input = isObject(spec["input"]) ? spec["input"] : {};
  return visible(`${name}\n\n${found.description}\n\n${alignRows(facts)}\nParameters:\n${parameters(input)}`);
}

function parameters({ properties, required }: JsonObject): string {
  const rows = Object.entries(isObject(properties) ? properties : {}).map(([name, schema]) => {
    const about: JsonObject = isObject(schema) ? schema : {};
    const isRequired = Array.isArray(required) && required.includes(name);
    const fallback = about["default"] === undefined ? "" : `=${JSON.stringify(about["default"])}`;
    return [`  ${name}${isRequired ? "*" : fallback}`, typeText(about), text(about["description"])];
  });
  return rows.length === 0 ? "  none\n" : `${alignRows(rows)}\n* is required\n`;
}

function typeText({ type, enum: words, items }: JsonObject): string {
  if (Array.isArray(words)) return words.map(String).join("|");
  if (type === "array" && isObject(items)) return `list of ${typeText(items)}`;
  return Array.isArray(type) ? type.join("|") : text(type) || "any";
}

function text(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

function aliasesOf({ aliases = [] }: Tool): readonly string[] {
  return aliases.map((alias) => (typeof alias === "string" ? alias : alias.name));
}
