import { ERROR_CODES } from "../../../core/errors.ts";
import type { Json } from "../../../core/json.ts";
import {
  drainWorker,
  listDeadLetters,
  listQueues,
  retryDeadLetter,
  type DeadLetter,
} from "../../../remote/fleet/inspect.ts";
import { openFleet, type OpenFleet } from "../../../remote/fleet/open-fleet.ts";
import type { WorkerAdvert } from "../../../remote/fleet/wire.ts";
import { requireFleet } from "../../host/fleet/host-fleet.ts";
import { attempt } from "../../../util/async/attempt.ts";
import { summarizeInput } from "../../terminal/trace/call-lines.ts";
import type { AnswerOf, Handlers } from "../api/routes.ts";
import type { Served } from "../server/served.ts";

/** Dead letters that are shown, the newest. */
const SHOWN_DEAD = 100;

export function fleetHandlers({ host }: Served) {
  const { config, fleet } = host;
  // Without servers, the error says how to name them.
  const open = async (): Promise<OpenFleet> => fleet.open?.() ?? openFleet(requireFleet(config));
  return {
    async fleet() {
      const { servers = [], namespace = "default" } = config.fleet;
      const about = { isConfigured: servers.length > 0, servers, namespace };
      if (!about.isConfigured) return { ...about, workers: [], queues: [], dead: [] };
      const opened = await open();
      const [queues, dead] = await Promise.all([listQueues(opened), listDeadLetters(opened, SHOWN_DEAD)]);
      return {
        ...about,
        workers: opened.directory.workers().map(toWorker),
        queues,
        dead: dead.map((letter) => toDead(letter, (text) => host.engine.masker.text(text))),
      };
    },
    async drainWorker({ params: { id } }) {
      await drainWorker(await open(), id);
      return { ok: true };
    },
    async retryDead({ params: { key } }) {
      const result = await retryDeadLetter(await open(), key, {
        timeoutMs: config.calls.timeoutSeconds * 1000,
        // A page that is closed must not end a call that may have had effects.
        signal: new AbortController().signal,
        onProgress: () => undefined,
      });
      return Response.json(result, { status: result.ok ? 200 : ERROR_CODES[result.error.code].httpStatus });
    },
  } satisfies Partial<Handlers>;
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
