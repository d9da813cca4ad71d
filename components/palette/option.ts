import type { ReactNode } from "react";

/** One line to choose. */
export type Option = {
  /** What tells it apart from all others. */
  id: string;
  sign: ReactNode;
  label: string;
  note?: string;
  /** The single key that does the same, and where, if not here. */
  hint?: { key: string; where?: string };
  run: () => void;
};

/** Options under a heading. */
export type OptionGroup = { heading: string; options: Option[] };
