import { openingOf } from "../../util/text/shortened.ts";
import { builtIn, ABOUT, named } from "../shared/built-in-tool.ts";
import { ActiveTools, type ToolList } from "../../core/session/active-tools.ts";
import { Reply } from "../../core/content.ts";
import { boolean, integer, list, object, optional, string } from "../../schema/define/schema.ts";
import { namesOfTool, type Tool } from "../../core/tool.ts";
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import { createSynonyms } from "./synonyms.ts";
import { createTextIndex, stem, type TextIndex, type WeightedText } from "../shared/text-index.ts";
import { defined } from "../../util/json/defined.ts";

const MAX_FOUND = 50;

const input = object({
  query: string("What you want to do, in a few words", { min: 1 }),
  limit: optional(integer("The maximum number of tools", { min: 1, max: MAX_FOUND }), 8),
});

export const SEARCH_TOOLS = named("search_tools", input, {
  tools: list(
    object({
      name: string(),
      description: string(),
      source: string(),
      active: boolean(),
      group: optional(string()),
    }),
  ),
});

/** Finds tools by what they do, active or not. */
export function searchTools(): Tool {
  const indexOf = createIndexes();
  return builtIn({
    ...SEARCH_TOOLS,
    description:
      "Finds tools by what they do, among all tools, also inactive ones; activate_tools activates them.",
    ...ABOUT,
    attributes: ({ query }) => ({ query }),
    run({ query, limit }, context) {
      const list = context.get(ActiveTools);
      const hits = indexOf(list).search(query, limit);
      if (hits.length === 0) return new Reply("[no tool matches]", { data: { tools: [] } });
      const tools = hits.map(({ tool: { name, description, source }, group }) => {
        const active = list.get(name) !== undefined;
        return { name, description, source, active, ...defined({ group }) };
      });
      const lines = tools.map(({ name, description, group, active }) => {
        const off = active ? "" : ` [not active${group === undefined ? "" : `, group ${group}`}]`;
        return `${name}${off}: ${openingOf(description)}`;
      });
      return new Reply(lines.join("\n"), { data: { tools } });
    },
  });
}

/** Caches the index until a tool is added or removed. */
function createIndexes(): (list: ToolList) => ToolIndex {
  let last: { readonly version: number; readonly index: ToolIndex } | undefined;
  return (list) => {
    const { version } = list;
    if (last?.version !== version) last = { version, index: createToolIndex([...list.all()]) };
    return last.index;
  };
}

/** The weight of a word by its location. */
const NAME_WEIGHT = 6;
const PARAMETER_WEIGHT = 2;
const DESCRIPTION_WEIGHT = 1;
const DETAIL_WEIGHT = 0.5;

/** A registered tool. */
interface IndexedTool {
  readonly tool: Tool;
  readonly group: string | undefined;
}

/** A full-text index of the names, descriptions and parameters of tools. */
type ToolIndex = TextIndex<IndexedTool>;

/** Builds the index; a search only looks at tools with a word of the query. */
export function createToolIndex(tools: readonly IndexedTool[]): ToolIndex {
  return createTextIndex(tools, ({ tool }) => textsOf(tool), createSynonyms(stem));
}

function textsOf(tool: Tool): readonly WeightedText[] {
  const texts: WeightedText[] = namesOfTool(tool).map((name) => [name, NAME_WEIGHT]);
  texts.push([tool.description, DESCRIPTION_WEIGHT]);
  const { properties } = tool.input;
  if (typeof properties === "object" && properties !== null) {
    for (const [parameter, schema] of Object.entries(properties)) {
      texts.push([parameter, PARAMETER_WEIGHT]);
      texts.push([detailsOf(schema), DETAIL_WEIGHT]);
    }
  }
  texts.push([examplesOf(tool.input), DETAIL_WEIGHT]);
  return texts;
}

/** Returns what a parameter is for, its allowed values and its examples. */
function detailsOf(schema: Json): string {
  if (!isObject(schema)) return "";
  const { description, enum: values } = schema;
  return [textIn(description), textIn(values), examplesOf(schema)].join(" ");
}

function examplesOf({ examples }: JsonObject): string {
  return textIn(examples);
}

function textIn(value: Json | undefined): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
