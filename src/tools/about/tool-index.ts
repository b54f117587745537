import type { Tool } from "../../core/tool.ts";
import type { TextIndex, WeightedText } from "../../util/text/text-index.ts";
import { createTextIndex } from "../../util/text/text-index.ts";

/** How much a word counts by where it stands. */
const NAME_WEIGHT = 6;
const PARAMETER_WEIGHT = 2;
const DESCRIPTION_WEIGHT = 1;

/** A tool as it is registered. */
export interface IndexedTool {
  readonly tool: Tool;
  readonly group: string | undefined;
}

/** Full text over tools: by their names, descriptions and parameters. */
export type ToolIndex = TextIndex<IndexedTool>;

/** Builds the index; a search then looks only at the tools that have a word of the query. */
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
