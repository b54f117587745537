export const STRICTER = "stricter: a call is asked about, or its sandbox is needed, that would be free";
export const FOR_PEOPLE = "a text, a label or an offer for people: nothing is decided by it";
export const OTHER_TEST = "a test of another folder notices it, which the tool does not run for this file";
export const DYNAMIC =
  "the file is loaded on first use, and the tool does not load it once more for a mutant of a constant; its test compares the value";
export const LIMIT = "one more or less than a limit that is chosen freely";
export const EXAMPLES =
  "only the check of the examples in a file of rules: the file is refused, or a wrong example is not noticed; no call is judged by it";
export const ONE = "a call of the tools here has one command";
export const LONG = "a test would need a command of hundreds of kilobytes";
