import { ToolError } from "../../core/errors.ts";
import type { GroupState } from "../../core/session/active-tools.ts";
import type { SwitchedGroups } from "../types/tool-entry.ts";

/** Receives the group that was switched, or undefined for single tools. */
export type Switched = (group: string | undefined, active: boolean) => void;

/** Creates the groups of an engine. A tool without a group is always active. */
export function createGroups(onSwitched: Switched): SwitchedGroups {
  const groups = new Map<string, GroupState>();
  /** Groups that were activated, not only created active. */
  const chosen = new Set<string>();
  let version = 0;
  const switched: Switched = (group, active) => {
    version += 1;
    onSwitched(group, active);
  };
  const tools = createSingles(switched);
  const set = (names: string | readonly string[], active: boolean): void => {
    for (const group of knownGroups([...groups.values()], names)) {
      version += 1;
      if (active) chosen.add(group.name);
      else chosen.delete(group.name);
      if (group.active === active) continue;
      groups.set(group.name, { ...group, active });
      switched(group.name, active);
    }
  };
  return {
    create(name, { description = "", active = true, locked = false } = {}) {
      if (groups.has(name)) throw new ToolError("INVALID_INPUT", `there is already a group "${name}"`);
      groups.set(name, { name, description, active, locked });
      switched(name, active);
    },
    activate: (names) => set(names, true),
    deactivate: (names) => set(names, false),
    allow: tools.add,
    allowOnly: tools.set,
    list: () => [...groups.values()],
    has: (name) => groups.has(name),
    isActive: (group, tool) => group === undefined || groups.get(group)?.active === true || tools.has(tool),
    isChosen: (group) => group !== undefined && chosen.has(group),
    snapshot() {
      const [before, single] = [[...groups.values()], tools.all()];
      return () => {
        for (const { name, active } of before) set(name, active);
        tools.set(single);
      };
    },
    get version() {
      return version;
    },
  };
}

/**
 * Creates the switches of a session on top of those of the engine or of a parent session.
 * A child session never has more active than its parent.
 */
export function createSessionGroups(
  base: SwitchedGroups,
  onSwitched: Switched,
  isChild = false,
): SwitchedGroups {
  const own = new Map<string, boolean>();
  let version = 0;
  const switched: Switched = (group, active) => {
    version += 1;
    onSwitched(group, active);
  };
  const tools = createSingles(switched);
  const isOn = ({ name, active }: GroupState): boolean => {
    const chosen = own.get(name) ?? active;
    return isChild ? chosen && active : chosen;
  };
  const list = (): readonly GroupState[] => base.list().map((group) => ({ ...group, active: isOn(group) }));
  const set = (names: string | readonly string[], active: boolean): void => {
    for (const { name, active: before } of knownGroups(list(), names)) {
      version += 1;
      own.set(name, active);
      if (before !== active) switched(name, active);
    }
  };
  return {
    create: (name, options) => base.create(name, options),
    activate: (names) => set(names, true),
    deactivate: (names) => set(names, false),
    allow: tools.add,
    allowOnly: tools.set,
    list,
    has: (name) => base.has(name),
    isActive(group, tool) {
      if (group === undefined) return true;
      const inBase = base.isActive(group, tool);
      if (isChild && !inBase) return false;
      return (own.get(group) ?? inBase) || tools.has(tool);
    },
    isChosen(group, tool) {
      const chosen = group === undefined ? undefined : own.get(group);
      return tools.has(tool) || (chosen ?? base.isChosen(group, tool));
    },
    snapshot() {
      const [before, switches, single] = [list(), [...own], tools.all()];
      return () => {
        for (const { name, active } of before) set(name, active);
        own.clear();
        for (const [name, active] of switches) own.set(name, active);
        tools.set(single);
      };
    },
    get version() {
      return base.version + version;
    },
  };
}

/** Creates the set of single tools that are active although their groups are not. */
function createSingles(switched: Switched) {
  let single: ReadonlySet<string> = new Set();
  const set = (tools: readonly string[]): void => {
    const before = single;
    single = new Set(tools);
    const isSame = before.size === single.size && tools.every((tool) => before.has(tool));
    if (!isSame) switched(undefined, true);
  };
  return {
    has: (tool: string | undefined) => tool !== undefined && single.has(tool),
    all: () => [...single],
    add: (tools: readonly string[]): void => set([...single, ...tools]),
    set,
  };
}

/** Returns all named groups. Throws for an unknown name before anything is switched. */
export function knownGroups(
  groups: readonly GroupState[],
  names: string | readonly string[],
): readonly GroupState[] {
  return [names].flat().map((name) => {
    const namedGroup = groups.find((group) => group.name === name);
    if (namedGroup !== undefined) return namedGroup;
    throw new ToolError("INVALID_INPUT", `there is no group "${name}"`, {
      hint: `groups: ${groups.map((group) => group.name).join(", ") || "none"}`,
    });
  });
}
