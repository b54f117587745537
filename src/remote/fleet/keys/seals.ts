import { ToolError } from "../../../core/errors.ts";
import { createFleetKeys, type FleetKeys, type FleetRole, type SignedKind } from "./sign.ts";

/** Signs what engines and workers of a namespace send to each other. */
export interface Seals extends FleetKeys {
  /** False: nothing can be signed, and nothing is checked. */
  readonly hasKey: boolean;
  /** Returns the body with its signature, which holds for the kind, the namespace and the name only. */
  readonly seal: (kind: SignedKind, name: string, body: string) => string;
  /** Returns the body of a sealed text, or undefined if no holder of the key has sealed it under this kind and name. */
  readonly unseal: (kind: SignedKind, name: string, sealed: string) => string | undefined;
}

/** Creates the seals of a namespace. Without a key, workers can be listed, but no call can be sent. */
export function createSeals(key: string | undefined, role: FleetRole, namespace: string): Seals {
  const hasKey = key !== undefined;
  const keys = hasKey ? createFleetKeys(key, role) : NO_KEYS;
  const covered = (name: string, body: string): string => `${namespace}\n${name}\n${body}`;
  return {
    ...keys,
    hasKey,
    seal: (kind, name, body) => `${keys.sign(kind, covered(name, body))} ${body}`,
    unseal(kind, name, sealed) {
      const at = sealed.indexOf(" ");
      const body = sealed.slice(at + 1);
      return at > 0 && keys.verify(kind, covered(name, body), sealed.slice(0, at)) ? body : undefined;
    },
  };
}

export function missingKey(): ToolError {
  return new ToolError("MISSING_CREDENTIALS", "fleet.key is not set: no call can be allowed", {
    hint: "openssl rand -hex 32 > FILE creates one; set fleet.key to that file on engines and workers",
  });
}

const NO_KEYS: FleetKeys = {
  sign() {
    throw missingKey();
  },
  verify: () => true,
};
