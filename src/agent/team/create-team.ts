import { provide } from "../../core/context.ts";
import { ToolError } from "../../core/errors.ts";
import { NO_SKILLS } from "../../core/skills.ts";
import type { NewMember, Team, TeamMember } from "../../core/agent/team.ts";
import { TeamKey } from "../../core/agent/team.ts";
import { loadTrustedSkills } from "../../tools/about/trusted-skills.ts";
import type { Crew } from "./members/crew.ts";
import { delegate } from "./delegate.ts";
import { cancelMember } from "./end-member.ts";
import { hire, hireRoot } from "./hire.ts";
import { inheritContext } from "./inherit-context.ts";
import { keptMessages } from "./members/kept-messages.ts";
import type { Member } from "./members/member.ts";
import { isBusy, view } from "./members/member.ts";
import { finish, giveUp, send, wait } from "./post.ts";
import { cancelRoot, closeRoot, rootAgent } from "./root-agent.ts";
import { createRoster } from "./members/roster.ts";
import { createPlaces, shareModel } from "./share-model.ts";
import type { TeamHandle, TeamLimits, TeamListener, TeamOptions } from "./members/team-handle.ts";
import { endErrand, toSender, wake, work } from "./work.ts";

const DEFAULT_LIMITS: Required<TeamLimits> = { depth: 3, members: 100, running: 8 };

/** Makes a team: one agent that a person talks to, and those that are created below it. Nothing of it outlives `close`. */
export function createTeam(options: TeamOptions): TeamHandle {
  const { crew, listeners, settled } = createCrew(options);
  const places = createPlaces(crew.limits.running);
  const rootOf = (): Member | undefined => crew.roster.all().find(({ parent }) => parent === undefined);
  const close = async (): Promise<void> => {
    const root = rootOf();
    if (root !== undefined) await closeRoot(crew, root);
    await crew.kept.flush();
    crew.rest();
    listeners.clear();
  };
  return {
    async root(given) {
      const unread = await crew.kept.load(given.session);
      if (crew.closing !== undefined) throw new ToolError("UNAVAILABLE", "the team is closed");
      if (rootOf() !== undefined) throw new ToolError("INVALID_INPUT", "the team has its root already");
      const { agent, member } = await hireRoot(crew, given, unread);
      return rootAgent(crew, { agent, member, close: () => (crew.closing ??= close()) });
    },
    share: (model) => shareModel(model, places),
    members: () => crew.roster.all().map(view),
    agent: (id) => crew.roster.get(id)?.agent,
    on(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async cancel(id, reason = "cancelled") {
      const member = id === undefined ? rootOf() : crew.roster.get(id);
      if (member === undefined || member.end !== undefined) return false;
      const wasBusy = isBusy(member) || member.children.size > 0;
      if (member.parent !== undefined) await cancelMember(crew, member, reason);
      else await cancelRoot(crew, member, reason).then(settled);
      return wasBusy;
    },
    async settled() {
      await settled();
      return rootOf()?.last;
    },
    close: () => (crew.closing ??= close()),
  };
}

function createCrew(options: TeamOptions) {
  const listeners = new Set<TeamListener>();
  const settling = new Set<() => void>();
  const isQuiet = (): boolean => !crew.roster.living().some(isBusy);
  const crew: Crew = {
    options,
    limits: { ...DEFAULT_LIMITS, ...options.limits },
    roster: createRoster(),
    kept: keptMessages(options.collections),
    get context() {
      return context;
    },
    closing: undefined,
    tell(event) {
      for (const listener of listeners) {
        try {
          listener(event);
        } catch {
          // A listener's fault is its own.
        }
      }
    },
    wake: (member) => wake(crew, member),
    rest() {
      for (const member of crew.roster.living()) {
        giveUp(crew, member);
        endErrand(crew, member);
      }
      if (!isQuiet()) return;
      for (const resolve of settling) resolve();
      settling.clear();
    },
  };
  const context = [provide(TeamKey, teamOf(crew))];
  const settled = async (): Promise<void> => {
    if (!isQuiet()) await new Promise<void>((resolve) => settling.add(resolve));
  };
  return { crew, listeners, settled };
}

/** What the agents of a team see of it. */
function teamOf(crew: Crew): Team {
  return {
    create: (member) => create(crew, member),
    delegate: (errand) => delegate(crew, errand),
    send: (message) => send(crew, message),
    wait: (waiting) => wait(crew, waiting),
    members: () => crew.roster.all().map(view),
    finish: (done) => finish(crew, done),
  };
}

/** Starts a child that works on its own. */
async function create(
  crew: Crew,
  { by, name, task, inheritsContext, skills: names }: NewMember,
): Promise<TeamMember> {
  const skills = await loadTrustedSkills(names, crew.options.skills ?? NO_SKILLS);
  const said = inheritsContext ? crew.roster.caller(by).agent?.messages() : undefined;
  const member = await hire(crew, { by, name, task, isErrand: false, skills });
  const background = inheritContext(said ?? [], by.name);
  const content = [...(background === undefined ? [] : [background]), task];
  void work(
    crew,
    member,
    content.map((text) => ({ type: "text", text })),
    { from: toSender(by), signal: member.cancelling.signal },
  );
  return view(member);
}
