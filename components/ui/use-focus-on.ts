import { useEffect, useRef } from "react";

/** Focuses an element whenever `shown` becomes set, so that it is read aloud. */
export function useFocusOn(shown: unknown) {
  const element = useRef<HTMLHeadingElement & HTMLDivElement>(null);
  useEffect(() => {
    if (shown) element.current?.focus();
  }, [shown]);
  return element;
}
