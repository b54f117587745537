/** A value that is filled in before it is returned. */
export type Changing<T> = { -readonly [Key in keyof T]: T[Key] };
