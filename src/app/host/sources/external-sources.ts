import { realpathSync } from "node:fs";
import { join } from "node:path";
import type { ToolSource } from "../../../core/source.ts";
import type { ToolDirectory } from "../../../sources/external/discover.ts";
import { hashPrograms } from "../../../sources/external/discover.ts";
import type { ExternalToolSettings } from "../../../sources/external/source.ts";
import { createExternalSource } from "../../../sources/external/source.ts";
import { childEnvironment } from "../../../system/process/environment.ts";
import type { IsTrusted } from "../../config/files/trust.ts";
import type { Config } from "../../config/config.ts";
import { EXTERNAL_PROFILE } from "../../config/config.ts";
import { packageFile } from "../../../system/package-files.ts";

/** Something of a project that is run, and so has to be trusted first. */
export interface ProjectItem {
  readonly kind: "tool";
  readonly name: string;
  /** Of its content, SHA-256. */
  readonly hash: string;
}

export interface ExternalSourcesOptions {
  readonly isTrusted: IsTrusted;
  /** Where running programs are noted; left out: nowhere. */
  readonly stateFolder?: string;
}

/**
 * The folders of programs that the settings name, one source each, so that one that cannot be read hurts no other: under the
 * profile `external` the package's own, then the user's, the project's and those that were configured.
 */
export function externalSources(config: Config, options: ExternalSourcesOptions): readonly ToolSource[] {
  const { home, workspace, toolDirectories, profile } = config;
  const [root] = workspace;
  const userTools = join(home, "tools");
  const projectTools = projectFolder(root);
  const isTrusted: ToolDirectory["isTrusted"] = (name, hash) => options.isTrusted("tool", name, hash);
  const open = (name: string, directory: ToolDirectory, tools?: ExternalToolTable): ToolSource =>
    createExternalSource({
      name: `external:${name}`,
      directories: [directory],
      cwd: root,
      environment: childEnvironment(config.variables, config.environment),
      ...(tools !== undefined && { tools }),
      ...(options.stateFolder !== undefined && { stateFolder: options.stateFolder }),
    });
  const own = ownSettings(config);
  const isProject = canonical(projectTools) !== canonical(userTools);
  return [
    ...(profile === EXTERNAL_PROFILE ? [open("libexec", { path: packageFile("libexec") }, own)] : []),
    open("user", { path: userTools }, own),
    // A project's programs choose their own names: what the user says of a name is not meant for them.
    ...(isProject ? [open("project", { path: projectTools, isTrusted })] : []),
    ...[...new Set(toolDirectories)]
      .filter((path) => path !== userTools)
      .map((path) => open(path, { path }, own)),
  ];
}

/** The programs that a project brings, for whoever decides about trust; none of them is run. */
export async function projectToolItems(root: string): Promise<readonly ProjectItem[]> {
  const programs = await hashPrograms(projectFolder(root));
  return programs.map(({ fileName, hash }) => ({ kind: "tool", name: fileName, hash }));
}

type ExternalToolTable = Readonly<Record<string, ExternalToolSettings>>;

function ownSettings({ externalTools }: Config): ExternalToolTable {
  const entries = Object.entries(externalTools).map(([name, { timeoutSeconds, ...rest }]) => {
    return [
      name,
      { ...rest, ...(timeoutSeconds !== undefined && { timeoutMs: timeoutSeconds * 1000 }) },
    ] as const;
  });
  return Object.fromEntries(entries);
}

function projectFolder(root: string): string {
  return join(root, ".toolwright", "tools");
}

/** In the user's home the project's folder is the user's own. */
function canonical(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
