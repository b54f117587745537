import {
  keepPreviousData,
  QueryClient,
  useMutation,
  useQuery,
  type UseMutationResult,
  type UseQueryResult,
} from "@tanstack/react-query";
import { use } from "react";
import type { AnswerOf, RouteName } from "../../src/app/http/api.ts";
import { read, RequestError } from "./client.ts";
import { ENDPOINTS } from "./endpoints.ts";
import { keyOf, type AddressOf, type ReadName } from "./operations.ts";
import { Rights } from "./rights.ts";

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

/** Returns false for an operation that the server would refuse to this person. */
function useMayUse(name: RouteName): boolean {
  const rights = use(Rights);
  return rights === undefined || ENDPOINTS[name].rights.some((right) => rights.includes(right));
}
