import { promptCommand, promptCommands } from "../terminal/commands/prompt.ts";
import type { SlashCommand } from "../terminal/commands/slash-command.ts";
import type { Host } from "../host/open-host.ts";

/** The prompts of MCP servers as commands. */
export interface McpPrompts {
  /** Those that servers have told so far. */
  known(): readonly SlashCommand[];
  /** One by its name, `server:prompt`; its server is asked. Undefined for a name that is no prompt's; rejects where the server has none such. */
  find(name: string, signal: AbortSignal): Promise<SlashCommand | undefined>;
}

/** Servers tell their prompts when they have started, and again when they have changed. */
export function openMcpPrompts({ engine, mcp }: Host): McpPrompts {
  if (mcp === undefined) return { known: () => [], find: () => Promise.resolve(undefined) };
  let prompts: readonly SlashCommand[] = [];
  const { signal: never } = new AbortController();
  const look = async (): Promise<void> => {
    prompts = await promptCommands(mcp, never);
  };
  engine.on(
    (event) => {
      const isLoaded = event.type === "source.changed" && event.state === "complete";
      // A server that cannot say what it has is told of among the problems of its source.
      if (isLoaded && event.source.startsWith("mcp:")) look().catch(() => undefined);
    },
    ["source.changed"],
  );
  return {
    known: () => prompts,
    async find(name, signal) {
      if (!name.includes(":")) return undefined;
      return promptCommand(await mcp.findPrompt(`/${name}`, signal), mcp, signal);
    },
  };
}
