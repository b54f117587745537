import { ToolError } from "../../../core/errors.ts";
import { HELP_FLAG, type Command, type Flag, type Flags, type World } from "../../terminal/input/command.ts";
import { refuseArguments } from "../../terminal/input/check-arguments.ts";
import { isObject } from "../../../core/json.ts";
import type { Tool } from "../../../core/tool.ts";
import type { Engine } from "../../../engine/types/engine.ts";
import { EXTERNAL_PROFILE, loadConfig } from "../../config/config.ts";
import { readConfigFile } from "../../config/files/config-file.ts";
import { SETTINGS } from "../../config/settings/settings.ts";
import { openHost } from "../../host/open-host.ts";

/** How long completion waits for the list of a model server. */
const MODELS_MS = 2000;

/** Each script runs `toolwright completion --words` to complete the argument under the cursor. */
const SCRIPTS = {
  bash: `_toolwright() {
  local current="\${COMP_WORDS[COMP_CWORD]}" line
  COMPREPLY=()
  # A value after key= is usually a file name, which bash completes itself.
  [[ $current == "=" || \${COMP_WORDS[COMP_CWORD-1]} == "=" ]] && return
  while IFS= read -r line; do
    [[ $line == "$current"* ]] && COMPREPLY+=("$line")
  done < <(toolwright completion --words -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  [[ \${COMPREPLY[0]} == *= ]] && compopt -o nospace
}
complete -o default -F _toolwright toolwright
`,
  zsh: `#compdef toolwright
_toolwright() {
  local -a found
  found=("\${(@f)$(toolwright completion --words -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  compadd -S '' -- \${(M)found:#*=} && return
  compadd -- \${found:#*=} && return
  _files
}
compdef _toolwright toolwright
`,
  fish: `function __toolwright_words
  set -l words (commandline -opc) (commandline -ct)
  toolwright completion --words -- $words[2..-1] 2>/dev/null
end
complete -c toolwright -f -a '(__toolwright_words)'
`,
} as const;
const SHELLS = Object.keys(SCRIPTS) as readonly (keyof typeof SCRIPTS)[];

export const completion: Command = {
  name: "completion",
  summary: "print a completion script for a shell",
  usage: "bash | zsh | fish",
  positionals: ["action"],
  actions: SHELLS,
  flags: {
    words: { summary: "print the completions of the last argument after --; used by the scripts" },
  },
  examples: {
    "completion bash >> ~/.bashrc": "install it for bash",
    "completion fish | source": "load it in the current fish",
  },
  async run({ positionals, flags }, world) {
    const { output } = world;
    if (flags["words"] === true) {
      const candidates = await completeArguments(positionals, world);
      return output.print(candidates.map((candidate) => `${candidate}\n`).join(""));
    }
    refuseArguments(positionals.slice(1));
    const shell = SHELLS.find((one) => one === positionals[0]);
    if (shell === undefined) {
      throw new ToolError("INVALID_INPUT", `missing or unknown shell; expected ${SHELLS.join(", ")}`, {
        hint: "example: toolwright completion bash",
      });
    }
    return output.print(SCRIPTS[shell]);
  },
};

type CompletionWorld = Pick<World, "commands" | "environment">;

/** Returns the completions of the last argument. Never rejects: returns none if it cannot complete, such as for a broken config. */
async function completeArguments(
  args: readonly string[],
  world: CompletionWorld,
): Promise<readonly string[]> {
  const current = args.at(-1) ?? "";
  const candidates = await candidatesFor(args.slice(0, -1), current, world).catch(() => []);
  return candidates.filter((candidate) => candidate.startsWith(current));
}

async function candidatesFor(
  [name, ...given]: readonly string[],
  current: string,
  world: CompletionWorld,
): Promise<readonly string[]> {
  const { commands, environment } = world;
  if (name === undefined) return [...Object.keys(commands), "--help", "--version"];
  const command = Object.hasOwn(commands, name) ? await commands[name]?.() : undefined;
  if (command === undefined) return [];
  const flags: Flags = { ...command.flags, ...HELP_FLAG };
  const last = given.at(-1) ?? "";
  const flag = flagOf(last, flags);
  if (flag?.value !== undefined) return flag.choices ?? flagValues(last, environment);
  if (current.startsWith("-")) return Object.keys(flags).map((one) => `--${one}`);
  const positionals = given.filter(
    (arg, index) => !arg.startsWith("-") && flagOf(given[index - 1], flags)?.value === undefined,
  );
  return positionalValues(command, positionals, world);
}

function flagOf(arg: string | undefined, flags: Flags): Flag | undefined {
  return arg?.startsWith("--") === true ? flags[arg.slice(2)] : undefined;
}

async function positionalValues(
  { positionals = [], actions = [] }: Command,
  given: readonly string[],
  { commands, environment }: CompletionWorld,
): Promise<readonly string[]> {
  const kind = positionals[Math.min(given.length, positionals.length - 1)];
  if (kind === "command") return given.length === 0 ? Object.keys(commands) : [];
  if (kind === "action") return actions;
  if (kind === "setting") return Object.keys(SETTINGS);
  if (kind === "session") return sessionIds(environment);
  if (kind === "server")
    return /^(?:un)?install$/.test(given[0] ?? "")
      ? clientNames()
      : Object.keys(loadConfig({}, environment()).mcp.servers);
  if (kind !== "tool" && kind !== "parameter") return [];
  return withTools(environment, (engine) => {
    if (kind === "parameter") return parametersOf(engine.get(given[0] ?? ""), given);
    return given.length === 0 ? [...actions, ...engine.list().map((spec) => spec.name)] : [];
  });
}

/** Returns the known values of a flag: models that can be used, profiles of the config, stored sessions. */
async function flagValues(flag: string, environment: World["environment"]): Promise<readonly string[]> {
  if (flag === "--resume" || flag === "-r") return sessionIds(environment);
  const config = loadConfig({}, environment());
  if (flag === "--profile") {
    const { profiles } = readConfigFile(config.paths.files.user) ?? {};
    return ["default", EXTERNAL_PROFILE, ...(isObject(profiles) ? Object.keys(profiles) : [])];
  }
  if (flag !== "--model") return [];
  const { findConfiguredModels } = await import("../../host/open-configured-model.ts");
  const models = await findConfiguredModels(config, { isLocal: true, timeoutMs: MODELS_MS });
  return models.map(({ id }) => id);
}

/** Returns the ids of the sessions of the workspace, last used first. */
async function sessionIds(environment: World["environment"]): Promise<readonly string[]> {
  const config = loadConfig({}, environment());
  const { withTranscripts } = await import("../../host/store/find-session.ts");
  const list = { workspace: config.paths.workspace[0] };
  return (await withTranscripts(config, (transcripts) => transcripts.list(list))).map(({ id }) => id);
}

async function clientNames(): Promise<readonly string[]> {
  return Object.keys((await import("../../gateway/install/clients.ts")).CLIENTS);
}

function parametersOf(tool: Tool | undefined, given: readonly string[]): readonly string[] {
  const properties = tool?.input["properties"];
  const names = isObject(properties) ? Object.keys(properties) : [];
  return names.map((name) => `${name}=`).filter((start) => !given.some((other) => other.startsWith(start)));
}

async function withTools(
  environment: World["environment"],
  choose: (engine: Engine) => readonly string[],
): Promise<readonly string[]> {
  const look = await openHost({
    flags: {},
    config: loadConfig({}, environment()),
    need: "look",
    startsMcpLate: true,
    warn: () => undefined,
  });
  await look.engine.sources.settled();
  const candidates = choose(look.engine);
  await look.close();
  return candidates;
}
