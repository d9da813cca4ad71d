"use client";
import { usePathname, useSearchParams } from "next/navigation";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";

type Fields = { [name: string]: string | undefined };

/**
 * State that is kept in the query of the URL, so that it can be bookmarked, shared and navigated.
 * A change is drawn at once. The router draws its copy of the URL later, when another key may have been pressed.
 * @param parse reads the state from a query; a stable function
 * @param fieldsOf the parameters that a state is written as; empty ones are left out. A stable function too
 */
export function useAddress<State extends object>(
  parse: (params: URLSearchParams) => State,
  fieldsOf: (state: State) => Fields,
): [State, (to: Partial<State>) => void] {
  const path = usePathname();
  const inUrl = useSearchParams().toString();
  const [query, setQuery] = useState(inUrl);
  const latest = useRef(query);
  /** Queries that this hook wrote and that the router has not shown yet. */
  const written = useRef<string[]>([]);

  useEffect(() => {
    if (written.current.includes(inUrl)) {
      if (inUrl === written.current.at(-1)) written.current = [];
      return;
    }
    // Someone else changed the URL: a link, or the browser's back button.
    written.current = [];
    latest.current = inUrl;
    setQuery(inUrl);
  }, [inUrl]);

  const go = useCallback(
    (to: Partial<State>) => {
      const fields = fieldsOf({ ...parse(new URLSearchParams(latest.current)), ...to });
      const set = Object.entries(fields).filter((entry): entry is [string, string] => Boolean(entry[1]));
      const next = new URLSearchParams(set).toString();
      if (next === latest.current) return;
      latest.current = next;
      written.current.push(next);
      setQuery(next);
      // Without the router, which would ask the server for the same page at each press of a key.
      history.replaceState(null, "", next ? `?${next}` : path);
    },
    [parse, fieldsOf, path],
  );
  return [useMemo(() => parse(new URLSearchParams(query)), [parse, query]), go];
}
