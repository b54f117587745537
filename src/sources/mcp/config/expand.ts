export type Texts = Readonly<Record<string, string>>;

/** Returns the texts with the values of their variables. */
export function expandAll(written: Texts | undefined, variables: Variables): Texts {
  return Object.fromEntries(
    Object.entries(written ?? {}).map(([key, value]) => [key, expand(value, variables)]),
  );
}

/** The environment variables, and which of them a config may use. */
export interface Variables {
  /** The variables that a config may use. */
  readonly allowed: Readonly<Record<string, string>>;
  /** Returns true if a variable of that name is set, allowed or not. */
  readonly isSet: (name: string) => boolean;
}

/** Says why a text cannot be expanded. */
export class ExpansionError extends Error {
  override readonly name = "ExpansionError";
}

/** `${env:NAME}` is how editors write `${NAME}`. */
const VARIABLE = /\$\{(?:env:(?=[A-Za-z_]))?([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

/**
 * Replaces `${NAME}` and `${NAME:-default}` by the values of variables. Throws an `ExpansionError` for a variable that is not set, or
 * is set but not allowed: a config written by another user must not send the user's secrets anywhere.
 */
export function expand(text: string, { allowed, isSet }: Variables): string {
  const [editors] = /\$\{(?:input|command|config):[^}]*\}/.exec(text) ?? [];
  if (editors !== undefined)
    throw new ExpansionError(`it uses ${editors}, which only an editor can fill in; use a variable instead`);
  return text.replaceAll(VARIABLE, (_whole, name: string, fallback: string | undefined) => {
    const value = Object.hasOwn(allowed, name) ? allowed[name] : undefined;
    if (value !== undefined && (value !== "" || fallback === undefined)) return value;
    if (value === undefined && isSet(name))
      throw new ExpansionError(`it uses \${${name}}, which the setting "environment" does not name`);
    if (fallback !== undefined) return fallback;
    throw new ExpansionError(`it uses \${${name}}, which is not set`);
  });
}
