import { useEffect, useRef } from "react";

/** An element that gets the focus whenever this changes to something, so that it is read out. */
export function useFocusOn(shown: unknown) {
  const element = useRef<HTMLHeadingElement & HTMLDivElement>(null);
  useEffect(() => {
    if (shown) element.current?.focus();
  }, [shown]);
  return element;
}
