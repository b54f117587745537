import type { McpPrompt, McpPromptMessage, McpServers } from "../../../sources/mcp/types/source-types.ts";
import { visible } from "../../../util/text/visible.ts";
import { splitWords, type SlashCommand, type SlashWorld } from "./slash-command.ts";
import { contentText } from "../../../util/text/content-text.ts";
import { ToolError } from "../../../core/errors.ts";
import { unknownName } from "../../../util/text/near-hint.ts";

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

type Values = Readonly<Record<string, string>>;

/** Parses the arguments in a typed line: `key=value`, quoted if there are spaces, or the whole line for a prompt with one argument. */
export function readPromptText(prompt: McpPrompt, text: string): Values {
  const only = onlyArgument(prompt, text.trim());
  return only === undefined ? readPromptArguments(prompt, splitWords(text)) : { [only]: text.trim() };
}

/** Parses arguments that a shell has split. Throws `INVALID_INPUT` on unknown and missing arguments. */
export function readPromptArguments(prompt: McpPrompt, words: readonly string[]): Values {
  const only = onlyArgument(prompt, words[0]);
  const values =
    only === undefined
      ? Object.fromEntries(words.map((word) => readPair(prompt, word)))
      : { [only]: words.join(" ") };
  const missing = prompt.arguments.filter(
    ({ name, isRequired }) => isRequired && !Object.hasOwn(values, name),
  );
  if (missing.length === 0) return values;
  throw new ToolError(
    "INVALID_INPUT",
    `${prompt.name} needs ${missing.map(({ name }) => name).join(" and ")}`,
    { hint: `${prompt.name} ${missing.map(({ name }) => `${name}=…`).join(" ")}` },
  );
}

/** Returns the only argument, which takes the whole line; undefined if arguments are named, or if there is no line. */
function onlyArgument({ arguments: [only, ...others] }: McpPrompt, line = ""): string | undefined {
  if (only === undefined || others.length > 0 || line === "") return undefined;
  return line.startsWith(`${only.name}=`) ? undefined : only.name;
}

function readPair({ name: prompt, arguments: wanted }: McpPrompt, word: string): readonly [string, string] {
  const names = wanted.map(({ name }) => name);
  const [, key = word, value] = /^([^=]+)=([\s\S]*)$/.exec(word) ?? [];
  if (value !== undefined && names.includes(key)) return [key, value];
  const takes =
    names.length === 0 ? "it takes no arguments" : `it takes ${names.map((one) => `${one}=…`).join(" ")}`;
  throw unknownName(`${prompt} does not take ${JSON.stringify(word)}`, key, names, takes);
}
