import { existsSync, lstatSync } from "node:fs";
import { dirname, join } from "node:path";
import { ToolError } from "../../../core/errors.ts";
import type { Mode } from "../../../core/policy.ts";
import { visible } from "../../../util/text/visible.ts";
import { errorMessage } from "../../../util/text/error-message.ts";
import { loadConfig } from "../../config/config.ts";
import { editorSchema } from "../../config/editor-schemas.ts";
import { errnoOf, writeFiles } from "../../config/files/write-files.ts";
import { editUserConfig, stateFoldersOf } from "../../config/folders.ts";
import { parseSetting } from "../../config/layers.ts";
import { CONFIG_FLAGS, type Arguments, type Command, type World } from "../../terminal/input/command.ts";
import { DEFAULT_WIDTH } from "../../terminal/print/wrap.ts";
import { refuseArguments, textFlag } from "../../terminal/input/check-arguments.ts";
import type { Setup, SetupQuestions } from "./ask-setup.ts";

/** Beside the config file, so that an editor finds it offline and in every checkout. */
const SCHEMA = "./schemas/config.json";

/** No defaults: a setting of a project overrides those of everyone who works in it. */
const TEMPLATE = `{
  // docs/configuration.md describes each setting; toolwright config set KEY VALUE adds one
  "$schema": "${SCHEMA}"
}
`;

export const init: Command = {
  name: "init",
  summary: "set up the model, the approval mode, this folder and an MCP client",
  usage: "[--model PROVIDER/NAME] [--mode MODE] [--trust] [--client CLIENT] [--user] [--force]",
  flags: {
    model: { summary: "model for agents, written to the user config", value: "PROVIDER/NAME" },
    mode: { ...CONFIG_FLAGS.mode, summary: "approval mode, written to the user config" },
    trust: { summary: "trust the tools, rules and servers of this folder as they are now" },
    client: { summary: "MCP client to configure; toolwright mcp install lists them", value: "CLIENT" },
    user: { summary: "write the user config instead of the project config" },
    force: { summary: "overwrite an existing file" },
  },
  examples: {
    init: "ask on a terminal; otherwise write .toolwright/config.json in this folder",
    "init --user": "write config.json in ~/.toolwright",
    "init --model ollama/qwen3 --mode edits": "set both, without questions",
  },
  async run(given, world) {
    refuseArguments(given.positionals, "the file is written to the current folder");
    const isAsked =
      Object.keys(given.flags).length === 0 && world.isInteractive && world.columns !== undefined;
    const setup = isAsked ? await ask(world) : await setupOf(given);
    if (setup !== undefined) return apply(setup, given, { ...world, isAsked });
    world.output.log("toolwright: nothing was changed");
    return 130;
  },
};

/** Returns what the flags say. Throws on a value that would be refused, before anything is written. */
async function setupOf(given: Arguments): Promise<Setup> {
  const [id, client, mode] = ["model", "client", "mode"].map((name) => textFlag(given, name));
  if (id !== undefined) parseSetting("model", id, { name: "--model", place: "model" });
  if (client !== undefined) await checkClient(client);
  const isProject = given.flags["trust"] === true;
  return { model: { id }, mode: mode as Mode | undefined, level: undefined, isProject, client };
}

async function checkClient(name: string): Promise<void> {
  const { clientOf } = await import("../mcp/install.ts");
  clientOf({ positionals: [name], flags: {} }, "install");
}

/** Asks on the terminal; undefined if the user leaves. */
async function ask(world: World): Promise<Setup | undefined> {
  const [{ askSetup }, { trustableItems }, { modelQuestions }, { findConfiguredModels }, { CLIENTS }] =
    await Promise.all([
      import("./ask-setup.ts"),
      import("./trust.ts"),
      import("./model-questions.ts"),
      import("../../host/open-configured-model.ts"),
      import("../../gateway/install/clients.ts"),
    ]);
  const config = loadConfig({}, world.environment());
  world.output.log("Four questions; Ctrl-C leaves without a change. Looking for models…");
  return askSetup({
    ...modelQuestions(config, world),
    models: await findConfiguredModels(config),
    mode: config.policy.mode,
    ...(await levelsOf(config)),
    width: world.columns ?? DEFAULT_WIDTH,
    items: trustableItems(config).items.map(({ kind, name }) => `${kind}:${name}`),
    clients: Object.keys(CLIENTS),
  });
}

