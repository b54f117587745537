import { join } from "node:path";
import type { PersonalToken } from "../../../src/app/host/people/person.ts";
import { openPeople } from "../../../src/app/host/people/people.ts";
import { openStore } from "../../../src/store/open-store.ts";

/** A person with a token of this id. */
export async function addPersonWithToken(home: string, name: string, id: string): Promise<void> {
  await using store = await openStore({ folder: join(home, "state") });
  await openPeople(store.collections).add({ name, roles: ["caller"], groups: [] });
  const times = { createdAt: Date.now(), expiresAt: null, lastUsedAt: null };
  const token: PersonalToken = { id, person: name, hash: "", tools: null, ...times };
  await store.collections.open("people-tokens").set(id, token);
}
