import { useCallback } from "react";
import { useRead } from "../../../api/queries.ts";
import { shortId } from "../../../ui/values/format.ts";

/** The title and the agent of a session; of one without an agent, the end of its id. */
export type NameOfSession = (id: string) => { readonly title: string; readonly agent: string };

/** Returns what sessions are called in the list of calls. */
export function useSessionNames(): NameOfSession {
  const { data } = useRead("sessions", { all: true });
  return useCallback(
    (id) => {
      const session = data?.sessions.find((one) => one.id === id);
      const title = session?.title ?? "";
      return { title: title === "" ? shortId(id) : title, agent: session?.agent.name ?? "–" };
    },
    [data],
  );
}
