import type { SessionInfo, Transcripts } from "../../../agent/sessions/transcript.ts";
import { agentFigures, type AgentFigures } from "../calls/agent-figures.ts";
import { waterfallOf } from "../calls/waterfall.ts";
import { toCallRow } from "../calls/call-row.ts";
import type { AnswerOf, Handlers } from "../api/routes.ts";
import type { Served, ServedEngine } from "../server/served.ts";
import { openTranscripts } from "../../../agent/sessions/open-transcripts.ts";
import { contentOf } from "../server/message-content.ts";
import { Refusal } from "../api/refusal.ts";
import { defined } from "../../../util/json/defined.ts";

type AgentNode = AnswerOf<"agents">["agents"][number];

export function sessionHandlers({ store, workspace: [workspace], chats, running }: ServedEngine) {
  const transcripts = openTranscripts(store.collections);
  const figuresOf = createFigures(transcripts);
  return {
    async sessions({ query: { all } }) {
      return { sessions: await transcripts.list(all ? {} : defined({ workspace })) };
    },
    async session({ params: { id } }) {
      const [info, entries, calls, stored] = await Promise.all([
        transcripts.info(id),
        transcripts.entries(id),
        store.journal.list({ session: id, limit: 1000 }),
        transcripts.list(),
      ]);
      if (info === undefined) throw unknown(id);
      return {
        session: info,
        entries,
        calls: calls.map((record) => toCallRow(record, running.has(record.callId))),
        children: stored.filter(
          ({ agent }) => agent.parentId === info.agent.id && info.agent.id !== agent.id,
        ),
      };
    },
    async waterfall({ params: { id } }) {
      const [info, stored] = await Promise.all([transcripts.info(id), transcripts.list()]);
      if (info === undefined) throw unknown(id);
      return waterfallOf({ transcripts, journal: store.journal, stored }, info, Date.now());
    },
    async renameSession({ params: { id }, body: { title } }) {
      if ((await transcripts.info(id)) === undefined) throw unknown(id);
      await transcripts.rename(id, title);
      return { ok: true };
    },
    async deleteSession({ params: { id } }) {
      if (chats.list().some((chat) => chat.id === id)) await chats.close(id);
      if (await transcripts.delete(id)) return { ok: true };
      throw unknown(id);
    },
    async agents({ query: { session } }) {
      const stored = await transcripts.list(defined({ workspace }));
      const figures = await Promise.all(stored.slice(0, COUNTED).map(figuresOf));
      const nodes = new Map(stored.map((info, index) => [info.agent.id, toNode(info, figures[index])]));
      for (const { parentId = null, result = null, ...member } of chats.list().flatMap(({ team }) => team)) {
        const known = nodes.get(member.id) ?? { ...UNSTORED, session: member.id };
        nodes.set(member.id, { ...known, ...member, parentId, result, isHere: true });
      }
      return {
        agents: ordered(session === undefined ? [...nodes.values()] : teamOf([...nodes.values()], session)),
      };
    },
  } satisfies Partial<Handlers>;
}

function unknown(id: string): Refusal {
  const message = `no stored session has the id ${JSON.stringify(id)}`;
  return new Refusal("NOT_FOUND", message, "GET /api/sessions?all=true lists them");
}

/** Of the last used sessions, the calls and tokens are counted. */
const COUNTED = 200;

/** Returns a function that counts what a session has once for each of its changes; undefined for a session that cannot be read. */
function createFigures(transcripts: Pick<Transcripts, "entries">) {
  type Counted = Promise<AgentFigures | undefined>;
  const known = new Map<string, { readonly updatedAt: number; readonly figures: Counted }>();
  return ({ id, updatedAt }: SessionInfo): Counted => {
    const before = known.get(id);
    if (before?.updatedAt === updatedAt) return before.figures;
    // A session that cannot be read hides no other, and is read again the next time.
    const figures = transcripts
      .entries(id)
      .then(agentFigures)
      .catch(() => void known.delete(id));
    known.set(id, { updatedAt, figures });
    return figures;
  };
}

const UNSTORED = { model: null, turns: 0, createdAt: null, updatedAt: null, figures: null };

function toNode(info: SessionInfo, figures: AgentFigures | undefined): AgentNode {
  const { id: session, agent, state, title, model, turns, createdAt, updatedAt } = info;
  const { id, name, parentId = null } = agent;
  const task = title === "" ? null : title;
  const work = { model, turns, createdAt, updatedAt, figures: figures ?? null };
  return { id, name, parentId, session, state, task, result: null, isHere: false, ...work };
}

/** Returns the agent of a session and everything below it. */
function teamOf(nodes: readonly AgentNode[], session: string): readonly AgentNode[] {
  const wanted = new Set(nodes.filter((node) => node.session === session).map(({ id }) => id));
  for (let size = -1; size !== wanted.size;) {
    size = wanted.size;
    for (const { id, parentId } of nodes) if (parentId !== null && wanted.has(parentId)) wanted.add(id);
  }
  return nodes.filter(({ id }) => wanted.has(id));
}

/** Puts parents before their children. */
function ordered(nodes: readonly AgentNode[]): readonly AgentNode[] {
  const known = new Set(nodes.map(({ id }) => id));
  const below = Map.groupBy(nodes, ({ parentId }) =>
    parentId !== null && known.has(parentId) ? parentId : "",
  );
  const from = (parent: string): readonly AgentNode[] =>
    (below.get(parent) ?? []).flatMap((node) => [node, ...(node.id === parent ? [] : from(node.id))]);
  return from("");
}

export function chatHandlers({ chats }: Served) {
  return {
    chats: () => ({ chats: chats.list() }),
    openChat: ({ body }) => chats.open(body),
    chat: ({ params: { id } }) => chats.get(id),
    sendMessage: ({ params: { id }, body }) => ({ id, isQueued: chats.send(id, contentOf(body)) }),
    forkChat: ({ params: { id }, body }) => chats.fork(id, body.before),
    setChatModel: ({ params: { id }, body }) => chats.use(id, body.model),
    chatContext: ({ params: { id } }) => chats.context(id),
    models: async () => ({ models: await chats.models() }),
    cancelChat: ({ params: { id } }) => ({ cancelled: chats.cancel(id) }),
    async closeChat({ params: { id } }) {
      await chats.close(id);
      return { ok: true };
    },
  } satisfies Partial<Handlers>;
}
