import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  sign,
  timingSafeEqual,
  verify,
} from "node:crypto";
import { ToolError } from "../../core/errors.ts";

/** Signs what an engine allows. */
export type Sign = (text: string) => string;
/** Returns true for a signature of exactly this text. */
export type Verify = (text: string, signature: string) => boolean;

const MIN_SECRET = 32;
const PEM = "-----BEGIN ";

/** Returns the function with which an engine signs: HMAC with a shared secret, or Ed25519 with a private key in PEM. */
export function createSign(key: string): Sign {
  if (!key.startsWith(PEM)) {
    const secret = createSecretKey(secretOf(key), "utf8");
    return (text) => createHmac("sha256", secret).update(text).digest("base64");
  }
  const privateKey = readPem(() => createPrivateKey(key), "private");
  return (text) => sign(null, Buffer.from(text), privateKey).toString("base64");
}

/** Returns the function with which a worker checks: with the shared secret, or with the public key of Ed25519 in PEM. */
export function createVerify(key: string): Verify {
  if (key.startsWith(PEM)) {
    const publicKey = readPem(() => createPublicKey(key), "public");
    return (text, signature) => verify(null, Buffer.from(text), publicKey, Buffer.from(signature, "base64"));
  }
  const own = createSign(key);
  return (text, signature) => {
    const [expected, given] = [Buffer.from(own(text)), Buffer.from(signature)];
    return expected.length === given.length && timingSafeEqual(expected, given);
  };
}

function secretOf(key: string): string {
  const secret = key.trim();
  if (secret.length >= MIN_SECRET) return secret;
  throw new ToolError("INVALID_INPUT", `the key of the fleet has ${secret.length} characters`, {
    hint: `it needs ${MIN_SECRET} at least; openssl rand -hex 32 prints one`,
  });
}

function readPem<T extends { readonly asymmetricKeyType?: string }>(read: () => T, what: string): T {
  const expected = `expected an Ed25519 ${what} key in PEM, or a secret`;
  let key: T;
  try {
    key = read();
  } catch (cause) {
    throw new ToolError("INVALID_INPUT", `the key of the fleet is no ${what} key; ${expected}`, { cause });
  }
  if (key.asymmetricKeyType === "ed25519") return key;
  const message = `the key of the fleet is of type ${key.asymmetricKeyType}; ${expected}`;
  throw new ToolError("INVALID_INPUT", message);
}
