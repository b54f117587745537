import { once } from "node:events";
import { after } from "node:test";
import type { ToolResult } from "../../../src/core/result.ts";
import type { Artifacts } from "../../../src/core/store/artifacts.ts";
import type { Journal } from "../../../src/core/store/journal.ts";
import { defined } from "../../../src/util/json/defined.ts";
import { defineTool, integer, object, optional, string } from "../../../src/index.ts";
import { lastFirst, startNats, type Cleanup, type NatsServer } from "../servers/nats.ts";
import { untilTrue } from "../running.ts";
import type { Tool } from "../../../src/core/tool.ts";
import { createEngine } from "../../../src/engine/engine.ts";
import type { Engine } from "../../../src/engine/types/engine.ts";
import { createSendingExecutor, type SendingOptions } from "../../../src/remote/fleet/executor.ts";
import { openFleet, type FleetOptions, type OpenFleet } from "../../../src/remote/fleet/open-fleet.ts";
import { createFleetKeys } from "../../../src/remote/fleet/keys/sign.ts";
import { createFleetSource } from "../../../src/remote/fleet/source.ts";
import {
  HEAD,
  hashOfInput,
  MESSAGE_ID,
  SIGNATURE,
  versionOf,
  type JobHead,
} from "../../../src/remote/fleet/wire.ts";
import { startWorker, type Worker, type WorkerOptions } from "../../../src/remote/fleet/worker/worker.ts";

export const FLEET_KEY = "0123456789abcdef0123456789abcdef";

type EngineOptions = Partial<SendingOptions> & {
  /** Tools of the engine's own. */
  readonly own?: readonly Tool[];
  readonly key?: string;
  readonly artifacts?: Artifacts;
  readonly journal?: Journal;
};

/** An engine of a test whose tools may run on a fleet. */
export interface FleetEngine {
  readonly engine: Engine;
  readonly fleet: OpenFleet;
}

/** Opens an engine on a fleet, with the source of the tools that only workers have. */
export async function openFleetEngine(
  test: Cleanup,
  options: FleetOptions,
  { own = [], key = FLEET_KEY, artifacts, journal, ...more }: EngineOptions = {},
): Promise<FleetEngine> {
  const fleet = await openFleet({ ...options, key });
  const open = async (): Promise<OpenFleet> => fleet;
  const executor = createSendingExecutor({ open, ...more });
  const engine = createEngine({
    mode: "yolo",
    executors: [executor],
    tools: own,
    retry: { attempts: 1 },
    ...defined({ artifacts, journal }),
  });
  engine.sources.add(createFleetSource({ open, isTaken: (name) => engine.get(name)?.source === "test" }), {
    isWatched: true,
  });
  test.after(async () => {
    await engine.close();
    await fleet.close();
  });
  return { engine, fleet };
}

export interface TestWorker extends Worker {
  readonly engine: Engine;
}

/** Starts a worker in this process. */
export async function startTestWorker(
  test: Cleanup,
  options: FleetOptions,
  { tools, ...more }: Partial<WorkerOptions> & { readonly tools: readonly Tool[] },
): Promise<TestWorker> {
  const engine = createEngine({ mode: "yolo", tools: [...tools] });
  const worker = await startWorker(
    { key: FLEET_KEY, ...options },
    {
      engine,
      pool: "default",
      labels: [],
      concurrency: 4,
      release: "test",
      offers: () => true,
      warn: () => undefined,
      ...more,
    },
  );
  let drained: Promise<void> | undefined;
  const drain = (timeoutMs: number): Promise<void> => (drained ??= worker.drain(timeoutMs));
  test.after(async () => {
    await drain(0);
    await engine.close();
  });
  return { ...worker, drain, engine };
}

/** One server for all tests of a file, each with a namespace of its own. */
export function shareNats(): (test: Cleanup) => Promise<FleetScene> {
  const closers: (() => unknown)[] = [];
  let server: Promise<NatsServer> | undefined;
  let namespaces = 0;
  after(async () => {
    for (const close of closers.toReversed()) await close();
  });
  return async (test) => {
    server ??= startNats({ after: (close) => void closers.push(close as () => unknown) });
    const { url } = await server;
    return { t: lastFirst(test), address: { servers: [url], namespace: `n${(namespaces += 1)}` } };
  };
}

export interface FleetScene {
  /** Closes what was opened last first. */
  readonly t: Cleanup;
  readonly address: FleetOptions;
}

interface Message {
  readonly key?: string;
  readonly input?: Uint8Array;
  /** Default: the input. */
  readonly body?: Uint8Array;
  readonly id?: string;
}

/** Sends a call as an engine would, but with parts of the test's own. */
export async function sendCall(
  { fleet: { names, packages, publisher, engineId, identity } }: FleetEngine,
  tool: Pick<Tool, "name" | "input" | "effects">,
  more: Partial<JobHead> & { readonly key: string },
  { key = FLEET_KEY, input = INPUT, body, id = more.key }: Message = {},
): Promise<void> {
  const now = Date.now();
  const head: JobHead = {
    id: "c",
    tool: tool.name,
    version: versionOf(tool),
    hash: hashOfInput(input),
    effects: tool.effects,
    namespace: names.namespace,
    streams: identity.known(),
    pool: "default",
    lane: "normal",
    labels: [],
    session: "s",
    engine: engineId,
    issuedAt: now,
    expiresAt: now + 60_000,
    ...more,
  };
  const text = JSON.stringify(head);
  const headers = packages.transport.headers();
  headers.set(MESSAGE_ID, id);
  headers.set(HEAD, text);
  headers.set(SIGNATURE, createFleetKeys(key, "engine").sign("call", text));
  await publisher.publish(names.callSubject("default", "normal"), body ?? input, { headers });
}

/** For the tool add. */
const INPUT: Uint8Array = Buffer.from('{"a":1,"b":2}');

export const add = defineTool({
  name: "add",
  description: "Adds two numbers.",
  input: object({ a: integer(), b: integer() }),
  effects: "none",
  risk: "low",
  run: ({ a, b }) => ({ sum: a + b }),
});

/** A tool that counts its runs. */
export function countingTool(effects: Tool["effects"], name = "count") {
  const runs: string[] = [];
  const tool = defineTool({
    name,
    description: "Counts.",
    input: object({}),
    effects,
    risk: "low",
    run: (_input, { call }) => ({ runs: runs.push(call.id) }),
  });
  return { tool, runs };
}

/** A tool whose calls wait until the test lets them go. */
export function heldTool(name: string, effects: Tool["effects"]) {
  const started: string[] = [];
  const cancelled: string[] = [];
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const tool = defineTool({
    name,
    description: "Waits.",
    input: object({ text: optional(string()) }),
    effects,
    risk: "low",
    async run({ text = "" }, { call, signal, emit }) {
      started.push(call.id);
      emit("started");
      await Promise.race([released, once(signal, "abort")]);
      if (signal.aborted) cancelled.push(call.id);
      return `done ${text}`;
    },
  });
  return { tool, started, cancelled, release: () => release() };
}

export const hasTool = ({ engine }: FleetEngine, name: string): Promise<void> =>
  untilTrue(`the engine has ${name}`, () => engine.get(name) !== undefined);

/** Returns `ok`, or the code and the message of a failure. */
export const outcomeOf = (result: ToolResult | undefined): string =>
  result?.ok === false ? `${result.error.code} ${result.error.message}` : "ok";
