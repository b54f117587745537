import {
  QueryClient,
  useMutation,
  useQuery,
  type UseMutationResult,
  type UseQueryResult,
} from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { AnswerOf, ApiEvent, QueryOf, RouteName } from "../../src/app/http/api.ts";
import { read, RequestError } from "./client.ts";
import { useEvents } from "./events.ts";

/** Events come in bursts: what they changed is read again at most this often. */
const REFRESH_MS = 400;

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5000,
      refetchOnWindowFocus: true,
      retry: (count, error) => error instanceof RequestError && error.status === 0 && count < 2,
    },
  },
});

/** Reads an operation, and reads it again when events say that it changed. */
export function useRead<N extends RouteName>(
  route: N,
  path: string,
  query?: QueryOf<N>,
  options: { readonly isEnabled?: boolean; readonly everyMs?: number } = {},
): UseQueryResult<AnswerOf<N>> {
  return useQuery({
    queryKey: [route, path, query],
    queryFn: ({ signal }) => read(route, path, query, signal),
    enabled: options.isEnabled ?? true,
    ...(options.everyMs !== undefined && { refetchInterval: options.everyMs }),
  });
}

/** Changes something; then what these routes returned is read again. */
export function useChange<Given, Answer>(
  change: (given: Given) => Promise<Answer>,
  changes: readonly RouteName[],
): UseMutationResult<Answer, Error, Given> {
  return useMutation({
    mutationFn: change,
    onSettled: async () => {
      await Promise.all(changes.map((route) => queries.invalidateQueries({ queryKey: [route] })));
    },
  });
}

/** Reads again what events say has changed. Rendered once. */
export function useRefresh(): void {
  const dirty = useRef(new Set<string>());
  const timer = useRef<number | undefined>(undefined);
  useEffect(() => () => window.clearTimeout(timer.current), []);
  useEvents((event) => {
    for (const key of changedBy(event)) dirty.current.add(key);
    if (dirty.current.size === 0 || timer.current !== undefined) return;
    timer.current = window.setTimeout(() => {
      timer.current = undefined;
      const keys = [...dirty.current];
      dirty.current.clear();
      for (const key of keys) {
        const [route, path] = key.split(" ");
        void queries.invalidateQueries({ queryKey: path === undefined ? [route] : [route, path] });
      }
    }, REFRESH_MS);
  });
}

/** Returns the routes, with a path if only that one, whose answers an event changes. */
function changedBy(event: ApiEvent): readonly string[] {
  if (event.type === "stream.opened") return event.isComplete ? [] : EVERYTHING;
  if (event.type === "call.changed") return ["calls", "state", "counts", callKey(event.call.callId)];
  if (event.type.startsWith("call.") && "callId" in event && event.callId !== undefined) {
    const isSmall = event.type === "call.progressed" || event.type === "call.judged";
    return isSmall ? [callKey(event.callId)] : ["calls", "state", "counts", callKey(event.callId)];
  }
  return CHANGES[event.type] ?? [];
}

function callKey(callId: string): string {
  return `call /api/calls/${encodeURIComponent(callId)}`;
}

const CHANGES: Readonly<Record<string, readonly RouteName[]>> = {
  "approval.pending": ["approvals", "state", "call"],
  "approval.closed": ["approvals", "state", "call"],
  "approval.saved": ["grants", "policy"],
  "mode.changed": ["state", "policy"],
  "source.changed": ["sources", "tools", "state"],
  "tool.added": ["tools", "tool"],
  "tool.removed": ["tools", "tool"],
  "group.changed": ["tools"],
  "agent.state": ["agents", "sessions"],
  "chat.ended": ["chats", "chat", "sessions"],
  "chat.closed": ["chats", "chat"],
  "turn.ended": ["chat"],
};

const EVERYTHING: readonly RouteName[] = [
  "state",
  "calls",
  "call",
  "counts",
  "approvals",
  "grants",
  "tools",
  "sources",
  "policy",
  "sessions",
  "agents",
  "chats",
  "fleet",
];
