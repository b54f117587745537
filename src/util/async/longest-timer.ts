/** The longest that a timer of Node's can wait; one that is set later than that fires at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;
