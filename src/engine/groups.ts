import { ToolError } from "../core/errors.ts";

export interface Group {
  readonly name: string;
  readonly description: string;
  readonly active: boolean;
}

/** Groups of tools that are switched together. A session sees the engine's switches until it sets its own. */
export interface Groups {
  create(name: string, options?: { readonly description?: string; readonly active?: boolean }): void;
  activate(names: string | readonly string[]): void;
  deactivate(names: string | readonly string[]): void;
  list(): readonly Group[];
  has(name: string): boolean;
  isActive(name: string | undefined): boolean;
}

type Changed = (group: string, active: boolean) => void;

/** The engine's groups. A tool without a group is always active. */
export function createGroups(changed: Changed): Groups {
  const groups = new Map<string, Group>();
  const set = (names: string | readonly string[], active: boolean): void => {
    for (const group of known(groups, names)) {
      if (group.active === active) continue;
      groups.set(group.name, { ...group, active });
      changed(group.name, active);
    }
  };
  return {
    create(name, { description = "", active = true } = {}) {
      if (groups.has(name)) throw new ToolError("INVALID_INPUT", `there is already a group "${name}"`);
      groups.set(name, { name, description, active });
      changed(name, active);
    },
    activate: (names) => set(names, true),
    deactivate: (names) => set(names, false),
    list: () => [...groups.values()],
    has: (name) => groups.has(name),
    isActive: (name) => name === undefined || groups.get(name)?.active === true,
  };
}

/** One session's own switches over the engine's groups. */
export function createSessionGroups(engine: Groups, changed: Changed): Groups {
  const own = new Map<string, boolean>();
  const list = (): readonly Group[] =>
    engine.list().map((group) => ({ ...group, active: own.get(group.name) ?? group.active }));
  const set = (names: string | readonly string[], active: boolean): void => {
    const groups = new Map(list().map((group) => [group.name, group]));
    for (const { name, active: before } of known(groups, names)) {
      own.set(name, active);
      if (before !== active) changed(name, active);
    }
  };
  return {
    create: (name, options) => engine.create(name, options),
    activate: (names) => set(names, true),
    deactivate: (names) => set(names, false),
    list,
    has: (name) => engine.has(name),
    isActive: (name) => name === undefined || (own.get(name) ?? engine.isActive(name)),
  };
}

/** All the named groups, or an error that names the first unknown one: no half switches. */
function known(groups: ReadonlyMap<string, Group>, names: string | readonly string[]): readonly Group[] {
  return [names].flat().map((name) => {
    const group = groups.get(name);
    if (group !== undefined) return group;
    throw new ToolError("INVALID_INPUT", `there is no group "${name}"`, {
      hint: `groups: ${[...groups.keys()].join(", ") || "none"}`,
    });
  });
}
