import { ToolError } from "../../../core/errors.ts";
import { firstSentence } from "../../../util/text/shortened.ts";
import { nearHint } from "../../../util/text/near-hint.ts";
import type { Handlers } from "../api/handlers.ts";
import type { Served } from "../server/served.ts";

export function toolHandlers(served: Served): Pick<Handlers, "tools" | "tool"> {
  const { engine } = served.host;
  return {
    tools({ query: { text = "", all } }) {
      const words = text.toLowerCase().split(/\s+/).filter(Boolean);
      const has = (one: string): boolean => words.every((word) => one.toLowerCase().includes(word));
      const found = served
        .tools()
        .filter(({ isActive, name, description }) => (all || isActive) && has(`${name} ${description}`));
      return {
        tools: found.map(({ name, description, risk, place, source, group, isActive }) => ({
          name,
          summary: firstSentence(description),
          risk,
          place,
          source,
          group: group ?? null,
          isActive,
        })),
      };
    },
    async tool({ params: { name = "" } }) {
      if (engine.get(name) === undefined) await engine.sources.settled(name);
      const known = engine.get(name)?.name;
      const found = served.tools().find((one) => one.name === known);
      if (found === undefined) {
        const names = served.tools().map((one) => one.name);
        throw new ToolError("TOOL_NOT_FOUND", `no tool is named ${JSON.stringify(name)}`, {
          hint: nearHint(name, names, "GET /api/tools lists them"),
        });
      }
      const { isActive, ...tool } = found;
      return { tool, isActive };
    },
  };
}
