import type { Artifacts } from "../../../core/store/artifacts.ts";
import { ActiveTools } from "../../../core/session/active-tools.ts";
import type { Progress, Provided } from "../../../core/context.ts";
import { provide } from "../../../core/context.ts";
import type { JsonObject } from "../../../core/json.ts";
import type { Ceiling } from "../../../core/policy.ts";
import type { ToolResult } from "../../../core/result.ts";
import type { Engine } from "../../../engine/types/engine.ts";
import type { RunOptions } from "../../../engine/types/options.ts";
import type { Approvals, AskClient } from "./approvals.ts";
import type { ArtifactResources } from "./artifact-resources.ts";
import { createArtifactResources } from "./artifact-resources.ts";
import type { ShownTools } from "./shown-tools.ts";
import { createShownTools } from "./shown-tools.ts";

/** One call as a client makes it. */
export interface ClientCall {
  readonly name: string;
  readonly input: unknown;
  /** Ends the call. It is the call's own, and aborted when the client has gone. */
  readonly ending: AbortController;
  /** Left out: this client cannot ask anybody. */
  readonly ask?: AskClient;
  /** Hears what the tool tells while it runs. */
  readonly hear?: (progress: Progress) => void;
  /** For the tool, besides what every call has. */
  readonly context?: readonly Provided[];
}

/** An answer, and the link to what was cut from it. */
export interface ClientAnswer {
  readonly result: ToolResult;
  readonly link: JsonObject | undefined;
}

/** One client's view of the engine: groups, grants, terminals and a ceiling of its own. */
export interface ClientSession {
  readonly id: string;
  readonly tools: ShownTools;
  readonly artifacts: ArtifactResources;
  /** What ends the client's watch over a resource, by its address; all are called at the end. */
  readonly subscriptions: Map<string, () => void>;
  /** True while a call of the client runs, whether or not it still listens. */
  isBusy(): boolean;
  /** Never rejects. */
  call(call: ClientCall): Promise<ClientAnswer>;
  /** Ends what runs for this client and what lives as long as its session. */
  close(): Promise<void>;
}

export interface SessionPorts {
  readonly engine: Engine;
  readonly approvals: Approvals;
  readonly artifacts: Artifacts | undefined;
  readonly toolLimit: number;
  readonly version: () => number;
  /** Over every tool's own deadline. */
  readonly timeoutMs: number | undefined;
  /** Until it is called back, what a call tells is heard there. */
  readonly hearDuring: (callId: string, hear: (progress: Progress) => void) => () => void;
}

export interface SessionOptions {
  readonly ceilings: readonly Ceiling[];
  readonly onChanged: (what: "tools" | "resources") => void;
}

/** Opens a session for a client that has come; calls of it run under the ceiling, whatever the engine allows. */
export function openClientSession(
  ports: SessionPorts,
  { ceilings, onChanged }: SessionOptions,
): ClientSession {
  const { engine, approvals, timeoutMs } = ports;
  const session = engine.session(`mcp-${globalThis.crypto.randomUUID()}`);
  const { id } = session;
  const running = createRunning();
  const subscriptions = new Map<string, () => void>();
  let made = 0;
  const artifacts = createArtifactResources(ports.artifacts);
  const tools = createShownTools({
    engine,
    session,
    ceilings,
    limit: ports.toolLimit,
    version: ports.version,
    onChosen: () => onChanged("tools"),
  });
  const common: RunOptions = {
    session: id,
    ceilings,
    // A client marks by itself what its servers say.
    fence: false,
    ...(timeoutMs !== undefined && { timeoutMs }),
  };
  return {
    id,
    tools,
    artifacts,
    subscriptions,
    isBusy: running.isAny,
    async call({ name, input, ending, ask, hear, context = [] }) {
      // In the order of their numbers, so that a journal writes one behind the other.
      made += 1;
      const callId = `${id}-${made.toString(36).padStart(6, "0")}`;
      const stopAsking = ask && approvals.during({ id: callId, session: id }, ask);
      const stopHearing = hear && ports.hearDuring(callId, hear);
      const leave = running.enter(ending);
      const limited = tools.limited();
      const given = limited === undefined ? context : [...context, provide(ActiveTools, limited)];
      const result = await engine.run(
        { id: callId, name, input },
        { ...common, signal: ending.signal, context: given },
      );
      stopAsking?.();
      stopHearing?.();
      leave();
      const link = artifacts.note(result);
      if (link !== undefined) onChanged("resources");
      return { result, link };
    },
    async close() {
      running.close();
      for (const stop of subscriptions.values()) stop();
      subscriptions.clear();
      await session.close();
    },
  };
}

interface Running {
  readonly isAny: () => boolean;
  enter(ending: AbortController): () => void;
  close(): void;
}

/** The calls that run now. A signal made of the call's and the session's would cost more than most calls. */
function createRunning(): Running {
  const running = new Set<AbortController>();
  let isClosed = false;
  return {
    isAny: () => running.size > 0,
    enter(ending) {
      if (isClosed) ending.abort();
      running.add(ending);
      return () => void running.delete(ending);
    },
    close() {
      isClosed = true;
      for (const ending of running) ending.abort();
    },
  };
}
