import { DISASTER_RULES } from "../../../shell/programs/disasters/disaster-rules.ts";
import type { Commands } from "../../../shell/command-knowledge.ts";
import type { Config } from "../../config/config.ts";
import { createPolicyCommands } from "./policy-commands.ts";
import type { IsTrusted, PolicyFiles } from "../../config/files/policy-files.ts";
import { readPolicyFiles } from "../../config/files/policy-files.ts";

export interface OpenPolicyOptions {
  /** Left out: nothing of the project's is trusted. */
  readonly trusted?: IsTrusted;
  /** The names of all tools, where they are known. */
  readonly tools?: readonly string[];
}

/** The rules in force for a config, with how commands are read. Never rejects for a file: what is refused is a problem. */
export async function openPolicy(
  config: Config,
  { trusted = () => false, tools }: OpenPolicyOptions = {},
): Promise<PolicyFiles & { readonly commands: Commands }> {
  const { home, userHome, workspace } = config;
  const commands = createPolicyCommands(userHome);
  const files = await readPolicyFiles({
    home,
    userHome,
    workspace,
    commands,
    builtIn: DISASTER_RULES,
    trusted,
    modeIsChosen: isChosen(config),
    ...(tools === undefined ? {} : { tools }),
  });
  return { ...files, commands };
}

/** A flag or a variable says the mode, over what files say. */
function isChosen({ origins }: Config): boolean {
  const from = origins.find(({ key }) => key === "mode")?.from ?? "";
  return from.startsWith("flag ") || from.startsWith("environment ");
}
