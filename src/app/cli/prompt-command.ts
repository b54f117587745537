import { ToolError } from "../../core/errors.ts";
import { promptText, readPromptArguments } from "../terminal/commands/prompt.ts";
import { CONFIG_FLAGS, type Command } from "../terminal/input/command.ts";
import { openTools } from "../terminal/open-terminal-host.ts";

/** Returns the command `/SERVER:PROMPT`, which starts only that MCP server. */
export function promptCommandOf(name: string): Command {
  return {
    name,
    summary: "a prompt of an MCP server",
    usage: "[key=value … | ARGUMENTS]",
    positionals: [],
    flags: { profile: CONFIG_FLAGS.profile },
    examples: [],
    async run({ positionals, flags }, world) {
      const assembly = await openTools(flags, world, { startsMcpLate: true });
      const { mcp, engine } = assembly;
      const { signal } = new AbortController();
      try {
        if (mcp === undefined)
          throw new ToolError("INVALID_INPUT", `unknown command "${name}": no MCP servers are configured`, {
            hint: "run toolwright mcp add to add one",
          });
        const prompt = await mcp.findPrompt(name, signal);
        const messages = await mcp.prompt(name, readPromptArguments(prompt, positionals), signal);
        await world.output.print(promptText(messages, { engine }));
        return 0;
      } finally {
        await assembly.close();
      }
    },
  };
}
