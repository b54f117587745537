import { ToolError } from "../../../core/errors.ts";
import { PROVIDERS } from "../../../models/providers/providers.ts";
import type { ConfigGroups } from "../../config/groups.ts";
import { editStoredKey, keyFileOf, readStoredKeys, type StoredKey } from "../../config/stored-keys.ts";
import { findKeyring } from "./keyring.ts";

type KeyConfig = ConfigGroups<"environment" | "paths">;

/** Receives each stored key that is read, to mask it: the config knows neither those of the keyring nor one that is stored later. */
export type LearnKey = (key: string) => void;

/** Returns the variables that may hold the key of a provider, the usual one first; only that of its settings, if they name one. */
export function keysOf(provider: string, keyVariable?: string): readonly string[] {
  if (keyVariable !== undefined) return [keyVariable];
  return Object.hasOwn(PROVIDERS, provider) ? (PROVIDERS[provider]?.keys ?? []) : [];
}

/** Returns the variable under which the key of a provider is stored. Throws for a provider that takes none. */
export function keyVariableOf(provider: string): string {
  const [variable] = keysOf(provider);
  if (variable !== undefined) return variable;
  const known = Object.keys(PROVIDERS).join(", ");
  throw new ToolError("INVALID_INPUT", `unknown provider ${JSON.stringify(provider)}; expected ${known}`);
}

/** Returns the key in one of these variables: of the environment, else a stored one. Rejects if the keyring does not give it. */
export async function keyIn(
  keys: readonly string[],
  config: KeyConfig,
  learn: LearnKey,
): Promise<string | undefined> {
  const { variables } = config.environment;
  const inEnvironment = keys.find((name) => variables[name]);
  if (inEnvironment !== undefined) return variables[inEnvironment];
  const stored = readStoredKeys(config.paths);
  const variable = keys.find((name) => stored.has(name));
  return variable === undefined ? undefined : keyAt(variable, stored.get(variable), config, learn);
}

async function keyAt(
  variable: string,
  place: StoredKey | undefined,
  { environment: { variables } }: KeyConfig,
  learn: LearnKey,
): Promise<string | undefined> {
  if (place === undefined) return undefined;
  const key = "key" in place ? place.key : await findKeyring(variables)?.read(variable);
  if (key !== undefined) {
    learn(key);
    return key;
  }
  throw new ToolError("MISSING_CREDENTIALS", `the system's keyring does not give the key ${variable}`, {
    hint: `unlock the keyring, set ${variable} in the environment, or store the key again with toolwright login`,
  });
}

/** Returns the stored keys that can be read now, by variable. Rejects only if the file of keys is not valid. */
export async function readableKeys(
  config: KeyConfig,
  learn: LearnKey,
  /** False: those of the file only, and no program is started. */
  asksKeyring = true,
): Promise<Readonly<Record<string, string>>> {
  const stored = [...readStoredKeys(config.paths)].filter(([, place]) => asksKeyring || "key" in place);
  const entries = stored.map(async ([variable, place]) => {
    const key = await keyAt(variable, place, config, learn).catch(() => undefined);
    return key === undefined ? [] : [[variable, key] as const];
  });
  return Object.fromEntries((await Promise.all(entries)).flat());
}

/** Stores a key: in the keyring if there is one that takes it, else in a file that only the user can read. Returns the place, for people. */
export async function storeKey(
  { environment: { variables }, paths }: KeyConfig,
  variable: string,
  key: string,
): Promise<string> {
  const isInKeyring = (await findKeyring(variables)?.write(variable, key)) === true;
  await editStoredKey(paths, variable, isInKeyring ? { keyring: true } : { key });
  return isInKeyring ? "the system's keyring" : keyFileOf(paths);
}

/** Removes a stored key. Returns whether there was one. Rejects if the keyring does not remove it. */
export async function removeKey(
  { environment: { variables }, paths }: KeyConfig,
  variable: string,
): Promise<boolean> {
  const place = readStoredKeys(paths).get(variable);
  if (place === undefined) return false;
  if ("keyring" in place && (await findKeyring(variables)?.remove(variable)) !== true)
    throw new ToolError("UNAVAILABLE", `the system's keyring did not remove the key ${variable}`, {
      hint: "unlock the keyring, in a session of the desktop, and try again",
    });
  await editStoredKey(paths, variable, undefined);
  return true;
}
