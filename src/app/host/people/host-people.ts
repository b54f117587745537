import type { Store } from "../../../store/replaceable-store.ts";
import type { ConfigGroups } from "../../config/groups.ts";
import { rolesOf, type Roles } from "../../config/access/roles.ts";
import { openPeople, type People } from "./people.ts";

/** The people of a server, and the roles that they can have. */
export interface ServedPeople {
  readonly people: People;
  readonly roles: Roles;
}

/** Returns the people of a host; undefined for a store in NATS, to which others than this machine's user can write. */
export function hostPeople(
  { storage, auth: { roles } }: ConfigGroups<"auth" | "storage">,
  { collections }: Pick<Store, "collections">,
): ServedPeople | undefined {
  return storage.isShared ? undefined : { people: openPeople(collections), roles: rolesOf(roles) };
}
