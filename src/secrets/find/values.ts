import { isSecretName, kindOf, type Kind } from "./names.ts";
import { hasWords, isPlaceholder, looksRandom } from "./randomness.ts";

/** What the text around a value says about it. */
export interface ValueContext {
  /** What the name says: a password may be short and chosen by a person, a token is generated. */
  readonly kind: Kind;
  readonly isQuoted: boolean;
  /** `NAME=value`, as in the environment. */
  readonly isVariable: boolean;
}

const MIN_VALUE = 6;
/** More of a value would tell no more. */
const MAX_READ = 128;
/** Values that name a kind, a state or another variable. */
const ORDINARY =
  /^(?:true|false|null|none|nil|undefined|string|number|boolean|object|buffer|unknown|optional|required|enabled?|disabled?|default|hidden|private|public|production|development|staging|passw(?:or)?d|secret|token|credentials?|apikey|username|basic|bearer|digest|test(?:ing)?|admin|localhost|session|include|same-origin|omit|(?:big)?u?(?:int|float)\d+(?:clamped)?array|arraybuffer|buffersource)$/i;
/** References and expressions: `$X`, `${X}`, `{{x}}`, `%X%`, `process.env.X`, `os.environ`, `a.b.c`, `NAME_OF_CONSTANT`. */
const REFERENCE =
  /^\$[A-Za-z_]\w*$|^%\w+%$|^[{<[]|^[*&!@]\w*$|[$%#]\{|\{\{|\$\(|^(?:process|import|os|sys|env|ENV|config|self|this|args|options|props|secrets|vars|settings|inputs|steps)\b|^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)+$|^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/;
const ADDRESS = /^[a-z][a-z0-9+.-]*:\/\//i;
const PATH =
  /^(?:~|\.{1,2})[/\\]|^[A-Za-z]:[/\\]|^\/(?:home|usr|etc|var|run|tmp|opt|root|mnt|srv|dev|proc|app|Users|private|workspace|data|secrets)(?:\/|$)/;

/** Returns whether a value is one that a secret may have: no word of a program, path or placeholder. */
function mayBeSecret(value: string): boolean {
  return value.length >= MIN_VALUE && !ORDINARY.test(value) && !PATH.test(value) && !isPlaceholder(value);
}

/** Returns whether a value beside a name is a secret. */
export function isSecretValue(whole: string, context: ValueContext): boolean {
  // Names may follow each other closely, each with the rest of the text as its value.
  const value = whole.slice(0, MAX_READ);
  const { kind, isQuoted, isVariable } = context;
  if (!mayBeSecret(value) || REFERENCE.test(value) || !/^[\x21-\x7e]+$/.test(value)) return false;
  if (!isQuoted && !isVariable && EXPRESSION.test(value)) return false;
  if (kind === "password") return isVariable || (/\d/.test(value) && (isQuoted || looksRandom(value)));
  if (isVariable && kind === "secret") return /\d|[a-z][A-Z]|[A-Z][a-z]+[A-Z]/.test(value);
  return !ADDRESS.test(value) && looksRandom(value, leastOf(context)) && !hasWords(value);
}

const EXPRESSION = /[?|]|:.*[.:]/;

/** The less the text around a value says, the longer it has to be. */
function leastOf({ kind, isQuoted, isVariable }: ValueContext): number {
  if (isVariable) return 8;
  return isQuoted && kind === "secret" ? 10 : 16;
}

/** Returns the values to mask wherever they appear among variables, headers or parameters: no switches, numbers, paths or short words. */
export function secretsIn(table: Readonly<Record<string, string | undefined>>): readonly string[] {
  return Object.entries(table).flatMap(([name, value]) =>
    value !== undefined && isSecretName(name) && isVariableSecret(value, kindOf(name)) ? [value] : [],
  );
}

function isVariableSecret(value: string, kind: Kind | undefined): boolean {
  if (!mayBeSecret(value) || /^\d{1,5}(?:\.\d+)?$/.test(value)) return false;
  return (
    kind === "password" || kind === "secret" || /\d/.test(value) || /[^\w-]/.test(value) || value.length >= 20
  );
}
