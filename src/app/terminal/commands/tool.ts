import { asText } from "../../../util/json/parse-json.ts";
import { ToolError } from "../../../core/errors.ts";
import { alignRows } from "../print/align-rows.ts";
import { wrap, wrapLast } from "../print/wrap.ts";
import { firstSentence } from "../../../util/text/shortened.ts";
import { withTimeout } from "../../../util/async/with-timeout.ts";
import { visible } from "../../../util/text/visible.ts";
import { nearNames } from "../../../util/text/near-names.ts";
import type { SlashCommand, SlashWorld } from "./slash-command.ts";
import { isObject, type JsonObject } from "../../../core/json.ts";
import { namesOfTool, type Tool } from "../../../core/tool.ts";
import type { Engine } from "../../../engine/types/engine.ts";

/** The list waits no longer for a source, such as a server that does not answer. */
const LIST_MS = 3000;

export const toolCommand: SlashCommand = {
  name: "tool",
  summary: "list the tools, or show one with its schema",
  usage: "[NAME]",
  complete: (_args, { engine }) => engine.list({ all: true }).map(({ name }) => name),
  async run(args, world) {
    const name = args.trim();
    const { sources } = world.engine;
    await withTimeout(sources.settled(name === "" ? undefined : name), LIST_MS, () => undefined);
    if (name !== "") return world.print(pageOf(name, world));
    const open = sources.loading();
    const note = open.length === 0 ? "" : `still loading: ${visible(open.join(", "))}\n`;
    return world.print(listOf(world) + note);
  },
};

function listOf({ engine, session }: SlashWorld): string {
  const specs = engine.list(session === undefined ? {} : { session });
  if (specs.length === 0) return "No tools available\n";
  return alignRows(specs.map(({ name, description }) => [name, visible(firstSentence(description))]));
}

function pageOf(name: string, { engine }: SlashWorld): string {
  const tool = engine.get(name);
  if (tool === undefined)
    throw unknown(
      name,
      engine.list({ all: true }).map((spec) => spec.name),
    );
  const { input } = describeTool(engine, tool);
  return `${toolPage(engine, tool)}\nSchema:\n${visible(JSON.stringify(input, undefined, 2))}\n`;
}

function unknown(name: string, names: readonly string[]): ToolError {
  const near = nearNames(name, names);
  const guess = near.length === 0 ? "" : `did you mean ${near.join(" or ")}? `;
  return new ToolError("TOOL_NOT_FOUND", `no tool is named ${JSON.stringify(name)}`, {
    hint: `${guess}run /tool to see all of them`,
  });
}

/** Returns everything about a tool, for a program. */
export function describeTool(engine: Engine, found: Tool): JsonObject {
  const spec = engine.list({ all: true }).find(({ name }) => name === found.name);
  return {
    ...spec,
    aliases: namesOfTool(found).slice(1),
    active: engine.groups.isActive(found.group),
  } as unknown as JsonObject;
}

/** Returns a tool for a person: its purpose, risk and parameters, wrapped at a width. */
export function toolPage(engine: Engine, found: Tool, columns = Infinity): string {
  const { name, group, limits } = found;
  const spec = describeTool(engine, found);
  const state = group === undefined || engine.groups.isActive(group) ? "" : " (off)";
  const facts = [
    ["group", `${group ?? "-"}${state}`],
    ["risk", found.riskOf === undefined ? found.risk : `${found.risk}, or lower by its input`],
    ["place", asText(spec["place"])],
    ["effects", found.effects],
    ["source", found.source],
    ["aliases", namesOfTool(found).slice(1).join(", ") || "-"],
    ...(limits?.timeoutMs === undefined ? [] : [["deadline", `${limits.timeoutMs / 1000} s`]]),
  ];
  const input = isObject(spec["input"]) ? spec["input"] : {};
  const purpose = found.description.split("\n").flatMap((line) => wrap(line, columns));
  return visible(
    `${name}\n\n${purpose.join("\n")}\n\n${alignRows(facts)}\nParameters:\n${parameters(input, columns)}`,
  );
}

function parameters({ properties, required }: JsonObject, columns: number): string {
  const rows = Object.entries(isObject(properties) ? properties : {}).map(([name, schema]) => {
    const about: JsonObject = isObject(schema) ? schema : {};
    const isRequired = Array.isArray(required) && required.includes(name);
    const fallback = about["default"] === undefined ? "" : `=${JSON.stringify(about["default"])}`;
    return [`  ${name}${isRequired ? "*" : fallback}`, typeText(about), asText(about["description"])];
  });
  return rows.length === 0 ? "  none\n" : `${alignRows(wrapLast(rows, columns))}\n* is required\n`;
}

function typeText({ type, enum: words, items }: JsonObject): string {
  if (Array.isArray(words)) return words.map(String).join("|");
  if (type === "array" && isObject(items)) return `list of ${typeText(items)}`;
  return Array.isArray(type) ? type.join("|") : asText(type) || "any";
}
