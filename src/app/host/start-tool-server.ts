import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, realpathSync } from "node:fs";
import { rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { ToolContext } from "../../core/context.ts";
import { ToolError } from "../../core/errors.ts";
import { HiddenPaths } from "../../core/session/hidden-paths.ts";
import type { StartedServer } from "../../remote/sandbox-executor.ts";
import { intoBox, type BoxName } from "../../system/box/box.ts";
import { readOnlyBox } from "../../system/box/read-only-box.ts";
import { reserveProtected } from "../../system/box/reserve-protected.ts";
import type { Box, BoxedProgram } from "../../system/box/types.ts";
import { packageFile } from "../../system/package-files.ts";
import { openShortly } from "../../system/paths/open-shortly.ts";
import { childEnvironment } from "../../system/process/environment.ts";
import { runProcess, type ProcessEnd } from "../../system/process/process.ts";
import { createRoster } from "../../system/process/roster.ts";
import { makeTemporaryFolder } from "../../system/process/temporary-folder.ts";
import { findHidden } from "../../tools/running/find-hidden.ts";
import { withTimeout } from "../../util/async/with-timeout.ts";
import { defined } from "../../util/json/defined.ts";
import { errorMessage } from "../../util/text/error-message.ts";
import { openWorkspaceCopy, type WorkspaceCopy } from "../../system/copy/workspace-copy.ts";
import type { Config } from "../config/config.ts";
import { bridgeSocket } from "./bridge-socket.ts";
import { storeCompiledServer } from "./store-compiled-server.ts";
import { stateFoldersOf } from "../config/folders.ts";

export interface ToolServerStart {
  readonly kind: BoxName | "process";
  readonly config: Config;
  readonly stateFolder?: string | undefined;
}

/** How long the server may take to listen. */
const START_MS = 30_000;
const KILL_MS = 1000;
const MB = 1024 * 1024;

/** Starts a tool server in a sandbox of its own, on a socket in a new folder. An aborted signal ends the start. */
export async function startToolServer(
  { kind, config, stateFolder }: ToolServerStart,
  context: ToolContext,
  signal: AbortSignal,
): Promise<StartedServer> {
  const folder = await makeTemporaryFolder();
  const shared = join(folder, SHARED);
  mkdirSync(shared);
  const held = await openShortly(shared);
  const release = kind === "process" ? () => undefined : reserveProtected(config.workspace);
  const ending = new AbortController();
  const abort = (): void => ending.abort();
  signal.addEventListener("abort", abort, { once: true });
  let storing: Promise<void> | undefined;
  let closeBridge = (): void => undefined;
  const cleanUp = async (): Promise<void> => {
    release();
    closeBridge();
    await storing;
    await held.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const program = await programOf({ kind, config, folder }, context, signal);
    signal.throwIfAborted();
    const token = randomBytes(32).toString("hex");
    if (program.inside !== undefined)
      closeBridge = await bridgeSocket(join(held.path, SOCKET), join(UNSHARED, SOCKET), program);
    const { listening, ended } = launch(program, { token, stateFolder, signal: ending.signal, cleanUp });
    const stop = async (): Promise<void> => {
      ending.abort();
      await ended;
    };
    await withTimeout(listening, START_MS, () => {
      throw new ToolError("UNAVAILABLE", `the sandbox did not start within ${START_MS / 1000} s`);
    }).catch(async (error: unknown) => {
      await stop();
      throw error;
    });
    if (kind !== "process") storing = storeCompiledServer(folder);
    return { address: { socketPath: join(held.path, SOCKET) }, token, ended, stop };
  } catch (error) {
    await cleanUp().catch(() => undefined);
    throw error;
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

interface Launch {
  readonly token: string;
  readonly stateFolder: string | undefined;
  /** Ends the program. */
  readonly signal: AbortSignal;
  readonly cleanUp: () => Promise<void>;
}

interface Launched {
  /** Rejects if the program ends before it listens. */
  readonly listening: Promise<void>;
  /** Resolves with the reason, when nothing of the program is left. */
  readonly ended: Promise<string>;
}

function launch(program: BoxedProgram, { token, stateFolder, signal, cleanUp }: Launch): Launched {
  const listening = Promise.withResolvers<void>();
  let printed = "";
  const running = runProcess({
    ...program,
    env: program.environment,
    roster: createRoster(stateFolder),
    signal,
    graceMs: KILL_MS,
    // The input stays open: its end tells the server that this process is gone.
    stdin: (input) => void input.write(`${token}\n`),
    onOutput({ text }) {
      if (printed.length < MAX_PRINTED) printed += text;
      if (printed.includes("listening on ")) listening.resolve();
    },
  });
  const ended = running.then(describeEnd, errorMessage).then(async (reason) => {
    await program.atEnd?.().catch(() => undefined);
    await cleanUp().catch(() => undefined);
    listening.reject(new ToolError("UNAVAILABLE", `the sandbox did not start: ${reason}: ${printed.trim()}`));
    return reason;
  });
  listening.promise.catch(() => undefined);
  return { listening: listening.promise, ended };
}

/** The folder that the sandbox sees. */
const SHARED = "shared";
/** The folder of the server in a sandbox that shares no files with this machine. */
const UNSHARED = "/tmp";
const SOCKET = "socket";

const MAX_PRINTED = 4000;

function describeEnd({ exitCode, signal }: ProcessEnd): string {
  return signal === null ? `it ended with exit code ${exitCode}` : `it was ended by ${signal}`;
}

async function programOf(
  { kind, config, folder }: Pick<ToolServerStart, "kind" | "config"> & { readonly folder: string },
  context: ToolContext,
  signal: AbortSignal,
): Promise<BoxedProgram> {
  const { workspace, variables } = config;
  const { image, mounts } = config.sandboxOptions;
  const environment = childEnvironment(variables, config.environment);
  const shared = mounts ? join(folder, SHARED) : UNSHARED;
  const isCopy = config.sandboxOptions.workspace === "copy";
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
      "--token-stdin",
      "--socket",
      join(shared, SOCKET),
      ...workspace.flatMap((one) => ["--workspace", one]),
      // What is deleted of a copy is still in the workspace.
      ...(isCopy ? ["--trash", join(shared, "trash")] : []),
      ...[...config.environment, ...(kind === "srt" ? PROXIES : [])].flatMap((one) => ["--environment", one]),
    ],
    cwd: workspace[0],
    // The programs of an image are where its own PATH says.
    environment: isOwnImage ? withoutPath(environment) : environment,
  };
  if (kind === "process") {
    if (isCopy) refuseCopy();
    return program;
  }
  return intoBox(program, await boxOf({ config, folder }, environment, context, signal), kind);
}

function refuseCopy(): never {
  throw new ToolError("UNAVAILABLE", "a process without isolation cannot work on a copy of the workspace", {
    hint: "use bubblewrap, podman or docker",
  });
}

/** The variables by which srt tells programs of its proxies. */
const PROXIES = ["HTTP", "HTTPS", "ALL", "NO", "FTP", "GRPC"].flatMap((name) => [
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
  { config, folder }: { readonly config: Config; readonly folder: string },
  environment: Readonly<Record<string, string>>,
  context: ToolContext,
  signal: AbortSignal,
): Promise<Box> {
  const { workspace, userHome: home, sandboxOptions } = config;
  const { network, domains, memoryMb, processes, tmpMb, image, mounts } = sandboxOptions;
  const isHidden = context.find(HiddenPaths);
  const denied = isHidden === undefined ? [] : await findHidden(workspace, isHidden, signal);
  const copies = sandboxOptions.workspace === "copy" ? await copyOf(config).prepare() : undefined;
  return {
    ...readOnlyBox({
      workspace,
      paths: packagePaths(),
      home,
      searchPath: environment["PATH"] ?? "",
      hidden: [config.home, ...(config.store === ":memory:" ? [] : [config.store]), ...denied],
      repositories: [],
    }),
    workspace: [...workspace, join(folder, SHARED)],
    hasNetwork: network,
    domains,
    limits: { memoryBytes: memoryMb * MB, processes, tmpBytes: tmpMb * MB },
    ownFolder: folder,
    isShielded: true,
    isMounted: mounts,
    ...defined({ image, copies }),
  };
}

/** Returns the copy of the workspace that sandboxes of this config change. */
export function copyOf(config: Config): WorkspaceCopy {
  const { copies, changes } = stateFoldersOf(config);
  return openWorkspaceCopy({ workspace: config.workspace, folder: copies, locksFolder: changes });
}

/** Returns what the server loads: our built files, and the packages beside or below them. */
function packagePaths(): readonly string[] {
  const root = packageFile("");
  const packages = [
    join(root, "node_modules"),
    ...(basename(dirname(root)) === "node_modules" ? [dirname(root)] : []),
  ];
  const own = ["bin", "dist", "package.json", "templates"].map((name) => join(root, name));
  const links = packages.flatMap((one) => (existsSync(one) ? [one, realpathSync(one)] : []));
  return [...new Set([...own, ...links])];
}
