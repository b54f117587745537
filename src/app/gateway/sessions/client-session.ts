import type { Telemetry } from "../../../adapters/opentelemetry/telemetry.ts";
import type { Approvals } from "../types/public-types.ts";
import { defined } from "../../../util/json/defined.ts";
import { ToolError } from "../../../core/errors.ts";
import type { ToolResult } from "../../../core/result.ts";
import type { Artifacts } from "../../../core/store/artifacts.ts";
import type { Progress } from "../../../core/context.ts";
import type { Subject } from "../../../core/subject.ts";
import type { Ceiling } from "../../../core/policy.ts";
import type { Engine } from "../../../engine/types/engine.ts";
import type { ToolLimit } from "../../../engine/types/registry.ts";
import type { Slots } from "../../../util/async/slots.ts";
import type { CallOptions, RunOptions, Slot } from "../../../engine/types/options.ts";
import type { ClientAnswer, ClientCall, ClientFace } from "../types/gateway-types.ts";
import { READ_ARTIFACT, createArtifactResources, readingArtifacts } from "./artifact-resources.ts";
import { sessionFor } from "../../host/people/caller.ts";
import { isObjectSchema, createVisibleTools, isIncluded } from "./visible-tools.ts";

export interface SessionPorts {
  readonly engine: Engine;
  readonly approvals: Approvals;
  readonly artifacts: Artifacts | undefined;
  /** Inactive tools that a client whose ceilings name them gets nonetheless. */
  readonly reduced: ReadonlySet<string>;
  readonly toolLimit: ToolLimit;
  /** Limits how many calls of all clients run at once. */
  readonly slots: Slots;
  /** Runs a call below the span of the client. */
  readonly below: Telemetry["below"];
  /** Returns the form for a client of that name and protocol version. */
  readonly face: (client: string | undefined, version: string | undefined) => ClientFace;
  /** False: the client gets no form, whatever it can show. */
  readonly mayApprove: boolean;
  /** True: the process serves this client alone. */
  readonly isAlone?: boolean;
  /** The person for whom the client's calls run. */
  readonly subject?: Subject;
  /** Masks secrets in text that reaches the client without passing the engine. */
  readonly mask: (text: string, name?: string) => string;
  /** Replaces the deadlines of the tools. */
  readonly timeoutMs: number | undefined;
}

/** One client's view of the engine: groups, grants, terminals and ceilings of its own. */
export type ClientSession = ReturnType<typeof openClientSession>;

/** Opens a session for one client; its calls run under its ceilings, whatever the engine allows. */
export function openClientSession(
  ports: SessionPorts,
  ceilings: readonly Ceiling[],
  onChanged: (list: "tools" | "resources") => void,
) {
  const { engine, approvals, timeoutMs, mayApprove, isAlone = false, subject } = ports;
  const client = `mcp-${globalThis.crypto.randomUUID()}`;
  const id = sessionFor(subject, client);
  const session = engine.session(id);
  session.groups.allowOnly(namedTools(ports.reduced, ceilings));
  const [running, nextId] = [createRunning(), createCallIds(client)];
  const subscriptions = new Map<string, () => void>();
  const artifacts = createArtifactResources(ports.artifacts, () => {
    onChanged("resources");
    // The tool that reads cut answers is listed from now on.
    if (!isIncluded(ceilings, READ_ARTIFACT)) onChanged("tools");
  });
  const tools = createVisibleTools({
    engine,
    session,
    ceilings,
    limit: ports.toolLimit,
    readsArtifacts: () => artifacts.isAny(),
  });
  // The client marks untrusted text itself.
  const common: RunOptions = { session: id, fence: false, ...defined({ timeoutMs, subject }) };
  return {
    id,
    mayApprove,
    face: ports.face,
    mask: ports.mask,
    /** Returns whether every answer of the tool has data of an output schema that clients are shown. */
    hasOutput: (name: string) => isObjectSchema(engine.get(name)?.output),
    tools,
    artifacts,
    /** Functions that end the client's resource subscriptions, by address; `close` calls all of them. */
    subscriptions,
    /** Returns true while a call of the client runs, whether or not the client still listens. */
    isBusy: running.isAny,
    /** Passes on progress of a running call of the client; that of any other is ignored. */
    progressed: running.progressed,
    /** Never rejects. */
    async call(given: ClientCall): Promise<ClientAnswer> {
      const { name, input, controller, traceparent, onProgress, onWaiting, context = [] } = given;
      const callId = nextId();
      const approved = { id: callId, session: id, isAlone, ...defined({ client: given.client }) };
      const stop = approvals.during(approved, mayApprove ? given.ask : undefined, onWaiting);
      running.enter(callId, { controller, onProgress });
      const limits = artifacts.isOwn(name, input) ? readingArtifacts(ceilings) : ceilings;
      const engineCall = { id: callId, name, input };
      const options = { ...common, ceilings: limits, signal: controller.signal, context };
      const run = (slot: Slot) =>
        ports.below(traceparent, () => engine.run(engineCall, withSlot(options, slot)));
      const result = await ports.slots.use(run, options.signal);
      stop();
      running.leave(callId);
      return { result: withReason(result, options.signal), link: () => artifacts.note(result) };
    },
    /** Cancels the client's calls, and all later ones: each is answered, and says why. */
    stop: running.stop,
    /** Cancels the client's calls and closes everything that lives as long as its session. */
    async close(): Promise<void> {
      running.stop();
      for (const stop of subscriptions.values()) stop();
      subscriptions.clear();
      await session.close();
    },
  };
}

/** The engine gives the slot up while the call waits for approval. */
export function withSlot<T extends object>(options: T, slot: Slot): T & Pick<CallOptions, "slot"> {
  return { ...options, slot };
}

/** Returns ids in ascending order, so that the journal appends. */
function createCallIds(session: string): () => string {
  let made = 0;
  return () => `${session}-${(made += 1).toString(36).padStart(6, "0")}`;
}

/** The reason of calls that the end of their session cancels. */
const STOPPED = new ToolError("CANCELLED", "Toolwright was stopped during the call");

/** Adds the reason to the answer of a cancelled call: its client did not cancel it. */
function withReason(result: ToolResult, { reason }: AbortSignal): ToolResult {
  if (reason !== STOPPED || result.ok || result.error.code !== "CANCELLED") return result;
  return { ...result, content: [...result.content, { type: "text", text: STOPPED.message }] };
}

/** The running calls. Combining the signals of call and session would cost more than most calls. */
function createRunning() {
  const running = new Map<string, Pick<ClientCall, "controller" | "onProgress">>();
  let isStopped = false;
  return {
    isAny: () => running.size > 0,
    enter(id: string, call: Pick<ClientCall, "controller" | "onProgress">) {
      if (isStopped) call.controller.abort(STOPPED);
      running.set(id, call);
    },
    leave: (id: string) => void running.delete(id),
    progressed: (id: string, progress: Progress) => running.get(id)?.onProgress?.(progress),
    stop: (): void => {
      isStopped = true;
      for (const { controller } of running.values()) controller.abort(STOPPED);
    },
  };
}

/** Returns those of the inactive tools that a ceiling names. */
function namedTools(reduced: ReadonlySet<string>, ceilings: readonly Ceiling[]): readonly string[] {
  if (ceilings.every(({ tools }) => tools === undefined)) return [];
  return [...reduced].filter((name) => isIncluded(ceilings, name));
}
