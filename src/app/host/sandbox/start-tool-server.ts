import { rm } from "node:fs/promises";
import type { Writable } from "node:stream";
import type { ToolContext } from "../../../core/context.ts";
import { ToolError } from "../../../core/errors.ts";
import { createToolClient } from "../../../remote/client.ts";
import type { StartedServer } from "../../../remote/sandbox-executor.ts";
import { reserveProtected } from "../../../system/box/reserve-protected.ts";
import type { BoxedProgram } from "../../../system/box/types.ts";
import { describeEnd, runProcess } from "../../../system/process/process.ts";
import { createRoster, type Roster } from "../../../system/process/roster.ts";
import { makeTemporaryFolder } from "../../../system/process/temporary-folder.ts";
import { withTimeout } from "../../../util/async/with-timeout.ts";
import { defined } from "../../../util/json/defined.ts";
import { errorMessage } from "../../../util/text/error-message.ts";
import type { SandboxSettings } from "../../config/groups.ts";
import { openBoxProxy, type BoxProxy } from "./open-box-proxy.ts";
import { storeCompiledServer } from "./store-compiled-server.ts";
import { type ToolServerStart, programOf } from "./tool-server-program.ts";

/** How long the server may take to be ready. */
const START_MS = 30_000;
const KILL_MS = 1000;

/** Starts a tool server in a sandbox of its own. An aborted signal ends the start. */
export async function startToolServer(
  { kind, config, stateFolder, warn }: ToolServerStart,
  context: ToolContext,
  signal: AbortSignal,
): Promise<StartedServer> {
  const roster = createRoster(stateFolder);
  const release =
    kind === "process" ? () => Promise.resolve() : await reserveProtected(config.paths.workspace, roster);
  const folder = await makeTemporaryFolder().catch(async (error: unknown) => {
    await release();
    throw error;
  });
  const ending = new AbortController();
  const abort = (): void => ending.abort();
  signal.addEventListener("abort", abort, { once: true });
  let storing: Promise<void> | undefined;
  let proxy: BoxProxy | undefined;
  const cleanUp = async (): Promise<void> => {
    await release();
    await proxy?.close();
    await storing;
    await rm(folder, { recursive: true, force: true });
  };
  try {
    if (needsProxy(kind, config.sandbox)) proxy = await openBoxProxy(config, folder, context);
    const place = { kind, config, folder, ...defined({ proxySocket: proxy?.socketPath }) };
    const program = await programOf(place, context, signal);
    signal.throwIfAborted();
    const { client, ready, ended } = launch(program, { roster, warn, signal: ending.signal, cleanUp });
    const stop = async (): Promise<void> => {
      ending.abort();
      await ended;
    };
    await withTimeout(ready, START_MS, () => {
      throw new ToolError("UNAVAILABLE", `the sandbox did not start within ${START_MS / 1000} s`);
    }).catch(async (error: unknown) => {
      await stop();
      throw error;
    });
    if (kind !== "process") storing = storeCompiledServer(folder);
    return { client, ended, stop };
  } catch (error) {
    await cleanUp().catch(() => undefined);
    throw error;
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

/** Srt has proxies of its own, and the others know no domains. */
function needsProxy(
  kind: ToolServerStart["kind"],
  { options: { domains, network } }: SandboxSettings,
): boolean {
  return kind === "bubblewrap" && domains.length > 0 && !network;
}

interface Launch extends Pick<ToolServerStart, "warn"> {
  readonly roster: Roster;
  /** Ends the program. */
  readonly signal: AbortSignal;
  readonly cleanUp: () => Promise<void>;
}

/** Starts the program. `ready` rejects if it ends before it takes calls; `ended` resolves with the reason, when nothing of it is left. */
function launch(program: BoxedProgram, { roster, warn, signal, cleanUp }: Launch) {
  let input: Writable | undefined;
  let printed = "";
  const client = createToolClient((line) => void input?.write(line));
  const running = runProcess({
    ...program,
    env: program.environment,
    roster,
    signal,
    graceMs: KILL_MS,
    // It stays open: its end tells the server that this process is gone.
    stdin: (stream) => void (input = stream),
    onOutput({ stream, text }) {
      if (stream === "stdout") return client.receive(text);
      if (printed.length < MAX_PRINTED) printed += text;
    },
    onStdoutEnd: () => client.close("its output ended"),
  });
  const ended = running
    .then((end) => `it ${describeEnd(end)}`, errorMessage)
    .then(async (reason) => {
      client.close(reason);
      await program.atEnd?.().catch((error: unknown) => warn?.(errorMessage(error)));
      await cleanUp().catch(() => undefined);
      return reason;
    });
  const failed = ended.then((reason): never => {
    throw new ToolError("UNAVAILABLE", `the sandbox did not start: ${reason}: ${printed.trim()}`);
  });
  failed.catch(() => undefined);
  return { client, ready: Promise.race([client.ready, failed]), ended };
}

const MAX_PRINTED = 4000;
