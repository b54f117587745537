import { ToolError } from "../../core/errors.ts";
import type { Json, JsonObject } from "../../core/json.ts";
import { isObject } from "../../core/json.ts";
import type { Tool } from "../../core/tool.ts";
import type { Engine } from "../../engine/engine.ts";
import { nearHint } from "../near-hint.ts";
import { TOOL_LANGUAGES } from "../tool-new.ts";
import { alignRows } from "./align-rows.ts";
import type { Arguments, Command, World } from "./command.ts";
import { CONFIG_FLAGS } from "./command.ts";
import { openTools } from "./open-tools.ts";

/** Words that are no tool's name here, and the flags that go with each. */
const ACTIONS = {
  new: ["lang", "dir", "user", "force", "profile"],
  check: ["json", "args", "profile"],
} as const;
const SHOW_FLAGS = ["json", "profile"];

export const tool: Command = {
  name: "tool",
  summary: "show one tool: parameters, risk, place, source, aliases; or write and check a tool of your own",
  usage:
    "NAME [--json] | new NAME --lang LANGUAGE [--dir D | --user] [--force] | check PATH [--args JSON] [--json]",
  positionals: ["tool"],
  actions: Object.keys(ACTIONS),
  flags: {
    json: { summary: "print the whole spec, or the report of a check, as JSON" },
    lang: {
      summary: "new: the language to write it in",
      value: "LANGUAGE",
      choices: TOOL_LANGUAGES,
    },
    dir: { summary: "new: the folder to write it to instead of .toolwright/tools", value: "D" },
    user: { summary: "new: write it to the user's own tools, ~/.toolwright/tools" },
    force: { summary: "new: replace files that are there" },
    args: { summary: "check: an input to call it with, twice; left out: it is never called", value: "JSON" },
    profile: CONFIG_FLAGS.profile,
  },
  examples: [
    { line: "tool read_file", does: "what it takes and how it is judged" },
    { line: "tool shell --json", does: "its JSON Schema, for a program" },
    { line: "tool new word_count --lang python", does: "write a working tool with its test" },
    {
      line: "tool check .toolwright/tools/word_count.py",
      does: "does it keep the contract of external tools?",
    },
  ],
  async run(given, world) {
    const [word, ...rest] = given.positionals;
    if (word === "new") {
      refuseOthers(given, "tool new", ACTIONS.new);
      const { runToolNew } = await import("./tool-new.ts");
      return runToolNew({ ...given, positionals: rest }, world);
    }
    if (word === "check") {
      refuseOthers(given, "tool check", ACTIONS.check);
      const { runToolCheck } = await import("./tool-check.ts");
      return runToolCheck({ ...given, positionals: rest }, world);
    }
    refuseOthers(given, "tool NAME", SHOW_FLAGS);
    return show(given, world);
  },
};

/** Throws on flags that would not be heeded. */
function refuseOthers({ flags }: Arguments, line: string, own: readonly string[]): void {
  const other = Object.keys(flags).find((flag) => !own.includes(flag));
  if (other === undefined) return;
  throw new ToolError("INVALID_INPUT", `--${other} means nothing to "${line}"`, {
    hint: "see toolwright tool --help",
  });
}

async function show({ positionals, flags }: Arguments, { output }: World): Promise<number> {
  const [name, ...rest] = positionals;
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
}

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
