import { hash } from "node:crypto";
import type { Collection } from "../../../core/store/collection.ts";
import { isObject, type Json, type JsonObject } from "../../../core/json.ts";
import type { LoginState, StoredLogin, StoredLoginOptions } from "../types/login-types.ts";

/** Returns the stored login that belongs to this name, URL and folder together. */
export function storedLogin({ collection, name, url, folder }: StoredLoginOptions): StoredLogin {
  const identity = JSON.stringify([new URL(url).href, folder ?? null]);
  const key = `${prefixOf(name)}"${hash("sha256", identity)}"]`;
  return {
    read: async () => fromDocument(await collection.get(key)),
    async update(change) {
      const stored = await collection.update(key, (value) => {
        const next = change(fromDocument(value));
        const isEmpty = Object.values(next).every((part) => part === undefined);
        return isEmpty ? undefined : (JSON.parse(JSON.stringify(next)) as JsonObject);
      });
      return fromDocument(stored);
    },
  };
}

/** Deletes every login under that name, for all URLs. Returns true if there was one. */
export async function forgetLogins(collection: Collection, name: string): Promise<boolean> {
  const stored = await collection.list({ prefix: prefixOf(name) });
  for (const { key } of stored) await collection.delete(key);
  return stored.some(({ value }) => fromDocument(value).login !== undefined);
}

/** Returns the values of a login to mask in output. */
export function secretsOf({ login, registration }: LoginState): readonly string[] {
  const { access_token, refresh_token, id_token } = login?.tokens ?? {};
  const secrets = [login?.client.client_secret, registration?.client_secret];
  return [access_token, refresh_token, id_token, ...secrets].filter((one) => one !== undefined);
}

function prefixOf(name: string): string {
  return `[${JSON.stringify(name)},`;
}

/** Not validated: no other program writes these documents. */
function fromDocument(value: Json | undefined): LoginState {
  return isObject(value) ? value : {};
}
