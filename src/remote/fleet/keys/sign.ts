import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  sign,
  timingSafeEqual,
  verify,
  type KeyObject,
} from "node:crypto";
import { ToolError } from "../../../core/errors.ts";

/** Who signs what: a signature of one kind is none of another. */
const AUTHORS = {
  call: ["engine"],
  cancel: ["engine"],
  drain: ["engine"],
  approval: ["engine"],
  advert: ["worker"],
  spec: ["worker"],
  notice: ["worker"],
  // An engine answers a call that it withdraws.
  answer: ["worker", "engine"],
} as const satisfies Readonly<Record<string, readonly FleetRole[]>>;

export type SignedKind = keyof typeof AUTHORS;
export type FleetRole = "engine" | "worker";

/** The key of the fleet, as one engine or worker uses it. */
export interface FleetKeys {
  readonly sign: (kind: SignedKind, text: string) => string;
  /** Returns true for a signature of exactly this text, as this kind, by someone who may sign it. */
  readonly verify: (kind: SignedKind, text: string, signature: string) => boolean;
}

const MIN_SECRET = 32;
const PEM_BLOCK = /-----BEGIN ([A-Z ]+)-----[^-]+-----END \1-----/g;

/**
 * Reads the key of a fleet: a shared secret (HMAC), or Ed25519 keys in PEM: a private key, and the public keys of the other side. Without
 * these, all engines and workers have the same private key. Throws `INVALID_INPUT` for anything else.
 */
export function createFleetKeys(text: string, role: FleetRole): FleetKeys {
  const blocks = text.match(PEM_BLOCK) ?? [];
  return blocks.length > 0 ? pairKeys(blocks, role) : secretKeys(text.trim());
}

/** What a signature covers. */
const covered = (kind: SignedKind, text: string): string => `toolwright ${kind}\n${text}`;

function secretKeys(secret: string): FleetKeys {
  if (secret.length < MIN_SECRET)
    throw new ToolError("INVALID_INPUT", `the key of the fleet has ${secret.length} characters`, {
      hint: `it needs ${MIN_SECRET} at least; openssl rand -hex 32 prints one`,
    });
  const key = createSecretKey(secret, "utf8");
  const signOf = (kind: SignedKind, text: string): string =>
    createHmac("sha256", key).update(covered(kind, text)).digest("base64");
  return {
    sign: signOf,
    verify(kind, text, signature) {
      const [expected, actual] = [Buffer.from(signOf(kind, text)), Buffer.from(signature)];
      return expected.length === actual.length && timingSafeEqual(expected, actual);
    },
  };
}

function pairKeys(blocks: readonly string[], role: FleetRole): FleetKeys {
  const isPrivate = (block: string): boolean => block.includes("PRIVATE KEY");
  const [pem, ...more] = blocks.filter(isPrivate);
  if (pem === undefined || more.length > 0)
    throw new ToolError(
      "INVALID_INPUT",
      `the key of the fleet has ${pem ? more.length + 1 : "no"} private key`,
      {
        hint: "engines and workers sign: the file needs one Ed25519 private key, and the public keys of the other side",
      },
    );
  const own = readPem(() => createPrivateKey(pem));
  const ownPublic = createPublicKey(own);
  const named = blocks
    .filter((block) => !isPrivate(block))
    .map((block) => readPem(() => createPublicKey(block)));
  const others = named.length > 0 ? named : [ownPublic];
  const allowed = (kind: SignedKind): readonly KeyObject[] => {
    const authors: readonly FleetRole[] = AUTHORS[kind];
    return [
      ...(authors.includes(role) ? [ownPublic] : []),
      ...(authors.some((one) => one !== role) ? others : []),
    ];
  };
  return {
    sign: (kind, text) => sign(null, Buffer.from(covered(kind, text)), own).toString("base64"),
    verify: (kind, text, signature) =>
      allowed(kind).some((key) =>
        verify(null, Buffer.from(covered(kind, text)), key, Buffer.from(signature, "base64")),
      ),
  };
}

function readPem(read: () => KeyObject): KeyObject {
  const expected = "expected Ed25519 keys in PEM, or a secret";
  let key: KeyObject;
  try {
    key = read();
  } catch (cause) {
    throw new ToolError("INVALID_INPUT", `the key of the fleet cannot be read; ${expected}`, { cause });
  }
  if (key.asymmetricKeyType === "ed25519") return key;
  const message = `the key of the fleet is of type ${key.asymmetricKeyType}; ${expected}`;
  throw new ToolError("INVALID_INPUT", message);
}
