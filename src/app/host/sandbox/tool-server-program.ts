import { existsSync, mkdirSync, realpathSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import type { ToolContext } from "../../../core/context.ts";
import { ToolError } from "../../../core/errors.ts";
import { HiddenPaths } from "../../../core/session/hidden-paths.ts";
import { intoBox, type BoxName } from "../../../system/box/box.ts";
import { readOnlyBox } from "../../../system/box/read-only-box.ts";
import { RELAY_VARIABLES } from "../../../system/box/relay.ts";
import type { Box, BoxedProgram } from "../../../system/box/types.ts";
import { packageFile } from "../../../system/package-files.ts";
import { childEnvironment } from "../../../system/process/environment.ts";
import { findHidden } from "../../../tools/running/find-hidden.ts";
import { defined } from "../../../util/json/defined.ts";
import { isWithin } from "../../../util/text/paths/is-within.ts";
import { openWorkspaceCopy, type WorkspaceCopy } from "../../../system/copy/workspace-copy.ts";
import type { ConfigGroups, PathSettings } from "../../config/groups.ts";
import { stateFoldersOf } from "../../config/folders.ts";

/** The groups of the config that a tool server in a sandbox needs. */
export type ToolServerConfig = ConfigGroups<"paths" | "environment" | "sandbox" | "web">;

export interface ToolServerStart {
  readonly kind: BoxName | "process";
  readonly config: ToolServerConfig;
  readonly stateFolder?: string | undefined;
  /** Receives a message if something of a sandbox could not be brought to an end. */
  readonly warn?: ((warning: string) => void) | undefined;
}

const MB = 1024 * 1024;

/** Where a tool server is started. */
interface Place extends Pick<ToolServerStart, "kind" | "config"> {
  /** A folder outside the sandbox, which ends with it. */
  readonly folder: string;
  readonly proxySocket?: string;
}

/** Returns the command that runs the tool server in its sandbox. */
export async function programOf(
  place: Place,
  context: ToolContext,
  signal: AbortSignal,
): Promise<BoxedProgram> {
  const { kind, config, folder, proxySocket } = place;
  const {
    paths: { workspace },
    environment: { variables },
  } = config;
  const { image, mounts } = config.sandbox.options;
  const environment = childEnvironment(variables, config.environment.names);
  const isCopy = config.sandbox.options.workspace === "copy";
  const isContainer = kind === "podman" || kind === "docker";
  const isOwnImage = image !== undefined && isContainer;
  if (!mounts && !isContainer)
    throw new ToolError("UNAVAILABLE", `the sandbox ${kind} cannot work without mounts`, {
      hint: "use podman or docker",
    });
  const server = isOwnImage
    ? { file: "toolwright-tool-server", before: [] }
    : { file: process.execPath, before: [packageFile("bin/toolwright-tool-server.js")] };
  const program = {
    file: server.file,
    args: [
      ...server.before,
      "--stdio",
      ...workspace.flatMap((one) => ["--workspace", one]),
      // What is deleted of a copy is still in the workspace.
      ...(isCopy ? ["--trash", trashOf(folder, { isMounted: mounts })] : []),
      ...[...config.environment.names, ...proxyVariables(place)].flatMap((one) => ["--environment", one]),
    ],
    cwd: workspace[0],
    // The programs of an image are where its own PATH says.
    environment: isOwnImage ? withoutPath(environment) : environment,
  };
  if (kind === "process") {
    if (isCopy) refuseCopy();
    return program;
  }
  const box = await boxOf({ config, folder }, environment, context, signal);
  return intoBox(program, { ...box, ...defined({ proxySocket }) }, kind);
}

/** Returns the folder for what is deleted of a copy: one that the sandbox sees, and that ends with it. */
function trashOf(folder: string, { isMounted }: { readonly isMounted: boolean }): string {
  return isMounted ? join(folder, "trash") : "/tmp/trash";
}

function refuseCopy(): never {
  throw new ToolError("UNAVAILABLE", "a process without isolation cannot work on a copy of the workspace", {
    hint: "use bubblewrap, podman or docker",
  });
}

/** Returns the variables by which the sandbox tells programs of its proxy. */
function proxyVariables({ kind, proxySocket }: Place): readonly string[] {
  if (kind === "srt") return OF_SRT;
  return proxySocket === undefined ? [] : RELAY_VARIABLES;
}

const OF_SRT = ["HTTP", "HTTPS", "ALL", "NO", "FTP", "GRPC"].flatMap((name) => [
  `${name}_PROXY`,
  `${name.toLowerCase()}_proxy`,
]);

function withoutPath({
  PATH: _path,
  ...rest
}: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return rest;
}

async function boxOf(
  { config, folder }: Pick<Place, "config" | "folder">,
  environment: Readonly<Record<string, string>>,
  context: ToolContext,
  signal: AbortSignal,
): Promise<Box> {
  const {
    paths: { workspace, userHome: home },
    sandbox: { options: sandboxOptions },
  } = config;
  const { network, domains, memoryMb, processes, tmpMb, image, mounts } = sandboxOptions;
  const isHidden = context.find(HiddenPaths);
  const denied = isHidden === undefined ? [] : await findHidden(workspace, isHidden, signal);
  const copies = sandboxOptions.workspace === "copy" ? await copyOf(config.paths).prepare(denied) : undefined;
  const trash = copies === undefined ? [] : [trashOf(folder, { isMounted: true })];
  for (const one of trash) mkdirSync(one);
  return {
    ...readOnlyBox({
      workspace,
      paths: packagePaths(),
      home,
      searchPath: environment["PATH"] ?? "",
      hidden: [
        config.paths.home,
        ...(config.paths.store === ":memory:" ? [] : [config.paths.store]),
        // To cover what the copy does not have would create its name there.
        ...denied.filter((path) => isIn(path, copies)),
      ],
      repositories: [],
    }),
    workspace: [...workspace, ...trash],
    hasNetwork: network,
    domains,
    limits: { memoryBytes: memoryMb * MB, processes, tmpBytes: tmpMb * MB },
    ownFolder: folder,
    isShielded: true,
    isMounted: mounts,
    ...defined({ image, copies }),
  };
}

function isIn(path: string, copies: ReadonlyMap<string, string> | undefined): boolean {
  for (const [folder, copy] of copies ?? [])
    if (isWithin(path, folder)) return existsSync(join(copy, relative(folder, path)));
  return true;
}

/** Returns the copy of the workspace that sandboxes of this config change. */
export function copyOf(paths: PathSettings): WorkspaceCopy {
  const { copies, changes } = stateFoldersOf(paths);
  return openWorkspaceCopy({ workspace: paths.workspace, folder: copies, locksFolder: changes });
}

/** Returns what the server loads: Node, which may be in no folder of the PATH, our built files, and the packages beside or below them. */
function packagePaths(): readonly string[] {
  const root = packageFile("");
  const packages = [
    join(root, "node_modules"),
    ...(basename(dirname(root)) === "node_modules" ? [dirname(root)] : []),
  ];
  const own = ["bin", "dist", "package.json", "templates"].map((name) => join(root, name));
  const links = packages.flatMap((one) => (existsSync(one) ? [one, realpathSync(one)] : []));
  return [...new Set([process.execPath, ...own, ...links])];
}
