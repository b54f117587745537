import type { Rule } from "../../../core/rule.ts";
import type { Collections } from "../../../core/store/collection.ts";
import type { People } from "../../../core/subject.ts";
import type { RuleLayer } from "../../../policy/layers/rule-layer.ts";
import { idOf } from "../../../policy/layers/rule-set.ts";
import type { Roles } from "../../config/access/roles.ts";

type Kind = keyof Required<People>;

/** Returns a warning for each role that rules name and that does not exist. */
export function unknownRoles(layers: readonly RuleLayer[], roles: Roles): readonly string[] {
  return namesIn(layers, "roles").flatMap(({ rule, name }) =>
    Object.hasOwn(roles, name)
      ? []
      : [`rule ${rule}: unknown role ${JSON.stringify(name)}; expected ${Object.keys(roles).join(", ")}`],
  );
}

/** Returns a warning for each group and person that rules name and that nobody of the store has or is. Reads the store only for such rules. */
export async function unknownPeople(
  layers: readonly RuleLayer[],
  collections: Collections,
): Promise<readonly string[]> {
  const [groups, people] = [namesIn(layers, "groups"), namesIn(layers, "people")];
  if (groups.length + people.length === 0) return [];
  // Loaded on use, because most rules name nobody.
  const { openPeople } = await import("./people.ts");
  const known = await openPeople(collections).list();
  const inGroup = new Set(known.flatMap((person) => person.groups));
  const named = new Set(known.map((person) => person.name));
  return [
    ...groups.flatMap(({ rule, name }) =>
      inGroup.has(name) ? [] : [`rule ${rule}: no person is in the group ${JSON.stringify(name)}`],
    ),
    ...people.flatMap(({ rule, name }) =>
      named.has(name) ? [] : [`rule ${rule}: no person is named ${JSON.stringify(name)}`],
    ),
  ];
}

/** Returns the names of one kind that the rules have, with the ids of the rules. */
function namesIn(layers: readonly RuleLayer[], kind: Kind) {
  return layers.flatMap((layer) =>
    layer.rules.flatMap((rule, index) =>
      namesOf(rule, kind).map((name) => ({ rule: idOf(rule, layer.name, index), name })),
    ),
  );
}

function namesOf({ who, except, approvers }: Rule, kind: Kind): readonly string[] {
  return [...new Set([who, except, approvers].flatMap((people) => people?.[kind] ?? []))];
}
