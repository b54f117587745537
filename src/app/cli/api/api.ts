import { resolve } from "node:path";
import { ToolError } from "../../../core/errors.ts";
import type { JsonObject } from "../../../core/json.ts";
import { forgetPins } from "../../../sources/mcp/tools/pins.ts";
import { isServerName } from "../../../sources/mcp/tools/names.ts";
import { unknownName } from "../../../util/text/near-hint.ts";
import { visible } from "../../../util/text/visible.ts";
import { loadConfig } from "../../config/config.ts";
import type { ConfigGroups } from "../../config/groups.ts";
import { parseSetting } from "../../config/layers.ts";
import type { ApiSetting } from "../../config/settings/api-setting.ts";
import { API_PINS, openApi } from "../../host/sources/api-sources.ts";
import { openConfiguredStore, openPresentStore } from "../../host/store/open-configured-store.ts";
import { onlyArgument, refuseArguments, takeAction } from "../../terminal/input/check-arguments.ts";
import { STORED_FLAGS, type Arguments, type Command, type World } from "../../terminal/input/command.ts";
import { alignRows } from "../../terminal/print/align-rows.ts";
import { approveChanges } from "../mcp/approve.ts";
import { addEntry, removeEntry } from "../mcp/config-entries.ts";
import { counted } from "../../../util/text/words.ts";
import { errorMessage } from "../../../util/text/error-message.ts";

const ACTIONS = { add, list, remove, approve } as const;
const ACTION_NAMES = Object.keys(ACTIONS) as readonly (keyof typeof ACTIONS)[];

export const api: Command = {
  name: "api",
  summary: "use the operations of HTTP APIs as tools (OpenAPI)",
  usage: [
    "add NAME SPEC [--url URL] [--auth TYPE:VARIABLE] [--include WHAT] [--exclude WHAT]",
    "list [--json]",
    "remove NAME",
    "approve NAME [OPERATION …] [--yes]",
  ].join("\n"),
  notes: "SPEC is the path or the URL of an OpenAPI document. See docs/http-apis.md.",
  positionals: ["action", "entry"],
  actions: ACTION_NAMES,
  flags: {
    url: {
      summary: "add: address of the API (default: the document's first server)",
      value: "URL",
      for: ["add"],
    },
    auth: {
      summary: "add: how to log in, and the environment variable with the secret: bearer, apiKey or basic",
      value: "TYPE:VARIABLE",
      for: ["add"],
    },
    include: {
      summary: "add: only these operations: a name, a path or tag:NAME",
      value: "WHAT",
      isRepeatable: true,
      for: ["add"],
    },
    exclude: { summary: "add: not these operations", value: "WHAT", isRepeatable: true, for: ["add"] },
    json: { summary: "list: print as JSON", for: ["list"] },
    yes: { summary: "approve: do not prompt", short: "y", for: ["approve"] },
    ...STORED_FLAGS,
  },
  examples: {
    "api add pets ./petstore.yaml --auth bearer:PETS_TOKEN": "add an API with a token",
    "api add dogs ./petstore.yaml --include tag:dogs": "add a part of an API",
    "api list": "list the APIs of the user config",
    "api approve pets --yes": "show and approve changed operations",
    "api remove pets": "remove an API from the user config",
  },
  async run(given, world) {
    const { action, rest } = takeAction(api, given, ACTION_NAMES);
    return ACTIONS[action]({ ...given, positionals: rest }, world);
  },
};

/** Reads the document, and adds the API to the user config if it has operations that can be called. */
async function add({ positionals, flags, repeated = {} }: Arguments, world: World): Promise<void> {
  const [name = "", spec = "", ...more] = positionals;
  if (spec === "" || more.length > 0)
    throw new ToolError("INVALID_INPUT", "expected a name and a document: toolwright api add NAME SPEC");
  if (!isServerName(name))
    throw new ToolError(
      "INVALID_INPUT",
      `invalid name ${JSON.stringify(name)}; expected letters, digits, _, - and .`,
    );
  const environment = world.environment();
  const config = loadConfig(flags, environment);
  const entry = {
    spec: /^https?:\/\//.test(spec) ? spec : resolve(environment.cwd, spec),
    ...(typeof flags["url"] === "string" && { url: flags["url"] }),
    ...authOf(flags["auth"]),
    ...(repeated["include"] !== undefined && { include: [...repeated["include"]] }),
    ...(repeated["exclude"] !== undefined && { exclude: [...repeated["exclude"]] }),
  } satisfies JsonObject;
  const { [name]: setting } = parseSetting("apis", { [name]: entry }, { place: "api add" });
  const count = setting === undefined ? 0 : await countOperations(name, setting, config, world);
  await addEntry(config, "apis", name, entry);
  const operations = counted(count, "operation");
  await world.output.print(
    `added ${name} to ${config.paths.files.user}: ${operations}\nto list them: toolwright tools --group ${name}\n`,
  );
}

