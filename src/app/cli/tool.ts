import { ToolError } from "../../core/errors.ts";
import type { Json, JsonObject } from "../../core/json.ts";
import { isObject } from "../../core/json.ts";
import type { Tool } from "../../core/tool.ts";
import type { Engine } from "../../engine/engine.ts";
import { nearHint } from "../near-hint.ts";
import { alignRows } from "./align-rows.ts";
import type { Command } from "./command.ts";
import { CONFIG_FLAGS } from "./command.ts";
import { openTools } from "./open-tools.ts";

export const tool: Command = {
  name: "tool",
  summary: "show one tool: parameters, risk, place, source, aliases",
  usage: "NAME [--json]",
  positionals: ["tool"],
  flags: { json: { summary: "print the whole spec as JSON" }, profile: CONFIG_FLAGS.profile },
  examples: [
    { line: "tool read_file", does: "what it takes and how it is judged" },
    { line: "tool shell --json", does: "its JSON Schema, for a program" },
  ],
  async run({ positionals: [name, ...rest], flags }, { output }) {
    if (name === undefined || rest.length > 0) {
      throw new ToolError("INVALID_INPUT", "name one tool: toolwright tool NAME");
    }
    const { engine } = await openTools(flags, output);
    const found = engine.get(name);
    if (found === undefined) throw notFound(engine, name);
    await output.print(
      flags["json"] === true ? `${JSON.stringify(describe(engine, found))}\n` : page(engine, found),
    );
    return 0;
  },
};

function notFound(engine: Engine, name: string): ToolError {
  const names = engine.list({ all: true }).map((spec) => spec.name);
  return new ToolError("TOOL_NOT_FOUND", `no tool is named "${name}"`, {
    hint: nearHint(name, names, "toolwright tools --all lists them"),
  });
}

function describe(engine: Engine, found: Tool): JsonObject {
  const spec = engine.list({ all: true }).find(({ name }) => name === found.name);
  return {
    ...spec,
    aliases: aliasesOf(found),
    active: engine.groups.isActive(found.group),
  } as unknown as JsonObject;
}

function page(engine: Engine, found: Tool): string {
  const { name, group, limits } = found;
  const spec = describe(engine, found);
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
  return `${name}\n\n${found.description}\n\n${alignRows(facts)}\nParameters:\n${parameters(input)}`;
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
