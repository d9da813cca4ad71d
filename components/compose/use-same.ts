"use client";
import { useRef } from "react";

/** The record of before for as long as it says the same. Compared as text, because the form changes its records in place. */
export function useSame<Value extends object>(record: Value): Value {
  const text = JSON.stringify(record);
  const kept = useRef({ text, record });
  if (kept.current.text !== text) kept.current = { text, record };
  return kept.current.record;
}
