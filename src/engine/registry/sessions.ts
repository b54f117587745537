import type { Key } from "../../core/context.ts";
import type { Rule } from "../../core/rule.ts";
import type { SessionResource } from "../../core/session/session.ts";
import { LONGEST_TIMER_MS } from "../../util/async/longest-timer.ts";
import type { OpenSession, Sessions } from "../types/engine-parts.ts";
import type { Registry, SwitchedGroups, ToolWindow } from "../types/tool-entry.ts";
import type { UntrustedText, UntrustedTexts } from "../../core/session/untrusted-texts.ts";
import { createUntrustedText } from "./untrusted-text.ts";
import { createSessionGroups } from "./groups.ts";
import { createToolWindow } from "./tool-window.ts";

/** The id of the session of calls that name none. */
export const OWN_SESSION = "";

interface SessionsOptions {
  readonly registry: Registry;
  readonly groups: SwitchedGroups;
  readonly changed: (group: string | undefined, active: boolean, session: string) => void;
  /** Closes a session in which no call has run for this time. */
  readonly idleMs: number;
  readonly onIdle: (id: string) => void;
  readonly untrustedTexts?: UntrustedTexts | undefined;
}

/** Creates the sessions of an engine, each on first use. */
export function createSessions({
  registry,
  groups,
  changed,
  idleMs,
  onIdle,
  untrustedTexts,
}: SessionsOptions): Sessions {
  const sessions = new Map<string, LiveSession>();
  /** Sessions that were idle and have limits: a later call must not run without them. */
  const resting = new Map<string, LiveSession>();
  // Negative: the registry's own numbers are positive.
  let version = 0;
  const nextVersion = (): number => (version -= 1);
  const idle = createIdleTimer(idleMs, () => {
    const [expired, nextAt] = findIdle(sessions, performance.now() - idleMs);
    for (const id of expired) onIdle(id);
    return nextAt + idleMs;
  });
  const close = async (id: string, { isIdle = false }: { readonly isIdle?: boolean } = {}): Promise<void> => {
    const session = sessions.get(id);
    sessions.delete(id);
    if (!isIdle) resting.delete(id);
    else if (session?.isLimited === true) resting.set(id, session);
    await session?.close();
  };
  const add = (id: string, session: LiveSession): LiveSession => {
    session.usedAt = performance.now();
    sessions.set(id, session);
    idle.arm();
    return session;
  };
  const open = (id: string, parent?: string): LiveSession => {
    const existing = sessions.get(id);
    if (existing !== undefined) {
      existing.usedAt = performance.now();
      return existing;
    }
    const rested = resting.get(id);
    if (rested !== undefined && resting.delete(id)) return add(id, rested);
    const above = parent === undefined ? undefined : open(parent);
    const report = (group: string | undefined, active: boolean): void => changed(group, active, id);
    const own = createSessionGroups(above?.groups ?? groups, report, above !== undefined);
    const untrusted = above?.untrusted ?? createUntrustedText(id, untrustedTexts);
    const window = createToolWindow(registry, own, nextVersion);
    return add(id, new LiveSession({ groups: own, window }, { ...createScope(id), untrusted }, above));
  };
  return {
    open,
    close,
    async closeAll() {
      idle.stop();
      await Promise.all([...sessions.keys()].map((id) => close(id)));
    },
  };
}

/** A session and its use. */
class LiveSession implements OpenSession {
  readonly groups: SwitchedGroups;
  readonly window: ToolWindow;
  readonly scope: OpenSession["scope"];
  readonly parent: LiveSession | undefined;
  readonly find: OpenSession["find"];
  readonly close: OpenSession["close"];
  readonly untrusted: UntrustedText;
  usedAt = performance.now();
  calls = 0;
  #own: readonly Rule[] | undefined = undefined;
  #inherited: readonly Rule[] | undefined = undefined;
  #rules: readonly Rule[] | undefined = undefined;

  constructor(
    { groups, window }: Pick<OpenSession, "groups" | "window">,
    scope: ReturnType<typeof createScope> & Pick<OpenSession, "untrusted">,
    parent: LiveSession | undefined,
  ) {
    this.groups = groups;
    this.window = window;
    this.scope = scope.scope;
    this.find = scope.find;
    this.close = scope.close;
    this.untrusted = scope.untrusted;
    this.parent = parent;
  }

  get isLimited(): boolean {
    return this.parent !== undefined || this.#own !== undefined || this.untrusted.origins !== undefined;
  }

  enter(): void {
    this.calls += 1;
  }

  leave(): void {
    this.calls -= 1;
    this.usedAt = performance.now();
  }

  /** The same list until one of them changes: policy compiles a list once. */
  get rules(): readonly Rule[] | undefined {
    const inherited = this.parent?.rules;
    if (inherited !== this.#inherited) this.#combine(inherited);
    return this.#rules;
  }

  set rules(rules: readonly Rule[] | undefined) {
    this.#own = rules;
    this.#combine(this.parent?.rules);
  }

  /** A session never allows what its parent does not. */
  #combine(inherited: readonly Rule[] | undefined): void {
    const own =
      this.parent === undefined ? this.#own : this.#own?.filter(({ decision }) => decision !== "allow");
    this.#inherited = inherited;
    this.#rules = inherited === undefined ? own : [...inherited, ...(own ?? [])];
  }
}

/** Returns the sessions without a use since `before`, and the earliest use of the others. A session is in use while a session below it is. */
function findIdle(sessions: ReadonlyMap<string, LiveSession>, before: number) {
  const used = new Set<LiveSession>();
  let earliest = Number.POSITIVE_INFINITY;
  for (const session of sessions.values()) {
    if (session.calls === 0 && session.usedAt <= before) continue;
    earliest = Math.min(earliest, session.calls === 0 ? session.usedAt : performance.now());
    for (let one: LiveSession | undefined = session; one !== undefined; one = one.parent) used.add(one);
  }
  const expired = [...sessions].filter(([id, one]) => id !== OWN_SESSION && !used.has(one)).map(([id]) => id);
  return [expired, earliest] as const;
}

/** Creates a timer that runs the work after `idleMs`, and again at the time that the work returns. It does not keep the process alive. */
function createIdleTimer(idleMs: number, work: () => number) {
  let timer: NodeJS.Timeout | undefined;
  const armAt = (at: number): void => {
    if (at === Number.POSITIVE_INFINITY) return;
    // A longer timer would fire at once.
    const waitMs = Math.min(Math.max(1, Math.ceil(at - performance.now())), LONGEST_TIMER_MS);
    timer = setTimeout(() => {
      timer = undefined;
      armAt(work());
    }, waitMs);
    timer.unref();
  };
  return {
    arm: (): void => void (timer ?? armAt(performance.now() + idleMs)),
    stop: (): void => clearTimeout(timer),
  };
}

function createScope(id: string): Pick<OpenSession, "scope" | "find" | "close"> {
  const values = new Map<string, SessionResource<unknown>>();
  return {
    scope: {
      id,
      getOrCreate<T>(key: Key<T>, create: () => SessionResource<T>): T {
        const known = values.get(key.name) ?? create();
        values.set(key.name, known);
        return known.value as T;
      },
    },
    find: <T>(key: Key<T>) => values.get(key.name)?.value as T | undefined,
    async close() {
      const all = [...values.values()];
      // A call that comes meanwhile creates new values.
      values.clear();
      // Every value is closed even if closing another fails.
      await Promise.allSettled(all.map(async (one) => one.close?.()));
    },
  };
}
