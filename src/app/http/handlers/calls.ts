import type { Given, Handlers } from "../api/routes.ts";
import { randomUUID } from "node:crypto";
import { ERROR_CODES, ToolError } from "../../../core/errors.ts";
import { defined } from "../../../util/json/defined.ts";
import { errorMessage } from "../../../util/text/error-message.ts";
import { callDetail } from "../calls/call-detail.ts";
import { pageOfCalls } from "../calls/call-page.ts";
import { countCalls } from "../calls/count-calls.ts";
import { exportCalls } from "../../terminal/trace/export-calls.ts";
import type { Served } from "../server/served.ts";

export function callHandlers(served: Served) {
  const { host, running, callEvents } = served;
  const { journal, artifacts } = host.store;
  // Calls of a fleet are made in folders of other machines.
  const workspace = host.fleet.open === undefined ? host.config.workspace[0] : undefined;
  const views = { journal, running, callEvents };
  return {
    calls: ({ query }) => pageOfCalls(views, workspace, query),
    call: ({ params: { callId = "" } }) => callDetail(views, callId),
    run: (given) => runCall(served, given),
    cancelCall: ({ params: { callId = "" } }) => ({ cancelled: running.cancel(callId) }),
    counts: ({ query }) => countCalls(journal, query),
    async trace({ query }) {
      const { format, limit, session, name, all } = query;
      const folder = all || session !== undefined ? undefined : workspace;
      const records = await journal.list(defined({ limit, session, name, folder }));
      const { text, type } = exportCalls(records, format);
      return new Response(text, { headers: { "content-type": type } });
    },
    async artifact({ params: { id = "" }, query: { start, length } }) {
      const [info, slice] = await Promise.all([artifacts.info(id), artifacts.read(id, start, length)]);
      if (info === undefined || slice === undefined) throw unknownArtifact(id);
      return { id, ...slice, dropped: info.dropped };
    },
    async searchArtifact({ params: { id = "" }, query: { text, isPattern, limit } }) {
      const matches = await artifacts.search(id, searchPattern(text, isPattern), limit);
      if (matches === undefined) throw unknownArtifact(id);
      return { matches };
    },
  } satisfies Partial<Handlers>;
}

/** Runs a call in the session of the workspace, or in one that the client names. A client that leaves cancels a call that it waits for. */
async function runCall({ host, running }: Served, { body, request }: Given<"run">): Promise<Response> {
  const { id = randomUUID(), name, input, session = host.session, mode, timeoutMs, wait } = body;
  const stop = running.start(id);
  const signal = wait ? AbortSignal.any([stop, request.signal]) : stop;
  const ceilings = mode === undefined ? undefined : [{ mode }];
  const answering = host.engine
    .run({ id, name, input }, { session, signal, fence: false, ...defined({ timeoutMs, ceilings }) })
    .finally(() => running.end(id));
  if (!wait) return Response.json({ callId: id }, { status: 202 });
  const result = await answering;
  return Response.json(result, { status: result.ok ? 200 : ERROR_CODES[result.error.code].httpStatus });
}

function unknownArtifact(id: string): ToolError {
  return new ToolError("TOOL_NOT_FOUND", `no stored answer has the id ${JSON.stringify(id)}`, {
    hint: "old ones are removed; run the call again",
  });
}

/** Returns the pattern of a search. Throws for an invalid regular expression. */
function searchPattern(text: string, isPattern: boolean): RegExp {
  if (!isPattern) return new RegExp(text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`), "iu");
  try {
    return new RegExp(text, "iu");
  } catch (cause) {
    throw new ToolError("INVALID_INPUT", `text: ${errorMessage(cause)}`, { cause });
  }
}
