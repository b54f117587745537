// Reasons that many equivalent mutants share.

export const CACHE = "a cache: without it the same is computed again";
export const SHORTCUT = "a shortcut: the long way decides the same";
export const ONLY_FOR_MATCHING = "a view that is made only to be matched: nothing reads its kind and access";
export const INTERNAL = "the name in the message of an error that no call can cause";
export const TYPE_ONLY = "the type has undefined, the value never has";
export const FOR_PEOPLE = "a text for people";
