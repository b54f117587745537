/** What the name of a field or variable says about its value: a password may be a word, a secret is generated, anything else may be one. */
export type Kind = "password" | "secret" | "maybe";

const PASSWORD = /(?:password|passwd|passphrase|passwort|pwd|sshpass|dbpass|userpass)$|(?:^|_)pass$|_pw$/;
/** Names, in small letters and without `_`, that end in one of these have a secret. */
const SECRET =
  /(?:secret|token|credentials?|jwt|authorization|(?:api|auth|account|access|secret|private|client|signing|encryption|master|license|session|preshared|hmac)key|webhookurl|bearer)$/;
/** The value decides. */
const MAYBE = /(?:^|_)(?:key|auth|pin|salt|sk|dsn|cookies?|sid|webhook|seed|sig|amz_signature|session_?id)$/;
/** Names that end like that of a secret, and have something else. */
const HARMLESS =
  /^sec_websocket_key$|(?:^|_)(?:max|min|num|count|total|next|prev|previous|first|last|page|continuation|pagination|sync|resume|cancel|cancellation|abort|public|primary|foreign|partition|sort|cache|row|column|map|object|index|group|hot|short|idempotency|no|is|has|use|show|hide|forgot|reset|confirm|invalid|wrong|missing|change)_(?:[a-z]+_)?(?:tokens?|keys?|password|passwd|secret|credentials?|cookies?)$/;

const MAX_NAMES = 4096;
const MAX_NAME = 64;
const known = new Map<string, Kind | undefined>();

/** Returns what a name says, in any spelling: `DB_PASS`, `apiKey`, `x-auth-token`, `spring.datasource.password`. */
export function kindOf(name: string): Kind | undefined {
  const knownKind = known.get(name);
  if (knownKind !== undefined || known.has(name)) return knownKind;
  const kind = readKind(name);
  if (known.size >= MAX_NAMES) known.clear();
  // A copy, as of `detach`: a part of a long text would keep all of it in memory.
  if (name.length <= MAX_NAME) known.set(`${name} `.slice(0, -1), kind);
  return kind;
}

function readKind(name: string): Kind | undefined {
  // What a field has is told by the end of its name.
  const words = name
    .slice(-MAX_NAME)
    .replaceAll(/([a-z\d])([A-Z])/g, "$1_$2")
    .replaceAll(/[^A-Za-z0-9]+/g, "_")
    .toLowerCase()
    .replace(/_?\d{1,2}$/, "");
  if (HARMLESS.test(words)) return undefined;
  const joined = words.replaceAll("_", "");
  if (PASSWORD.test(words) || PASSWORD.test(joined)) return "password";
  if (SECRET.test(joined)) return "secret";
  return MAYBE.test(words) ? "maybe" : undefined;
}

const VARIABLE = /(?:^|_)(?:KEY|TOKEN|SECRET|CREDENTIALS?)$|PASSWORD|PASSWD/i;

/** Returns whether an environment variable, a header or a parameter has the name of a secret. */
export function isSecretName(name: string): boolean {
  return VARIABLE.test(name) || kindOf(name) !== undefined;
}
