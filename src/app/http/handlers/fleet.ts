import { ERROR_CODES } from "../../../core/errors.ts";
import { drainWorker, listDeadLetters, listQueues, retryDeadLetter } from "../../../remote/fleet/inspect.ts";
import { openFleet, type OpenFleet } from "../../../remote/fleet/open-fleet.ts";
import type { WorkerAdvert } from "../../../remote/fleet/wire.ts";
import { requireFleet } from "../../host/fleet/host-fleet.ts";
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
        dead: dead.map(({ key, tool = null, reason, at }) => ({ key, tool, reason, at: Date.parse(at) })),
      };
    },
    async drainWorker({ params: { id } }) {
      await drainWorker(await open(), id);
      return { ok: true };
    },
    async retryDead({ params: { key }, request: { signal } }) {
      const result = await retryDeadLetter(await open(), key, {
        timeoutMs: config.calls.timeoutSeconds * 1000,
        signal,
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
