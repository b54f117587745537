import { ERROR_CODES } from "../../../core/errors.ts";
import type { Json } from "../../../core/json.ts";
import {
  drainWorker,
  hasDeadLetter,
  listDeadLetters,
  listQueues,
  removeDeadLetter,
  retryDeadLetter,
  type DeadLetter,
} from "../../../remote/fleet/inspect.ts";
import { openFleet, type OpenFleet } from "../../../remote/fleet/open-fleet.ts";
import type { WorkerAdvert } from "../../../remote/fleet/wire.ts";
import { requireFleet } from "../../host/fleet/host-fleet.ts";
import { attempt } from "../../../util/async/attempt.ts";
import { summarizeInput } from "../../terminal/trace/call-lines.ts";
import type { AnswerOf, Handlers } from "../api/routes.ts";
import { Refusal } from "../api/refusal.ts";
import { lostWorkersOf } from "../server/lost-workers.ts";
import type { Served } from "../server/served.ts";

/** Dead letters that are shown, the newest. */
const SHOWN_DEAD = 100;

export function fleetHandlers({ host, engine }: Served) {
  const { config, fleet } = host;
  // Without servers, the error says how to name them.
  const open = async (): Promise<OpenFleet> => fleet.open?.() ?? openFleet(requireFleet(config));
  return {
    async fleet() {
      const { servers = [], namespace = "default" } = config.fleet;
      const about = { isConfigured: servers.length > 0, servers, namespace };
      if (!about.isConfigured) return { ...about, workers: [], lost: [], queues: [], dead: [] };
      const opened = await open();
      const [queues, dead] = await Promise.all([listQueues(opened), listDeadLetters(opened, SHOWN_DEAD)]);
      return {
        ...about,
        workers: opened.directory.workers().map(toWorker),
        lost: lostWorkersOf(opened.directory).list(Date.now()),
        queues,
        dead: dead.map((letter) => toDead(letter, (text) => engine.masker.text(text))),
      };
    },
    async drainWorker({ params: { id } }) {
      const opened = await open();
      if (!opened.directory.isAlive(id))
        throw new Refusal("NOT_FOUND", `there is no worker ${JSON.stringify(id)}`, LISTED);
      await drainWorker(opened, id);
      return { ok: true };
    },
    async retryDead({ params: { key } }) {
      const opened = await open();
      if (!(await hasDeadLetter(opened, key))) throw noLetter(key);
      const result = await retryDeadLetter(opened, key, {
        timeoutMs: config.calls.timeoutSeconds * 1000,
        // A page that is closed must not end a call that may have had effects.
        signal: new AbortController().signal,
        onProgress: () => undefined,
      });
      return Response.json(result, { status: result.ok ? 200 : ERROR_CODES[result.error.code].httpStatus });
    },
    async removeDead({ params: { key } }) {
      if (await removeDeadLetter(await open(), key)) return { ok: true };
      throw noLetter(key);
    },
  } satisfies Partial<Handlers>;
}

const LISTED = "GET /api/fleet lists them";

function noLetter(key: string): Refusal {
  return new Refusal("NOT_FOUND", `there is no dead letter ${JSON.stringify(key)}`, LISTED);
}

function toWorker({ tools, isDraining, ...advert }: WorkerAdvert): AnswerOf<"fleet">["workers"][number] {
  const isFull = advert.running >= advert.concurrency;
  return {
    ...advert,
    state: isDraining ? "draining" : isFull ? "full" : "ready",
    tools: [...new Set(tools.map((one) => one.slice(0, one.lastIndexOf("@"))))],
  };
}

function toDead(letter: DeadLetter, mask: (text: string) => string): AnswerOf<"fleet">["dead"][number] {
  const { key, tool = null, callId = null, session = null, mayHaveRun, input = "", reason, at } = letter;
  const parsed = attempt(() => JSON.parse(mask(input)) as Json) ?? "";
  return {
    key,
    tool,
    callId,
    session,
    mayHaveRun,
    summary: summarizeInput(parsed),
    reason,
    at: Date.parse(at),
  };
}
