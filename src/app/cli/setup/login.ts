import { ToolError } from "../../../core/errors.ts";
import { listModels } from "../../../models/find-models.ts";
import { PROVIDERS } from "../../../models/providers/providers.ts";
import { counted } from "../../../util/text/words.ts";
import { visible } from "../../../util/text/visible.ts";
import { loadConfig } from "../../config/config.ts";
import { readStoredKeys } from "../../config/stored-keys.ts";
import { keyVariableOf, removeKey } from "../../host/keys/stored-key.ts";
import { askLine } from "../../terminal/approve/ask-line.ts";
import type { Command, World } from "../../terminal/input/command.ts";
import { alignRows } from "../../terminal/print/align-rows.ts";
import { storeProviderKey } from "./store-provider-key.ts";

export const login: Command = {
  name: "login",
  summary: "store the key of a model provider, list the stored keys, or remove one",
  usage: "[PROVIDER [--remove]]",
  notes:
    "The key is typed, and not shown, or read from standard input. It is stored in the system's keyring if `secret-tool` reaches one, else in keys.json in ~/.toolwright, which only you can read. A key in the environment is used instead of a stored one. MCP servers: toolwright mcp login.",
  positionals: ["action"],
  actions: Object.keys(PROVIDERS),
  flags: { remove: { summary: "remove the stored key" } },
  examples: {
    login: "list the stored keys",
    "login compatible < key.txt": "try the key in a file and store it; without a file, it is typed",
    "login compatible --remove": "remove it",
  },
  async run({ positionals: [provider, ...more], flags }, world) {
    if (more.length > 0) throw new ToolError("INVALID_INPUT", `unexpected argument: ${more.join(" ")}`);
    const config = loadConfig({}, world.environment());
    if (provider === undefined) {
      if (flags["remove"] === true)
        throw new ToolError("INVALID_INPUT", "missing provider", {
          hint: "toolwright login PROVIDER --remove; toolwright login lists the stored keys",
        });
      const rows = [...readStoredKeys(config.paths)].map(([variable, place]) => [
        variable,
        "key" in place ? "in keys.json" : "in the system's keyring",
      ]);
      const none = "no keys are stored; toolwright login PROVIDER stores one\n";
      return world.output.print(rows.length === 0 ? none : alignRows(rows));
    }
    const variable = keyVariableOf(provider);
    if (flags["remove"] === true) {
      const wasStored = await removeKey(config, variable);
      return world.output.print(
        wasStored ? `removed the key of ${provider}\n` : `no key of ${provider} is stored\n`,
      );
    }
    const key = await readKey(provider, world);
    const { baseUrl } = config.agent.models[provider] ?? {};
    await tryKey(provider, { apiKey: key, baseUrl }, world);
    await world.output.print(await storeProviderKey(config, provider, key));
  },
};

/** Returns the typed key, or that on standard input. Throws if there is none. */
async function readKey(provider: string, world: World): Promise<string> {
  const typed = world.isInteractive
    ? await askLine(world, `key of ${provider} (not shown): `, { isHidden: true })
    : await textOf(world.stdin);
  const key = typed?.trim() ?? "";
  if (key === "" || /\s/.test(key))
    throw new ToolError(
      "INVALID_INPUT",
      key === "" ? "missing key: nothing was stored" : "the key has spaces or several lines",
      {
        hint: `type it at the question, or: toolwright login ${provider} < FILE`,
      },
    );
  return key;
}

async function textOf(stdin: NodeJS.ReadStream): Promise<string> {
  const { text } = await import("node:stream/consumers");
  return text(stdin);
}

/** Throws if the provider refuses the key. A provider that does not answer is only reported: the key may be right. */
async function tryKey(
  provider: string,
  server: Parameters<typeof listModels>[1],
  { environment, output }: World,
): Promise<void> {
  try {
    const names = await listModels(provider, server, { environment: environment().variables });
    output.log(`toolwright: ${provider} takes the key and has ${counted(names.length, "model")}`);
  } catch (error) {
    if (!(error instanceof ToolError) || error.code === "UNAUTHORIZED") throw error;
    output.log(`toolwright: the key was not tried: ${visible(error.message)}`);
  }
}
