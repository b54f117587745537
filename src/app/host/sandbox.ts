import { randomBytes } from "node:crypto";
import { existsSync, realpathSync } from "node:fs";
import { open, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { ToolContext } from "../../core/context.ts";
import { ToolError } from "../../core/errors.ts";
import type { Executor } from "../../core/executor.ts";
import type { Job } from "../../core/job.ts";
import { HiddenPaths } from "../../core/session/hidden-paths.ts";
import { createSandboxExecutor, type StartedServer } from "../../remote/sandbox-executor.ts";
import { reserveProtected } from "../../sources/mcp/transport/reserve-protected.ts";
import { intoBox, probeBoxes } from "../../system/box/box.ts";
import { readOnlyBox } from "../../system/box/read-only-box.ts";
import type { Box, BoxedProgram } from "../../system/box/types.ts";
import { packageFile } from "../../system/package-files.ts";
import { childEnvironment } from "../../system/process/environment.ts";
import { runProcess, type ProcessEnd } from "../../system/process/process.ts";
import { createRoster } from "../../system/process/roster.ts";
import { makeTemporaryFolder } from "../../system/process/temporary-folder.ts";
import { findHidden } from "../../tools/running/find-hidden.ts";
import { withTimeout } from "../../util/async/with-timeout.ts";
import { errorMessage } from "../../util/text/error-message.ts";
import type { Config } from "../config/config.ts";
import type { SandboxKind } from "../config/setting-values.ts";

/** The sandbox that a config chose. */
export interface Sandbox {
  readonly kind: Exclude<SandboxKind, "auto" | "none">;
  readonly executor: Executor;
  /** Returns true for a job that can reach neither the network nor files outside the workspace. */
  readonly isConfined: (job: Job) => boolean;
}

/** The chosen sandbox, or a warning if `auto` found none that works; neither without a setting. */
export interface ChosenSandbox {
  readonly sandbox?: Sandbox;
  readonly warning?: string;
}

/** Chooses the sandbox of the config. Rejects with `UNAVAILABLE` if one that is named does not work: nothing runs outside it then. */
export async function chooseSandbox(config: Config, stateFolder: string | undefined): Promise<ChosenSandbox> {
  const { sandbox: wanted } = config;
  if (wanted === "none") return {};
  if (wanted === "process") return { sandbox: createSandbox("process", config, stateFolder) };
  const probe = await probeBoxes();
  const kind = process.platform === "darwin" ? "seatbelt" : "bubblewrap";
  if (probe.works && (wanted === "auto" || wanted === kind))
    return { sandbox: createSandbox(kind, config, stateFolder) };
  const reason = probe.works ? `there is no ${wanted} on ${process.platform}` : probe.reason;
  const hint = probe.works ? `use ${kind} or auto` : probe.hint;
  if (wanted === "auto")
    return { warning: `no sandbox is available, programs run on the host: ${reason}; ${hint}` };
  throw new ToolError("UNAVAILABLE", `the sandbox ${wanted} is not available: ${reason}`, { hint });
}

/** Tools that run programs, and those about what they started. File tools stay on the host, where their paths were judged. */
const SANDBOXED: ReadonlySet<string> = new Set([
  "shell",
  "view_background_processes",
  "stop_background_process",
  "python_action",
]);

function createSandbox(kind: Sandbox["kind"], config: Config, stateFolder: string | undefined): Sandbox {
  const takes = (job: Job): boolean =>
    job.tool.source === "built-in" && SANDBOXED.has(job.tool.name) && !runsElsewhere(job);
  return {
    kind,
    executor: createSandboxExecutor({
      takes,
      note: NOTE,
      start: (context) => startServer({ kind, config, stateFolder }, context),
    }),
    isConfined: (job) => kind !== "process" && !config.sandboxOptions.network && takes(job),
  };
}

const NOTE =
  "[it ran in a sandbox with only the workspace and the programs of this machine; if it failed because of that, outside_sandbox: true asks for approval to run it on the host]";

/**
 * A command that is only proven to read has a read-only sandbox of its own, unless it lasts: what later calls see of it is in the
 * session's sandbox. One that asked for the host runs there.
 */
function runsElsewhere({ facts, input }: Job): boolean {
  const lasts = input["background"] === true || input["terminal_id"] !== undefined;
  return facts.some(
    (fact) => fact.kind === "command" && (fact.outside === true || (fact.place === "sandbox" && !lasts)),
  );
}

interface ServerOptions {
  readonly kind: Sandbox["kind"];
  readonly config: Config;
  readonly stateFolder: string | undefined;
}

/** How long the server may take to listen. */
const START_MS = 30_000;
const KILL_MS = 1000;

/** Starts a tool server in a sandbox of its own, on a socket in a new folder. */
async function startServer(
  { kind, config, stateFolder }: ServerOptions,
  context: ToolContext,
): Promise<StartedServer> {
  const folder = await makeTemporaryFolder();
  const held = await openShortly(folder);
  const release = kind === "process" ? () => undefined : reserveProtected(config.workspace);
  const token = randomBytes(32).toString("hex");
  const ending = new AbortController();
  const listening = Promise.withResolvers<void>();
  let printed = "";
  const cleanUp = async (): Promise<void> => {
    release();
    await held.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const program = await programOf({ kind, config, folder }, context);
    const running = runProcess({
      ...program,
      env: program.environment,
      roster: createRoster(stateFolder),
      signal: ending.signal,
      graceMs: KILL_MS,
      // The input stays open: its end tells the server that this process is gone.
      stdin: (input) => void input.write(`${token}\n`),
      onOutput({ text }) {
        if (printed.length < MAX_PRINTED) printed += text;
        if (printed.includes("listening on ")) listening.resolve();
      },
    });
    const ended = running.then(describeEnd, errorMessage).then(async (reason) => {
      await cleanUp().catch(() => undefined);
      return reason;
    });
    const failed = ended.then((reason) => {
      throw new ToolError("UNAVAILABLE", `the sandbox did not start: ${reason}: ${printed.trim()}`);
    });
    failed.catch(() => undefined);
    await withTimeout(Promise.race([listening.promise, failed]), START_MS, () => {
      ending.abort();
      throw new ToolError("UNAVAILABLE", `the sandbox did not start within ${START_MS / 1000} s`);
    });
    return {
      address: { socketPath: join(held.path, SOCKET) },
      token,
      ended,
      async stop() {
        ending.abort();
        await ended;
      },
    };
  } catch (error) {
    ending.abort();
    await cleanUp();
    throw error;
  }
}

const SOCKET = "socket";
const MAX_SOCKET_PATH = 100;

/** Returns a short path to a folder: that of a socket has at most 107 bytes. */
async function openShortly(folder: string): Promise<{ readonly path: string; close(): Promise<void> }> {
  if (Buffer.byteLength(folder) + SOCKET.length < MAX_SOCKET_PATH || process.platform !== "linux")
    return { path: folder, close: async () => undefined };
  const handle = await open(folder, "r");
  return { path: `/proc/self/fd/${handle.fd}`, close: () => handle.close() };
}

const MAX_PRINTED = 4000;

function describeEnd({ exitCode, signal }: ProcessEnd): string {
  return signal === null ? `it ended with exit code ${exitCode}` : `it was ended by ${signal}`;
}

async function programOf(
  { kind, config, folder }: Pick<ServerOptions, "kind" | "config"> & { readonly folder: string },
  context: ToolContext,
): Promise<BoxedProgram> {
  const { workspace, userHome: home, variables } = config;
  const environment = childEnvironment(variables, config.environment);
  const program = {
    file: process.execPath,
    args: [
      packageFile("bin/toolwright-tool-server.js"),
      "--token-stdin",
      "--socket",
      join(folder, SOCKET),
      ...workspace.flatMap((one) => ["--workspace", one]),
      ...config.environment.flatMap((one) => ["--environment", one]),
    ],
    cwd: workspace[0],
    environment,
  };
  if (kind === "process") return program;
  const isHidden = context.find(HiddenPaths);
  // Other calls wait for this start too: it goes on if the first of them is cancelled.
  const { signal } = new AbortController();
  const denied = isHidden === undefined ? [] : await findHidden(workspace, isHidden, signal);
  const readOnly = readOnlyBox({
    workspace,
    paths: packagePaths(),
    home,
    searchPath: environment["PATH"] ?? "",
    hidden: [config.home, ...(config.store === ":memory:" ? [] : [config.store]), ...denied],
    repositories: [],
  });
  const box: Box = {
    ...readOnly,
    workspace: [...workspace, folder],
    hasNetwork: config.sandboxOptions.network,
  };
  return intoBox(program, box);
}

/** Returns what the server loads: our built files, and the packages beside or below them. */
function packagePaths(): readonly string[] {
  const root = packageFile("");
  const packages = [
    join(root, "node_modules"),
    ...(basename(dirname(root)) === "node_modules" ? [dirname(root)] : []),
  ];
  const own = ["bin", "dist", "templates", "package.json"].map((name) => join(root, name));
  const links = packages.flatMap((one) => (existsSync(one) ? [one, realpathSync(one)] : []));
  return [...new Set([...own, ...links])];
}
