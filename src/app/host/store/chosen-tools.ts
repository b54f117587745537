import type { Json } from "../../../core/json.ts";
import type { Collections } from "../../../core/store/collection.ts";
import type { Engine } from "../../../engine/types/engine.ts";
import { createDocumentReader, LIST, NUMBER, withFields } from "../../../schema/document-reader.ts";
import { SESSION_MS } from "../../../store/database/grants.ts";

/** The tools that activate_tools chose for the session of a workspace. They last as long as an approval for a session. */
export type ChosenTools = ReturnType<typeof createChosenTools>;

const LIMIT = 1000;

export function createChosenTools(collections: Collections, session: string, now: () => number = Date.now) {
  const stored = collections.open("chosen-tools", { limit: LIMIT });
  return {
    /** Stores the active tools of the session for later processes. */
    async store(engine: Engine): Promise<void> {
      const groups = engine.session(session).groups.list();
      const chosen: Choice = {
        groups: groups.filter(({ active }) => active).map(({ name }) => name),
        tools: engine.list({ session }).map(({ name }) => name),
        chosenAt: now(),
      };
      await stored.set(session, chosen as unknown as Json);
    },
    /** Returns what an earlier process chose, if that still holds. */
    async read(): Promise<Choice | undefined> {
      const chosen = readChoice(await stored.get(session));
      return chosen === undefined || now() - chosen.chosenAt >= SESSION_MS ? undefined : chosen;
    },
    /** Activates the chosen tools, and no others; those of sources as they load. */
    apply(chosen: Choice, engine: Engine): void {
      const { groups } = engine.session(session);
      const activate = (): void => {
        const free = groups.list().flatMap(({ name, locked }) => (locked ? [] : [name]));
        groups.activate(free.filter((name) => chosen.groups.includes(name)));
        groups.deactivate(free.filter((name) => !chosen.groups.includes(name)));
      };
      activate();
      groups.allowOnly(chosen.tools);
      // The group of a source is created when the source has loaded.
      engine.on((event) => event.session === undefined && activate(), ["group.changed"]);
    },
    /** Ends the choice: later processes have the tools of the config again. */
    forget: (): Promise<boolean> => stored.delete(session),
  };
}

interface Choice {
  readonly groups: readonly string[];
  readonly tools: readonly string[];
  /** Milliseconds since 1970. */
  readonly chosenAt: number;
}

const readChoice = createDocumentReader<Choice>(withFields({ groups: LIST, tools: LIST, chosenAt: NUMBER }));
