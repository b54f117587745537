import type { Ceiling } from "../../../core/policy.ts";
import type { ServerInstructions } from "../types/gateway-types.ts";
import { escapeControls } from "../../../util/json/escape-texts.ts";
import { isIncluded } from "./visible-tools.ts";

const INSTRUCTIONS =
  "The user's policy decides about each call, and some calls wait for the user's approval. " +
  "Long answers are cut; the full text is a resource, artifact://ID. " +
  "If search_tools is one of only a few tools, there are more: find them with it and activate them with activate_tools.";

/** Returns our instructions, and those of the servers whose tools a client under these ceilings may use. */
export function toInstructions(servers: readonly ServerInstructions[], ceilings: readonly Ceiling[]): string {
  const parts = servers.flatMap(({ server, text, tools }) => {
    const isVisible = tools.length === 0 || tools.some((name) => isIncluded(ceilings, name));
    return text === "" || !isVisible
      ? []
      : [`Instructions of the MCP server "${server}", ${server}__*:\n${escapeControls(text)}`];
  });
  return [INSTRUCTIONS, ...parts].join("\n\n");
}
