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

const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

/**
 * Replaces `${NAME}` and `${NAME:-default}` by the values of variables. Throws an `ExpansionError` for a variable that is not set, or
 * is set but not allowed: a config written by another user must not send the user's secrets anywhere.
 */
export function expand(text: string, { allowed, isSet }: Variables): string {
  return text.replaceAll(VARIABLE, (_whole, name: string, fallback: string | undefined) => {
    const value = Object.hasOwn(allowed, name) ? allowed[name] : undefined;
    if (value !== undefined && (value !== "" || fallback === undefined)) return value;
    if (value === undefined && isSet(name))
      throw new ExpansionError(`it uses \${${name}}, which the setting "environment" does not name`);
    if (fallback !== undefined) return fallback;
    throw new ExpansionError(`it uses \${${name}}, which is not set`);
  });
}
