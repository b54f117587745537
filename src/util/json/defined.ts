type Defined<T> = { readonly [Key in keyof T as undefined extends T[Key] ? never : Key]: T[Key] } & {
  readonly [Key in keyof T as undefined extends T[Key] ? Key : never]?: Exclude<T[Key], undefined>;
};

/** Returns a copy without the properties that are `undefined`. */
export function defined<T extends object>(value: T): Defined<T> {
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(value)) {
    const one = value[name as keyof T];
    if (one !== undefined) copy[name] = one;
  }
  return copy as Defined<T>;
}
