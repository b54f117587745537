import type { Caller } from "../../host/people/caller.ts";
import { rightsOfPerson, rolesOfPerson, type ServedPeople } from "../../host/people/host-people.ts";
import type { Credential } from "./login-types.ts";

/** The last use of a token is stored at most this often. */
const NOTE_MS = 60_000;

/** A credential that was used here. */
interface Live {
  readonly caller: Caller;
  readonly ending: AbortController;
  /** What the caller was made from: any change of it ends the caller. */
  readonly made: string;
  credential: Credential;
  notedAt: number;
}

/** Creates callers for people, and ends each within a moment after the credential or the person changed. */
export function createLiveCallers(served: ServedPeople, checkMs: number) {
  const live = new Map<string, Live>();
  const end = (key: string): void => {
    live.get(key)?.ending.abort();
    live.delete(key);
  };
  const check = async (): Promise<void> => {
    for (const [key, one] of live) {
      // A store that cannot be read says nothing of who may do what.
      const known = await one.credential.check().catch(() => undefined);
      // A request of meanwhile may have replaced the caller.
      const isCurrent = live.get(key) === one;
      if (isCurrent && (known === undefined || originOf(known, served) !== one.made)) end(key);
    }
  };
  let isChecking = false;
  const checkOnce = async (): Promise<void> => {
    if (isChecking) return;
    isChecking = true;
    await check();
    isChecking = false;
  };
  const timer = setInterval(() => void checkOnce(), checkMs).unref();
  return {
    callerOf(credential: Credential): Caller {
      const { key } = credential;
      const made = originOf(credential, served);
      if (live.get(key)?.made !== made) end(key);
      let one = live.get(key);
      if (one === undefined) {
        const ending = new AbortController();
        one = { caller: toCaller(credential, served, ending.signal), ending, made, credential, notedAt: 0 };
        live.set(key, one);
      }
      one.credential = credential;
      if (Date.now() - one.notedAt > NOTE_MS) {
        one.notedAt = Date.now();
        // Only a note: the request does not depend on it.
        void credential.noteUse?.().catch(() => undefined);
      }
      return one.caller;
    },
    close(): void {
      clearInterval(timer);
      for (const key of live.keys()) end(key);
    },
  };
}

function toCaller({ tools, person }: Credential, served: ServedPeople, ended: AbortSignal): Caller {
  const { name, groups } = person;
  return {
    name,
    subject: { id: name, groups, roles: rolesOfPerson(person, served) },
    rights: rightsOfPerson(person, served),
    ceilings: tools === null ? [] : [{ tools }],
    ended,
  };
}

function originOf({ made, tools, person }: Credential, served: ServedPeople): string {
  return JSON.stringify([made, tools, person.name, rolesOfPerson(person, served), person.groups]);
}
