/** The longest delay of a Node timer; a longer one fires at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;
