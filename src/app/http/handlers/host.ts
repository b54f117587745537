import type { Handlers } from "../api/routes.ts";
import { TOKEN_RIGHTS } from "../../config/http-tokens.ts";
import { ToolError } from "../../../core/errors.ts";
import { packageVersion } from "../../../system/package-files.ts";
import { answerOf, approvalQuestion } from "../../host/approvals/approval-question.ts";
import { describeGrant } from "../../host/approvals/describe-rule.ts";
import { toApproval } from "../calls/to-approval.ts";
import { streamEvents } from "../events/event-hub.ts";
import { Refusal } from "../api/refusal.ts";
import type { Served, ServedEngine } from "../server/served.ts";
import { firstSentence } from "../../../util/text/shortened.ts";
import { nearHint } from "../../../util/text/near-hint.ts";
import { join } from "node:path";
import { BOX_KINDS, probeBox, type BoxName } from "../../../system/box/box.ts";
import { copyOf } from "../../host/sandbox/tool-server-program.ts";
import { defined } from "../../../util/json/defined.ts";

/** The server itself, and approvals. `ended` is aborted when the server ends. */
export function hostHandlers(served: ServedEngine, ended: AbortSignal) {
  const { queue, hub, engine, session, store, grants } = served;
  return {
    async state({ token }) {
      const [open, waiting] = await Promise.all([store.journal.list({ state: "open" }), queue.pending()]);
      return {
        version: packageVersion(),
        startedAt: served.startedAt,
        pages: served.pages,
        workspace: served.workspace,
        session,
        mode: served.mode() ?? null,
        rights: [...TOKEN_RIGHTS[token]],
        model: served.model ?? null,
        sandbox: served.sandbox(),
        tools: served.tools().filter(({ isActive }) => isActive).length,
        openCalls: open.length,
        approvals: waiting.length,
        sourceState: engine.sources.state(),
        warnings: served.warnings,
      };
    },
    events({ query, request }) {
      const after = query.after ?? request.headers.get("last-event-id") ?? undefined;
      return streamEvents(hub, { ...query, ...defined({ after }) }, ended);
    },
    async approvals() {
      return { approvals: (await queue.pending()).map(toApproval) };
    },
    async decide({ params: { id }, body, token }) {
      const pending = (await queue.pending()).find((one) => one.id === id);
      if (pending === undefined)
        throw new Refusal("CONFLICT", `no call waits with the id ${JSON.stringify(id)}`, GONE);
      const answer = answerOf(approvalQuestion(pending.request), body.choice, body);
      const approval = { ...answer, by: `the console or API, with the ${token} token` };
      if (!(await queue.answer(id, approval)))
        throw new Refusal("CONFLICT", `${id} was answered elsewhere`, GONE);
      return { id, approval };
    },
    async grants() {
      const all = await grants.list(session);
      return { grants: all.map((grant) => ({ ...grant, text: describeGrant(grant) })) };
    },
    async revokeGrant({ params: { id } }) {
      if (await grants.revoke(id)) return { ok: true };
      throw new Refusal(
        "NOT_FOUND",
        `no grant has the id ${JSON.stringify(id)}`,
        "GET /api/grants lists them",
      );
    },
  } satisfies Partial<Handlers>;
}

const GONE =
  "it may have been answered elsewhere, or its caller no longer waits; GET /api/approvals lists what waits";

export function toolHandlers(served: ServedEngine) {
  const { engine } = served;
  return {
    tools({ query: { text = "", all } }) {
      const words = text.toLowerCase().split(/\s+/).filter(Boolean);
      const has = (one: string): boolean => words.every((word) => one.toLowerCase().includes(word));
      const matches = served
        .tools()
        .filter(({ isActive, name, description }) => (all || isActive) && has(`${name} ${description}`));
      return {
        tools: matches.map(({ name, description, risk, place, source, group, isActive }) => ({
          name,
          summary: firstSentence(description),
          risk,
          place,
          source,
          group: group ?? null,
          isActive,
        })),
      };
    },
    async tool({ params: { name } }) {
      if (engine.get(name) === undefined) await engine.sources.settled(name);
      const known = engine.get(name)?.name;
      const knownTool = served.tools().find((one) => one.name === known);
      if (knownTool === undefined) {
        const names = served.tools().map((one) => one.name);
        throw new ToolError("TOOL_NOT_FOUND", `no tool is named ${JSON.stringify(name)}`, {
          hint: nearHint(name, names, "GET /api/tools lists them"),
        });
      }
      const { isActive, ...tool } = knownTool;
      return { tool, isActive };
    },
  } satisfies Partial<Handlers>;
}

export function sandboxHandlers({ host: { config }, sandbox: used }: Served) {
  return {
    async sandbox() {
      const { kind: wanted, options } = config.sandbox;
      const kinds = await Promise.all(BOX_KINDS.map(probe));
      const changes = options.workspace === "copy" ? await copyOf(config.paths).changes() : [];
      return {
        wanted,
        used: used(),
        kinds,
        network: options.network,
        domains: options.domains,
        workspace: options.workspace,
        changes: changes.map(({ root, path, what, conflict }) => ({
          path: join(root, path),
          what,
          conflict: conflict ?? null,
        })),
      };
    },
  } satisfies Partial<Handlers>;
}

async function probe(kind: BoxName) {
  const probed = await probeBox(kind);
  return probed.works
    ? { kind, works: true, reason: null, hint: null }
    : { kind, works: false, reason: probed.reason, hint: probed.hint };
}
