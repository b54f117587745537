/** Colours: for a dark or a light terminal, only the 16 of the terminal, or none. */
export const THEMES = ["dark", "light", "ansi", "none"] as const;
export type Theme = (typeof THEMES)[number];