/** Throws if there are none; reports those that cannot be used. */
async function countOperations(
  name: string,
  setting: ApiSetting,
  config: ConfigGroups<"web" | "environment" | "paths">,
  world: World,
): Promise<number> {
  using interrupt = world.interrupt();
  const source = openApi(name, setting, config);
  try {
    const { tools, problems } = await source.load(interrupt.signal);
    for (const { subject, message } of problems.slice(0, 10)) world.output.warn(`${subject}: ${message}`);
    if (tools.length > 0) return tools.length;
    throw new ToolError("INVALID_INPUT", `${setting.spec} has no operations that can be called`, {
      hint: problems[0]?.hint ?? "check --include and --exclude",
    });
  } catch (error) {
    if (error instanceof ToolError) throw error;
    throw new ToolError("INVALID_INPUT", `cannot read ${setting.spec}: ${errorMessage(error)}`, {
      hint: "name the file or the address of an OpenAPI document",
      cause: error,
    });
  } finally {
    await source.close?.();
  }
}

function authOf(flag: string | boolean | undefined): { readonly auth?: JsonObject } {
  if (typeof flag !== "string") return {};
  const [, type, variable] = /^(bearer|apiKey|basic):(.+)$/.exec(flag) ?? [];
  if (type !== undefined && variable !== undefined) return { auth: { type, variable } };
  throw new ToolError(
    "INVALID_INPUT",
    `invalid --auth ${JSON.stringify(flag)}; expected bearer:VARIABLE, apiKey:VARIABLE or basic:VARIABLE`,
    {
      hint: "oauth2 needs more: write it in the config, see docs/http-apis.md",
    },
  );
}

async function list(
  { positionals, flags }: Arguments,
  { output, environment, columns }: World,
): Promise<void> {
  refuseArguments(positionals);
  const config = loadConfig(flags, environment());
  const apis = Object.entries(config.apis);
  if (flags["json"] === true) return output.print(`${JSON.stringify(config.apis)}\n`);
  const rows = apis.map(([name, { spec, auth }]) => {
    const { type, variable = "" } = auth ?? {};
    const state = config.environment.variables[variable] === undefined ? " is not set" : "";
    return [name, spec, type === undefined ? "" : `${type}: ${variable}${state}`].map(visible);
  });
  const none = "no API is configured; to add one: toolwright api add NAME SPEC\n";
  return output.print(alignRows(rows, columns) || none);
}

async function remove({ positionals, flags }: Arguments, { output, environment }: World): Promise<void> {
  const name = onlyArgument(positionals, "name: toolwright api remove NAME");
  const config = loadConfig(flags, environment());
  await removeEntry(config.paths, "apis", name);
  await using store = await openPresentStore(config);
  if (store !== undefined) await forgetPins(store.collections.open(API_PINS), name);
  await output.print(`removed ${name} from ${config.paths.files.user}\n`);
}

/** Shows how the operations changed since they were approved, and approves exactly that. */
async function approve(given: Arguments, world: World): Promise<number | void> {
  const [name = "", ...names] = given.positionals;
  const config = loadConfig(given.flags, world.environment());
  const setting = Object.hasOwn(config.apis, name) ? config.apis[name] : undefined;
  if (setting === undefined)
    throw unknownName(
      `there is no api "${name}"`,
      name,
      Object.keys(config.apis),
      "toolwright api list lists them",
    );
  await using store = await openConfiguredStore(config, world.output.warn);
  const source = openApi(name, setting, config, { collections: store.collections });
  return await approveChanges(source, name, { names, isYes: given.flags["yes"] === true, world });
}
