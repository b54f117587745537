import { ToolError } from "../../../core/errors.ts";
import type { Store } from "../../../store/replaceable-store.ts";
import type { ConfigGroups } from "../../config/groups.ts";
import { rightsOf, rolesOf, type Roles } from "../../config/access/roles.ts";
import type { Right } from "../../config/access/http-tokens.ts";
import type { OidcSetting } from "../../config/settings/auth-setting.ts";
import { openSessions, type ConsoleSessions } from "./console-sessions.ts";
import { rolesOfGroups } from "./identity.ts";
import { openPeople, type People } from "./people.ts";
import type { Person } from "./person.ts";

/** The people of a server, and what they may do there. */
export interface ServedPeople {
  readonly people: People;
  readonly roles: Roles;
  /** How people of a provider log in; absent: there is none. */
  readonly oidc?: OidcSetting | undefined;
  readonly sessions?: ConsoleSessions;
}

/** Returns the people of a host; undefined for a store in NATS, to which others than this machine's user can write. */
export function hostPeople(
  { storage, auth: { roles, oidc } }: ConfigGroups<"auth" | "storage">,
  { collections }: Pick<Store, "collections">,
): ServedPeople | undefined {
  if (storage.isShared) return undefined;
  const people = openPeople(collections);
  return { people, roles: rolesOf(roles), oidc, sessions: openSessions(collections, people) };
}

/** Throws if the store of the config can hold no people: nobody could be disabled there. `what` begins the message. */
export function requirePeopleStore({ storage, paths }: ConfigGroups<"storage" | "paths">, what = ""): void {
  if (storage.isShared)
    throw new ToolError(
      "INVALID_INPUT",
      `${what}the store is nats, and people are stored only in a store on disk`,
      {
        hint: "use --store FOLDER, the same for toolwright user and serve",
      },
    );
  if (paths.store === ":memory:")
    throw new ToolError("INVALID_INPUT", `${what}people cannot be stored in memory`, {
      hint: "use a store on disk: without --store :memory:, or with --store FOLDER",
    });
}

/** Returns the roles of a person: their own, and those of their groups if they come from the provider of the config. */
export function rolesOfPerson(
  { roles, groups, identity }: Pick<Person, "roles" | "groups" | "identity">,
  { oidc }: Pick<ServedPeople, "oidc">,
): readonly string[] {
  if (oidc === undefined || identity?.issuer !== oidc.issuer) return roles;
  return [...new Set([...roles, ...rolesOfGroups(groups, oidc)])];
}

/** Returns what a person may do. */
export function rightsOfPerson(
  person: Person,
  served: Pick<ServedPeople, "roles" | "oidc">,
): readonly Right[] {
  return rightsOf(rolesOfPerson(person, served), served.roles);
}
