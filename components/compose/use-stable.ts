"use client";
import { useRef } from "react";

/** The same record as before for as long as nothing in it is another, so that what is computed from it can be kept. */
export function useStable<Value>(record: { [key: string]: Value }): { [key: string]: Value } {
  const before = useRef(record);
  const names = Object.keys(record);
  const isSame =
    names.length === Object.keys(before.current).length && names.every((name) => before.current[name] === record[name]);
  if (!isSame) before.current = record;
  return before.current;
}
