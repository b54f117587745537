import type { McpPrompt, McpPromptMessage, McpServers } from "../../../sources/mcp/registry.ts";
import { visible } from "../../../util/text/visible.ts";
import { readPromptText } from "./prompt-arguments.ts";
import type { SlashCommand, SlashWorld } from "./slash-command.ts";
import { contentText } from "../../../util/text/content-text.ts";

/** A prompt of an MCP server as a command, `/server:prompt`: tells an agent its messages, or shows them where there is none. */
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

/** Every prompt of every server as a command. A server that cannot be asked has none. */
export async function promptCommands(
  servers: McpServers,
  signal: AbortSignal,
): Promise<readonly SlashCommand[]> {
  const { items } = await servers.prompts(signal);
  return items.map((prompt) => promptCommand(prompt, servers, signal));
}

/** The messages as a person reads them: who says what, where there is more than one. Secrets are masked. */
export function promptText(
  messages: readonly McpPromptMessage[],
  { engine }: Pick<SlashWorld, "engine">,
): string {
  const isTalk = messages.length > 1 || messages.some(({ role }) => role !== "user");
  const texts = messages.map(({ role, content }) => `${isTalk ? `${role}:\n` : ""}${contentText([content])}`);
  return `${visible(engine.masker.text(texts.join("\n\n")))}\n`;
}

/** What stands behind the name: what must be given, then what may be. */
function usageOf({ arguments: wanted }: McpPrompt): string {
  return wanted.map(({ name, isRequired }) => (isRequired ? `${name}=VALUE` : `[${name}=VALUE]`)).join(" ");
}
