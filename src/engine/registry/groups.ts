import { ToolError } from "../../core/errors.ts";
import type { GroupState } from "../../core/session/active-tools.ts";
import type { Groups } from "../types/registry.ts";

/** Receives the group that was switched, or undefined for single tools. */
export type Switched = (group: string | undefined, active: boolean) => void;

/** Creates the groups of an engine. A tool without a group is always active. */
export function createGroups(switched: Switched): Groups {
  const groups = new Map<string, GroupState>();
  const tools = createSingles(switched);
  const set = (names: string | readonly string[], active: boolean): void => {
    for (const group of knownGroups([...groups.values()], names)) {
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
    allowOnly: (names) => tools.set(names),
    list: () => [...groups.values()],
    has: (name) => groups.has(name),
    isActive: (group, tool) => group === undefined || groups.get(group)?.active === true || tools.has(tool),
  };
}

/**
 * Creates the switches of a session on top of those of the engine or of a parent session.
 * A child session never has more active than its parent.
 */
export function createSessionGroups(base: Groups, switched: Switched, isChild = false): Groups {
  const own = new Map<string, boolean>();
  const tools = createSingles(switched);
  const isOn = ({ name, active }: GroupState): boolean => {
    const chosen = own.get(name) ?? active;
    return isChild ? chosen && active : chosen;
  };
  const list = (): readonly GroupState[] => base.list().map((group) => ({ ...group, active: isOn(group) }));
  const set = (names: string | readonly string[], active: boolean): void => {
    for (const { name, active: before } of knownGroups(list(), names)) {
      own.set(name, active);
      if (before !== active) switched(name, active);
    }
  };
  return {
    create: (name, options) => base.create(name, options),
    activate: (names) => set(names, true),
    deactivate: (names) => set(names, false),
    allowOnly: (names) => tools.set(names),
    list,
    has: (name) => base.has(name),
    isActive(group, tool) {
      if (group === undefined) return true;
      const inBase = base.isActive(group, tool);
      if (isChild && !inBase) return false;
      return (own.get(group) ?? inBase) || tools.has(tool);
    },
  };
}

/** Creates the set of single tools that are active although their groups are not. */
function createSingles(switched: Switched) {
  let single: ReadonlySet<string> = new Set();
  return {
    has: (tool: string | undefined) => tool !== undefined && single.has(tool),
    set(tools: readonly string[]) {
      const before = single;
      single = new Set(tools);
      const isSame = before.size === single.size && tools.every((tool) => before.has(tool));
      if (!isSame) switched(undefined, true);
    },
  };
}

/** Returns all named groups. Throws for an unknown name before anything is switched. */
export function knownGroups(
  groups: readonly GroupState[],
  names: string | readonly string[],
): readonly GroupState[] {
  return [names].flat().map((name) => {
    const found = groups.find((group) => group.name === name);
    if (found !== undefined) return found;
    throw new ToolError("INVALID_INPUT", `there is no group "${name}"`, {
      hint: `groups: ${groups.map((group) => group.name).join(", ") || "none"}`,
    });
  });
}
