import type { ToolSource } from "../../../core/source.ts";
import type { ToolDirectory } from "../../../sources/external/discover.ts";
import type { ExternalToolSettings } from "../../../sources/external/load-tools.ts";
import { createCommandSource, createExternalSource } from "../../../sources/external/source.ts";
import { packageFile } from "../../../system/package-files.ts";
import { childEnvironment } from "../../../system/process/environment.ts";
import { defined } from "../../../util/json/defined.ts";
import { EXTERNAL_PROFILE } from "../../config/config.ts";
import type { ConfigGroups, ToolSettings } from "../../config/groups.ts";
import type { IsTrusted, Trust } from "../../config/files/trust.ts";
import { projectFolder, userFolder } from "../../config/folders.ts";

/**
 * Creates one source for each folder of programs, so that one that cannot be read does not affect the others: the package's own
 * under the profile `external`, then the user's, the project's and the configured ones. Running programs are recorded in `stateFolder`, if there is one.
 */
export function externalSources(
  config: ConfigGroups<"paths" | "environment" | "tools" | "profile">,
  isTrusted: IsTrusted,
  wasTrusted: Trust["wasTrusted"] | undefined,
  stateFolder: string | undefined,
): readonly ToolSource[] {
  const [root] = config.paths.workspace;
  const userTools = userFolder(config.paths, "tools");
  const projectTools = projectFolder(config.paths, "tools");
  const trust: Omit<ToolDirectory, "path"> = {
    isTrusted: (name, hash) => isTrusted("tool", name, hash),
    wasTrusted: (name) => wasTrusted?.("tool", name) === true,
  };
  const environment = childEnvironment(config.environment.variables, config.environment.names);
  const shared = { cwd: root, environment, ...defined({ stateFolder }) };
  const open = (name: string, directory: ToolDirectory, tools?: ExternalToolTable): ToolSource =>
    createExternalSource({
      ...shared,
      name: `external:${name}`,
      directories: [directory],
      ...defined({ tools }),
    });
  const { commands } = config.tools;
  const own = ownSettings(config.tools);
  const configured = [...new Set(config.tools.directories)].filter((path) => path !== userTools);
  return [
    ...(config.profile === EXTERNAL_PROFILE ? [open("libexec", { path: packageFile("libexec") }, own)] : []),
    open("user", { path: userTools }, own),
    // A project's programs choose their own names: the user's settings for a name are not meant for them.
    ...(projectTools === undefined ? [] : [open("project", { path: projectTools, ...trust })]),
    ...configured.map((path) => open(path, { path }, own)),
    ...(Object.keys(commands).length === 0
      ? []
      : [createCommandSource({ ...shared, name: "config", commands, tools: own })]),
  ];
}

type ExternalToolTable = Readonly<Record<string, ExternalToolSettings>>;

function ownSettings({ external }: ToolSettings): ExternalToolTable {
  const entries = Object.entries(external).map(([name, { timeoutSeconds, ...rest }]) => {
    const timeoutMs = timeoutSeconds === undefined ? undefined : timeoutSeconds * 1000;
    return [name, { ...rest, ...defined({ timeoutMs }) }] as const;
  });
  return Object.fromEntries(entries);
}
