import type { McpPrompt, McpPromptMessage, McpServers } from "../../../sources/mcp/types/source-types.ts";
import { visible } from "../../../util/text/visible.ts";
import { readPromptText } from "./prompt-arguments.ts";
import type { SlashCommand, SlashWorld } from "./slash-command.ts";
import { contentText } from "../../../util/text/content-text.ts";

/** Returns a prompt of an MCP server as a command, `/server:prompt`: sends its messages to the agent, or prints them if there is none. */
export function promptCommand(prompt: McpPrompt, servers: McpServers, signal: AbortSignal): SlashCommand {
  return {
    name: prompt.name.slice(1),
    summary: prompt.description,
    usage: usageOf(prompt),
    async run(args, world) {
      const messages = await servers.prompt(prompt.name, readPromptText(prompt, args), signal);
      const text = promptText(messages, world);
      if (world.say === undefined) await world.print(text);
      else world.say(text.trim());
    },
  };
}

/** Returns every prompt of every server as a command; servers that fail have none. */
export async function promptCommands(
  servers: McpServers,
  signal: AbortSignal,
): Promise<readonly SlashCommand[]> {
  const { items } = await servers.prompts(signal);
  return items.map((prompt) => promptCommand(prompt, servers, signal));
}

/** Returns the messages for a person, with roles if there are several. Secrets are masked. */
export function promptText(
  messages: readonly McpPromptMessage[],
  { engine }: Pick<SlashWorld, "engine">,
): string {
  const isTalk = messages.length > 1 || messages.some(({ role }) => role !== "user");
  const texts = messages.map(({ role, content }) => `${isTalk ? `${role}:\n` : ""}${contentText([content])}`);
  return `${visible(engine.masker.text(texts.join("\n\n")))}\n`;
}

/** Returns the usage: required arguments, then optional ones. */
function usageOf({ arguments: wanted }: McpPrompt): string {
  return wanted.map(({ name, isRequired }) => (isRequired ? `${name}=VALUE` : `[${name}=VALUE]`)).join(" ");
}
