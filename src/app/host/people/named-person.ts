import type { Subject } from "../../../core/subject.ts";
import { unknownName } from "../../../util/text/near-hint.ts";
import type { ConfigGroups } from "../../config/groups.ts";
import { openPresentStore } from "../store/open-configured-store.ts";
import { openPeople } from "./people.ts";
import type { Person } from "./person.ts";

/** Returns the people of the store on disk; none if there is no store. */
export async function readPeople(
  config: ConfigGroups<"storage" | "paths" | "fleet">,
): Promise<readonly Person[]> {
  await using store = config.storage.isShared ? undefined : await openPresentStore(config);
  return store === undefined ? [] : openPeople(store.collections).list();
}

/** Returns a person as the subject of calls. Throws `INVALID_INPUT` for an unknown name. */
export function personNamed(people: readonly Person[], name: string): Subject {
  const person = people.find((one) => one.name === name);
  if (person !== undefined) return { id: name, groups: person.groups, roles: person.roles };
  const names = people.map((one) => one.name);
  const hint = "toolwright user list shows everybody";
  throw unknownName(`no person is named ${JSON.stringify(name)}`, name, names, hint);
}
