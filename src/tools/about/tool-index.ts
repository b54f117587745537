import type { Tool } from "../../core/tool.ts";
import { createTextIndex, type TextIndex, type WeightedText } from "../../util/text/text-index.ts";

/** The weight of a word by its location. */
const NAME_WEIGHT = 6;
const PARAMETER_WEIGHT = 2;
const DESCRIPTION_WEIGHT = 1;

/** A registered tool. */
export interface IndexedTool {
  readonly tool: Tool;
  readonly group: string | undefined;
}

/** A full-text index of the names, descriptions and parameters of tools. */
export type ToolIndex = TextIndex<IndexedTool>;

/** Builds the index; a search only looks at tools with a word of the query. */
export function createToolIndex(tools: readonly IndexedTool[]): ToolIndex {
  return createTextIndex(tools, ({ tool }) => textsOf(tool));
}

function textsOf({ name, description, input, aliases = [] }: Tool): readonly WeightedText[] {
  const texts: WeightedText[] = [[name, NAME_WEIGHT]];
  for (const alias of aliases) texts.push([typeof alias === "string" ? alias : alias.name, NAME_WEIGHT]);
  texts.push([description, DESCRIPTION_WEIGHT]);
  const { properties } = input;
  if (typeof properties === "object" && properties !== null) {
    for (const parameter of Object.keys(properties)) texts.push([parameter, PARAMETER_WEIGHT]);
  }
  return texts;
}
