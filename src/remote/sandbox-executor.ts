import { readFile } from "node:fs/promises";
import { Reply } from "../core/content.ts";
import { createKey, type Key, type ToolContext } from "../core/context.ts";
import { ToolError } from "../core/errors.ts";
import type { Executor } from "../core/executor.ts";
import type { Job } from "../core/job.ts";
import { isObject } from "../core/json.ts";
import { SessionProxyKey } from "../core/session/session-proxy.ts";
import { SessionKey, type SessionResource } from "../core/session/session.ts";
import type { Effects } from "../core/spec.ts";
import { defined } from "../util/json/defined.ts";
import { givenUp, toFault } from "../util/json/fault.ts";
import type { ToolClient } from "./client.ts";
import { createReceivedArtifact, toOutput, toSent } from "./remote-call.ts";
import { MAX_TIMEOUT_MS, type RemoteJob } from "./wire.ts";

/** A tool server that runs. */
export interface StartedServer {
  readonly client: ToolClient;
  /** Resolves with the reason when the server has ended, and all that ran in it. */
  readonly ended: Promise<string>;
  stop(): Promise<void>;
}

export interface SandboxExecutorOptions {
  /** Starts a tool server for the session of a call. Rejects with `UNAVAILABLE` if it cannot. The signal aborts when the session ends. */
  readonly start: (context: ToolContext, signal: AbortSignal) => Promise<StartedServer>;
  /** Returns true for a job that runs in the sandbox; others run on the host. */
  readonly accepts: (job: Job) => boolean;
  /** True if programs in the sandbox reach ports of this machine: then they use the session's proxy if that is on. */
  readonly reachesProxy?: boolean;
  /** Added to the answer of a program that failed with a message, perhaps because of the sandbox. */
  readonly note?: string;
}

/** Creates the executor for the place `sandbox`: each session has a tool server of its own, started at its first call. */
export function createSandboxExecutor(options: SandboxExecutorOptions): Executor {
  const { start, accepts, reachesProxy = false, note } = options;
  return {
    place: "sandbox",
    fallback: "host",
    accepts,
    async execute(job, context) {
      const slot = context.get(SessionKey).getOrCreate(SERVER, () => createServerSlot(start));
      const proxy = reachesProxy ? await proxyOf(context) : undefined;
      // The host's own deadline decides, and cancels the call.
      const limits = { session: "sandbox", timeout_ms: MAX_TIMEOUT_MS };
      const sent = { ...toSent(job), ...limits, ...defined({ proxy }) };
      const reply = await runRemotely(slot, sent, context, job.tool.effects);
      return note !== undefined && hasFailed(reply) ? withNote(reply, note) : reply;
    },
  };
}

/** The tool server of a session. */
interface ServerSlot {
  /** Returns the running server; starts one if there is none, or if it has ended. */
  open(context: ToolContext): Promise<StartedServer>;
}

const SERVER: Key<ServerSlot> = createKey("SandboxServer");

function createServerSlot(start: SandboxExecutorOptions["start"]): SessionResource<ServerSlot> {
  let current: Promise<StartedServer> | undefined;
  const closing = new AbortController();
  /** If it does not start, or when it has ended, the next call starts another. */
  const forgetAtEnd = async (opening: Promise<StartedServer>): Promise<void> => {
    try {
      const { ended } = await opening;
      await ended;
    } catch {
      // The calls that wait for it get the error.
    }
    if (current === opening) current = undefined;
  };
  const openNew = (context: ToolContext): Promise<StartedServer> => {
    const opening = start(context, closing.signal);
    current = opening;
    void forgetAtEnd(opening);
    return opening;
  };
  return {
    value: {
      async open(context) {
        if (closing.signal.aborted) throw new ToolError("UNAVAILABLE", "the session has ended");
        return current ?? openNew(context);
      },
    },
    async close() {
      closing.abort();
      const running = await current?.catch(() => undefined);
      await running?.stop();
    },
  };
}

async function proxyOf(context: ToolContext): Promise<RemoteJob["proxy"]> {
  const proxy = await context.find(SessionProxyKey)?.();
  if (proxy === undefined) return undefined;
  return { url: proxy.url, certificate: await readFile(proxy.caFile, "utf8"), spki: proxy.caSpki };
}

async function runRemotely(
  slot: ServerSlot,
  job: Omit<RemoteJob, "id">,
  context: ToolContext,
  effects: Effects,
): Promise<Reply> {
  const server = await slot.open(context);
  // What was cancelled during the start never reaches the server, which goes on for other calls.
  context.signal.throwIfAborted();
  await using artifact = createReceivedArtifact(context);
  const result = await server.client
    .execute(job, { signal: context.signal, onProgress: context.emit, onArtifact: artifact.receive })
    .catch(async (error: unknown) => {
      // A server that gives no answer is not used again.
      await server.stop();
      const fault = toFault(error);
      // A server that has ended, or was ended here, ran the call.
      if (fault.code !== "TOOL_CRASHED") throw error;
      throw new ToolError(fault.code, fault.message, { ...givenUp(fault, effects), cause: error });
    });
  return toOutput(artifact.withOwnId(result));
}

/** Returns true for a program that ended with another code than 0 and wrote to standard error, and for Python code that failed at the system. */
function hasFailed({ data }: Reply): boolean {
  if (!isObject(data)) return false;
  const { exit_code: code, stderr, exception } = data;
  if (isObject(exception)) return exception["is_system"] === true;
  return typeof code === "number" && code !== 0 && stderr !== "";
}

function withNote({ content, data, truncated }: Reply, note: string): Reply {
  return new Reply([...content, { type: "text", text: note }], defined({ data, truncated }));
}
