import { createContext, use } from "react";
import type { AnswerOf } from "../../src/app/http/api.ts";

export type Right = AnswerOf<"state">["rights"][number];

/** What the person at this console may do; undefined until the server has said so. */
export const Rights = createContext<readonly Right[] | undefined>(undefined);

/** Returns true if the token of this console has the right; false until the server has said so. */
export function useMay(right: Right): boolean {
  return use(Rights)?.includes(right) === true;
}
