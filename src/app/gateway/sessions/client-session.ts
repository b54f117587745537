import { defined } from "../../../util/json/defined.ts";
import type { Artifacts } from "../../../core/store/artifacts.ts";
import { ActiveTools } from "../../../core/session/active-tools.ts";
import { provide, type Progress } from "../../../core/context.ts";
import type { Ceiling } from "../../../core/policy.ts";
import type { Engine } from "../../../engine/types/engine.ts";
import type { RunOptions } from "../../../engine/types/options.ts";
import type { ClientSession, ArtifactResources } from "../types/gateway-types.ts";
import type { Approvals } from "./approvals.ts";
import { createVisibleTools } from "./visible-tools.ts";
import type { JsonObject } from "../../../core/json.ts";

export interface SessionPorts {
  readonly engine: Engine;
  readonly approvals: Approvals;
  readonly artifacts: Artifacts | undefined;
  readonly toolLimit: number;
  readonly version: () => number;
  /** Replaces the deadlines of the tools. */
  readonly timeoutMs: number | undefined;
  /** Passes on the progress of a call until the returned function is called. */
  readonly onProgressOf: (callId: string, listener: (progress: Progress) => void) => () => void;
}

interface SessionOptions {
  readonly ceilings: readonly Ceiling[];
  readonly onChanged: (list: "tools" | "resources") => void;
}

/** Opens a session for one client; its calls run under its ceilings, whatever the engine allows. */
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
  const tools = createVisibleTools({
    engine,
    session,
    ceilings,
    limit: ports.toolLimit,
    version: ports.version,
    onChosen: () => onChanged("tools"),
  });
  // The client marks untrusted text itself.
  const common: RunOptions = { session: id, ceilings, fence: false, ...defined({ timeoutMs }) };
  return {
    id,
    tools,
    artifacts,
    subscriptions,
    isBusy: running.isAny,
    async call({ name, input, controller, ask, onProgress, context = [] }) {
      // Ids in ascending order, so that the journal appends.
      made += 1;
      const callId = `${id}-${made.toString(36).padStart(6, "0")}`;
      const stopAsking = ask && approvals.during({ id: callId, session: id }, ask);
      const stopProgress = onProgress && ports.onProgressOf(callId, onProgress);
      const leave = running.enter(controller);
      const limited = tools.limited();
      const given = limited === undefined ? context : [...context, provide(ActiveTools, limited)];
      const result = await engine.run(
        { id: callId, name, input },
        { ...common, signal: controller.signal, context: given },
      );
      stopAsking?.();
      stopProgress?.();
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

/** The running calls. Combining the signals of call and session would cost more than most calls. */
function createRunning() {
  const running = new Set<AbortController>();
  let isClosed = false;
  return {
    isAny: () => running.size > 0,
    enter(controller: AbortController) {
      if (isClosed) controller.abort();
      running.add(controller);
      return () => void running.delete(controller);
    },
    close() {
      isClosed = true;
      for (const controller of running) controller.abort();
    },
  };
}

const SCHEME = "artifact://";
/** The newest; older ones can still be read by their address. */
const MAX_LISTED = 100;
/** The most that one read returns; `next` is the address of the rest. */
const MAX_BYTES = 4 * 1024 * 1024;

/** Lists and reads what was cut from one client's answers. */
function createArtifactResources(artifacts: Artifacts | undefined): ArtifactResources {
  const known = new Map<string, JsonObject>();
  return {
    note({ name, meta: { truncated } }) {
      const id = truncated?.artifactId;
      if (id === undefined) return undefined;
      const uri = SCHEME + encodeURIComponent(id);
      const resource = { uri, name: `${name} ${id}`, mimeType: "text/plain" };
      known.set(id, resource);
      const [oldest] = known.keys();
      if (known.size > MAX_LISTED && oldest !== undefined) known.delete(oldest);
      return { type: "resource_link", ...resource, description: `The full answer of ${name}` };
    },
    list: () => [...known.values()].toReversed(),
    async read(uri) {
      const wanted = parse(uri);
      const slice =
        wanted === undefined ? undefined : await artifacts?.read(wanted.id, wanted.start, MAX_BYTES);
      if (wanted === undefined || slice === undefined) return undefined;
      const { text, start, end, size } = slice;
      const next = end < size ? { next: `${SCHEME}${encodeURIComponent(wanted.id)}?start=${end}` } : {};
      return { contents: [{ uri, mimeType: "text/plain", text, _meta: { start, end, size, ...next } }] };
    },
  };
}

function parse(uri: string): { readonly id: string; readonly start: number } | undefined {
  const [, name = "", digits = "0"] = /^artifact:\/\/([^/?#]+)(?:\?start=(\d{1,15}))?$/.exec(uri) ?? [];
  try {
    const id = decodeURIComponent(name);
    return id === "" ? undefined : { id, start: Number(digits) };
  } catch {
    return undefined;
  }
}
