import { ActiveTools, type ToolList } from "../../core/session/active-tools.ts";
import { Reply } from "../../core/content.ts";
import { defineTool } from "../../schema/define/define-tool.ts";
import { integer, object, optional, string } from "../../schema/define/schema.ts";
import type { Tool } from "../../core/tool.ts";
import { createToolIndex, type ToolIndex } from "./tool-index.ts";

const MAX_FOUND = 50;

const input = object({
  query: string("What you want to do, in a few words", { min: 1 }),
  limit: optional(integer("The maximum number of tools", { min: 1, max: MAX_FOUND }), 8),
});

/** Finds tools by what they do, active or not. */
export function searchTools(): Tool {
  const indexOf = createIndexes();
  return defineTool({
    name: "search_tools",
    description:
      "Finds tools by what they do, among all tools, also inactive ones; activate_tools activates them.",
    input,
    risk: "low",
    place: "host",
    source: "built-in",
    group: "about",
    effects: "none",
    attributes: ({ query }) => ({ query }),
    run({ query, limit }, context) {
      const list = context.get(ActiveTools);
      const found = indexOf(list).search(query, limit);
      if (found.length === 0) return new Reply("[no tool matches]", { data: { tools: [] } });
      const tools = found.map(({ tool: { name, description, source }, group }) => {
        const active = list.get(name) !== undefined;
        return { name, description, source, active, ...(group === undefined ? {} : { group }) };
      });
      const lines = tools.map(({ name, description, group, active }) => {
        const off = active ? "" : ` [not active${group === undefined ? "" : `, group ${group}`}]`;
        return `${name}${off}: ${firstSentence(description)}`;
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
    if (last?.version !== version) {
      last = { version, index: createToolIndex([...list.all()]) };
    }
    return last.index;
  };
}

const MAX_SENTENCE = 200;

function firstSentence(text: string): string {
  const [first = ""] = text.split(/(?<=\.)\s|\n/, 1);
  return first.length > MAX_SENTENCE ? `${first.slice(0, MAX_SENTENCE)}…` : first;
}
