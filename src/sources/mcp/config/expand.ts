/** The variables of the machine, and which of them a config may name. */
export interface Variables {
  /** Those that were allowed. */
  readonly allowed: Readonly<Record<string, string>>;
  /** Whether there is one of that name, allowed or not. */
  readonly isSet: (name: string) => boolean;
}

/** Why a text cannot be expanded. */
export class ExpansionError extends Error {
  override readonly name = "ExpansionError";
}

const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

/**
 * Puts the values of variables in place of `${NAME}` and `${NAME:-default}`. Throws an `ExpansionError` for one that is not set, and for
 * one that is but was not allowed: a config that somebody else wrote must not send the user's secrets anywhere.
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
