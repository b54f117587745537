import {
  keepPreviousData,
  QueryClient,
  useMutation,
  useQuery,
  type UseMutationResult,
  type UseQueryResult,
} from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { AnswerOf } from "../../src/app/http/api.ts";
import { changedBy, type Changed } from "./changes.ts";
import { read, RequestError } from "./client.ts";
import { useEvents } from "./events.ts";
import { useMayUse } from "./may-use.ts";
import { keyOf, type AddressOf, type ReadName } from "./operations.ts";

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

interface ReadOptions {
  /** Default: true. */
  readonly isEnabled?: boolean;
  /** Read again this often. Default: only when events say that it changed. */
  readonly everyMs?: number;
  /** Show the answer of the address before until the new one is there. Default: false. */
  readonly keepsPrevious?: boolean;
}

type ReadArgs<N extends ReadName> =
  Readonly<Record<string, never>> extends AddressOf<N>
    ? [address?: AddressOf<N>, options?: ReadOptions]
    : [address: AddressOf<N>, options?: ReadOptions];

/** Reads an operation that the person may use, and reads it again when events say that it changed. */
export function useRead<N extends ReadName>(name: N, ...args: ReadArgs<N>): UseQueryResult<AnswerOf<N>> {
  const [address = {} as AddressOf<N>, { isEnabled = true, everyMs, keepsPrevious = false } = {}] = args;
  const mayUse = useMayUse(name);
  return useQuery({
    queryKey: keyOf(name, address),
    queryFn: ({ signal }) => read(name, address, signal),
    enabled: isEnabled && mayUse,
    ...(everyMs !== undefined && { refetchInterval: everyMs }),
    ...(keepsPrevious && { placeholderData: keepPreviousData }),
  });
}

/** Changes something; then what these operations returned is read again. */
export function useChange<Given, Answer>(
  change: (given: Given) => Promise<Answer>,
  changes: readonly ReadName[],
): UseMutationResult<Answer, Error, Given> {
  return useMutation({
    mutationFn: change,
    onSettled: async () => {
      await Promise.all(changes.map((name) => queries.invalidateQueries({ queryKey: [name] })));
    },
  });
}

/** Reads again what events say has changed; after a gap in the events, everything. Rendered once. */
export function useRefresh(): void {
  const dirty = useRef(new Map<string, Changed>());
  const timer = useRef<number | undefined>(undefined);
  const isFirst = useRef(true);
  useEffect(() => () => window.clearTimeout(timer.current), []);
  useEvents((event) => {
    if (event.type === "stream.opened") {
      if (!event.isComplete && !isFirst.current) void queries.invalidateQueries();
      isFirst.current = false;
    }
    for (const changed of changedBy(event)) dirty.current.set(JSON.stringify(changed), changed);
    if (dirty.current.size === 0 || timer.current !== undefined) return;
    timer.current = window.setTimeout(() => {
      timer.current = undefined;
      for (const queryKey of dirty.current.values()) void queries.invalidateQueries({ queryKey });
      dirty.current.clear();
    }, REFRESH_MS);
  });
}
