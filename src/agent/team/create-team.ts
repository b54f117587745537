import { checkOptions, type OptionKinds } from "../../util/json/check-options.ts";
import { createListeners } from "../../util/async/listeners.ts";
import { provide } from "../../core/context.ts";
import { ToolError } from "../../core/errors.ts";
import { NO_SKILLS } from "../../core/skills.ts";
import { TeamKey, type NewMember, type Team, type TeamMember } from "../../core/agent/team.ts";
import { Slots } from "../../util/async/slots.ts";
import { loadTrustedSkills } from "../../tools/about/load-skill.ts";
import { delegate } from "./delegate.ts";
import { cancelBelow, cancelMember, finish, markEnded } from "./end-member.ts";
import { inheritContext } from "./inherit-context.ts";
import { agentOf, isBusy, lastOutcome, view, type Member } from "./member.ts";
import { giveUpWaits, send, wait } from "./messages.ts";
import { createRoster, type TeamState } from "./team-state.ts";
import { endIfDelegated, toSender, wake } from "./run-member.ts";
import { shareModel } from "./share-model.ts";
import { spawn, spawnRoot } from "./spawn.ts";
import type { TeamEvent, TeamHandle, TeamLimits, TeamOptions } from "./team-handle.ts";
import { openUnreadMessages } from "./unread-messages.ts";

const DEFAULT_LIMITS: Required<TeamLimits> = { depth: 3, members: 100, running: 8 };

const KINDS: OptionKinds<TeamOptions> = {
  open: "a function",
  limits: "an object",
  budget: "an object",
  skills: "an object",
  wakesRoot: "true or false",
  collections: "an object",
};

/** Creates a team: a root agent that a person talks to, and the agents created below it. All of them end with `close`. */
export function createTeam(options: TeamOptions): TeamHandle {
  checkOptions("createTeam", options, KINDS);
  const { team, listeners, settled } = createState(options);
  const slots = new Slots(team.limits.running);
  const { roster } = team;
  return {
    async root(given) {
      const unread = await team.unread.load(given.session);
      if (team.isClosing) throw new ToolError("UNAVAILABLE", "the team is closed");
      if (rootOf(team) !== undefined) throw new ToolError("INVALID_INPUT", "the team has a root already");
      return spawnRoot(team, given, unread);
    },
    share: (model) => shareModel(model, slots),
    members: () => roster.all().map(view),
    agent(id) {
      const member = roster.get(id);
      return member && agentOf(member);
    },
    on: listeners.add,
    async cancel(id, reason = "cancelled") {
      const member = id === undefined ? rootOf(team) : roster.get(id);
      if (member === undefined || member.state.phase === "ended") return false;
      const wasBusy = isBusy(member) || member.children.size > 0;
      if (member.parent !== undefined) await cancelMember(team, member, reason);
      else {
        agentOf(member)?.cancel(reason);
        await settled();
      }
      return wasBusy;
    },
    async settled() {
      await settled();
      const root = rootOf(team);
      return root && lastOutcome(root);
    },
    close: () => closeTeam(team),
    [Symbol.asyncDispose]: () => closeTeam(team),
  };
}

async function closeTeam(team: TeamState): Promise<void> {
  team.isClosing = true;
  const root = rootOf(team);
  const agent = root && agentOf(root);
  root?.cancelling.abort(new ToolError("CANCELLED", "the team is closed"));
  agent?.cancel("the team is closed");
  await agent?.close();
  await team.closeRoot();
}

function rootOf({ roster }: TeamState): Member | undefined {
  return roster.all().find(({ parent }) => parent === undefined);
}

function createState(options: TeamOptions) {
  const listeners = createListeners<[TeamEvent]>();
  const settling = new Set<() => void>();
  const isQuiet = (): boolean => !team.roster.living().some(isBusy);
  let closed: Promise<void> | undefined;
  const team: TeamState = {
    options,
    limits: { ...DEFAULT_LIMITS, ...options.limits },
    roster: createRoster(),
    unread: openUnreadMessages(options.collections),
    get context() {
      return context;
    },
    isClosing: false,
    emit: listeners.emit,
    wake: (member) => wake(team, member),
    update() {
      for (const member of team.roster.living()) {
        giveUpWaits(team, member);
        endIfDelegated(team, member);
      }
      if (!isQuiet()) return;
      for (const resolve of settling) resolve();
      settling.clear();
    },
    closeRoot: () => (closed ??= closeRoot(team).finally(() => listeners.clear())),
  };
  const context = [provide(TeamKey, teamOf(team))];
  const settled = async (): Promise<void> => {
    if (!isQuiet()) await new Promise<void>((resolve) => settling.add(resolve));
  };
  return { team, listeners, settled };
}

/** Ends the root and all agents below it. Its unread messages stay stored. */
async function closeRoot(team: TeamState): Promise<void> {
  team.isClosing = true;
  const root = rootOf(team);
  if (root !== undefined && root.state.phase !== "ended") {
    await cancelBelow(team, root, "the team is closed");
    const agent = agentOf(root);
    if (agent === undefined || root.state.phase === "ending") {
      // It is being opened, and ends when it is open.
      await root.ended.promise;
    } else {
      root.stopListening();
      root.inbox.close();
      const end = { state: "done", text: "", outcome: lastOutcome(root), spent: agent.spent() } as const;
      markEnded(team, root, end);
      root.ended.resolve(end);
    }
  }
  await team.unread.flush();
  team.update();
}

/** Returns the team as its agents' tools see it. */
function teamOf(team: TeamState): Team {
  return {
    create: (member) => create(team, member),
    delegate: (task) => delegate(team, task),
    send: (message) => send(team, message),
    wait: (waiting) => wait(team, waiting),
    members: () => team.roster.all().map(view),
    finish: (done) => finish(team, done),
  };
}

/** Starts a child that works in parallel. */
async function create(
  team: TeamState,
  { by, name, task, inheritsContext, skills: names }: NewMember,
): Promise<TeamMember> {
  const skills = await loadTrustedSkills(names, team.options.skills ?? NO_SKILLS);
  const messages = inheritsContext ? agentOf(team.roster.caller(by))?.messages() : undefined;
  const { member, agent } = await spawn(team, { by, name, task, isDelegated: false, skills });
  const background = inheritContext(messages ?? [], by.name);
  const texts = [...(background === undefined ? [] : [background]), task];
  const content = texts.map((text) => ({ type: "text", text }) as const);
  void agent.send(content, { from: toSender(by), signal: member.cancelling.signal });
  return view(member);
}
