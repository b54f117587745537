import { ToolError } from "../../../core/errors.ts";
import { packageVersion } from "../../../system/package-files.ts";
import { createStoredGrants } from "../../../store/database/grants.ts";
import { toAnswer, toApproval } from "../calls/to-approval.ts";
import { streamEvents } from "../events/stream-events.ts";
import { Conflict } from "../server/conflict.ts";
import type { Served } from "../server/served.ts";
import type { Handlers } from "../api/handlers.ts";

type HostHandlers = Pick<
  Handlers,
  "state" | "events" | "approvals" | "decide" | "grants" | "revokeGrant" | "fleet"
>;

/** The server itself, and approvals. `ended` is aborted when the server ends. */
export function hostHandlers(served: Served, ended: AbortSignal): HostHandlers {
  const { host, queue, hub } = served;
  const { config, engine, session, store } = host;
  const grants = createStoredGrants(store.collections, config.workspace[0]);
  return {
    async state() {
      const [open, waiting] = await Promise.all([store.journal.list({ state: "open" }), queue.pending()]);
      return {
        version: packageVersion(),
        startedAt: served.startedAt,
        workspace: config.workspace,
        session,
        mode: served.mode(),
        model: config.model === "" ? null : config.model,
        sandbox: config.sandbox,
        tools: served.tools().filter(({ isActive }) => isActive).length,
        openCalls: open.length,
        approvals: waiting.length,
        sourceState: engine.sources.state(),
        warnings: served.warnings,
      };
    },
    events({ query, request }) {
      const after = query.after ?? request.headers.get("last-event-id") ?? undefined;
      return streamEvents(hub, { ...query, ...(after !== undefined && { after }) }, ended);
    },
    async approvals() {
      return { approvals: (await queue.pending()).map(toApproval) };
    },
    async decide({ params: { id = "" }, body }) {
      const found = (await queue.pending()).find((one) => one.id === id);
      if (found === undefined) throw new Conflict(`no call waits with the id ${JSON.stringify(id)}`, GONE);
      const approval = toAnswer(found.request, body);
      if (!(await queue.answer(id, approval))) throw new Conflict(`${id} was answered elsewhere`, GONE);
      return { id, approval };
    },
    async grants() {
      return { grants: await grants.list(session) };
    },
    async revokeGrant({ params: { id = "" } }) {
      if (await grants.revoke(id)) return { ok: true };
      throw new ToolError("TOOL_NOT_FOUND", `no grant has the id ${JSON.stringify(id)}`);
    },
    // There is no fleet yet: calls run in this process and its sandbox.
    fleet: () => ({ workers: [] }),
  };
}

const GONE =
  "it may have been answered elsewhere, or its caller no longer waits; GET /api/approvals lists what waits";
