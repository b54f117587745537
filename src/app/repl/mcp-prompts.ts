import { promptCommand, promptCommands } from "../terminal/commands/prompt.ts";
import type { SlashCommand } from "../terminal/commands/slash-command.ts";
import type { Host } from "../host/host.ts";

/** Lists the prompts of MCP servers as slash commands, when a server has started, and again when it has changed. */
export function openMcpPrompts({ engine, mcp }: Host) {
  let prompts: readonly SlashCommand[] = [];
  const { signal: never } = new AbortController();
  const refresh = async (): Promise<void> => {
    if (mcp !== undefined) prompts = await promptCommands(mcp, never);
  };
  engine.on(
    ({ source, state }) => {
      // A server that cannot list its prompts is among the problems of its source.
      if (state === "complete" && source.startsWith("mcp:")) refresh().catch(() => undefined);
    },
    ["source.changed"],
  );
  return {
    /** Returns the prompts that servers have listed so far. */
    known: () => prompts,
    /** Requests a prompt from its server by its name, `server:prompt`; undefined for another form of name. Rejects if the server has none. */
    async find(name: string, signal: AbortSignal): Promise<SlashCommand | undefined> {
      if (mcp === undefined || !name.includes(":")) return undefined;
      return promptCommand(await mcp.findPrompt(`/${name}`, signal), mcp, signal);
    },
  };
}