/** Returns the level that is set, and the one that Enter chooses: the preselected one if none is set; neither where levels have no effect. */
async function levelsOf(
  config: ReturnType<typeof loadConfig>,
): Promise<Pick<SetupQuestions, "level" | "currentLevel">> {
  const { haveLevelsEffect, isLevelUnset } = await import("../../host/levels.ts");
  if (!(await haveLevelsEffect(config))) return { level: undefined, currentLevel: undefined };
  const currentLevel = isLevelUnset(config) ? undefined : config.policy.level;
  return { level: currentLevel ?? "read-only", currentLevel };
}

async function apply(
  { model, mode, level, isProject, client }: Setup,
  { flags }: Arguments,
  world: World & { readonly isAsked: boolean },
): Promise<void> {
  const config = loadConfig({}, world.environment());
  const { files } = config.paths;
  const { output } = world;
  const [isUser, mayReplace] = [flags["user"] === true, flags["force"] === true];
  const file = isUser ? files.user : files.project;
  const isChosen = [model.id, mode, level, client].some((one) => one !== undefined);
  const isMissing = (isUser || isProject) && !existsSync(file);
  if ((!world.isAsked && !isChosen && !isProject) || mayReplace || isMissing)
    await writeConfig(
      file,
      { isUser, isTrusted: isProject, mayReplace, changes: stateFoldersOf(config.paths).changes },
      output,
    );
  await writeSettings({ model, mode, level }, config, output);
  if (isProject) {
    const { trust } = await import("./trust.ts");
    await trust.run({ positionals: [], flags: { all: true } }, world);
  }
  if (world.isAsked && !isChosen && !isProject) await output.print("nothing was changed\n");
  if (client !== undefined) {
    const { installMcp } = await import("../mcp/install.ts");
    await installMcp({ positionals: [client], flags: { write: true } }, world);
  }
  await output.print(NEXT);
}

const NEXT = `toolwright               opens the REPL
toolwright run "TASK"    runs one task
toolwright doctor        checks the setup
toolwright config list   shows each setting
`;

/** Writes the chosen settings to the user's config, and stores the key. */
async function writeSettings(
  { model, mode, level }: Pick<Setup, "model" | "mode" | "level">,
  config: ReturnType<typeof loadConfig>,
  output: World["output"],
): Promise<void> {
  if (model.key !== undefined) {
    const { storeProviderKey } = await import("./store-provider-key.ts");
    await output.print(await storeProviderKey(config, model.key.provider, model.key.value));
  }
  const settings: readonly (readonly [path: readonly string[], value: string | undefined])[] = [
    [["models", "compatible", "baseUrl"], model.baseUrl],
    [["model"], model.id],
    [["mode"], mode],
    [["level"], level],
  ];
  const lines: string[] = [];
  for (const [path, value] of settings) {
    if (value === undefined) continue;
    await editUserConfig(config.paths, () => ({ path, value }));
    lines.push(`  ${path.join(".")} = ${visible(value)}\n`);
  }
  if (lines.length > 0) await output.print(`wrote ${visible(config.paths.files.user)}\n${lines.join("")}`);
}

interface Writing {
  readonly isUser: boolean;
  /** The folder is trusted next. */
  readonly isTrusted: boolean;
  readonly mayReplace: boolean;
  /** The folder of unfinished changes. */
  readonly changes: string;
}

async function writeConfig(
  file: string,
  { isUser, isTrusted, mayReplace, changes }: Writing,
  output: World["output"],
): Promise<void> {
  if (!mayReplace && lstatSync(file, { throwIfNoEntry: false }) !== undefined)
    throw new ToolError("TOOL_FAILED", `${file} already exists`, { hint: "use --force to overwrite it" });
  const schema = `${JSON.stringify(editorSchema("config"), undefined, 2)}\n`;
  const files = [
    { path: join(dirname(file), SCHEMA), text: schema },
    { path: file, text: TEMPLATE },
  ];
  await writeFiles(files, changes).catch((error: unknown) => {
    throw new ToolError("TOOL_FAILED", `cannot write ${file}: ${writeFault(error)}`, {
      hint: "make its folder writable for this user, or set TOOLWRIGHT_HOME to another folder",
      cause: error,
    });
  });
  const scope =
    isUser || isTrusted ? "" : "; until you trust the folder, it can only tighten your own settings";
  await output.print(`wrote ${file}${scope}\n`);
}

/** Returns why a file cannot be written, in words if the reason is a usual one. */
function writeFault(error: unknown): string {
  const code = errnoOf(error);
  if (code === "EROFS") return "the file system is read-only";
  return code === "EACCES" || code === "EPERM" ? "this user may not write there" : errorMessage(error);
}
