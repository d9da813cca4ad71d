import { z } from "zod";
import type { Collection } from "./journal";

/** What a fault can be tied to; every route of a network declares one of these or an operation of its own. */
export const OPERATIONS = [
  "authorize",
  "token",
  "refresh",
  "profile",
  "destinations",
  "upload",
  "prepare",
  "status",
  "publish",
] as const;

export const FAULTS = [
  "drop_response",
  "late_response",
  "cut_body",
  "refuse",
  "http_500",
  "http_502_html",
  "rate_limit",
  "slow",
  "revoke_token",
  "processing_fails",
  "duplicate",
  "redirect_elsewhere",
  "invalid_grant",
  "no_refresh_token",
] as const;

export type FaultKind = (typeof FAULTS)[number];

export const NewFault = z.strictObject({
  network: z.string(),
  operation: z.enum([...OPERATIONS, "*"]),
  fault: z.enum(FAULTS),
  times: z.int().min(1).max(1_000_000).default(1),
  afterSeconds: z.number().min(0).max(86_400).optional(),
  /** Of so many such calls it strikes one; every one where unset. */
  every: z.int().min(1).max(1_000).default(1),
});

/** `passed`: such calls since it last struck. */
export type Fault = z.infer<typeof NewFault> & { passed?: number };

export type Faults = {
  add(fault: Fault): void;
  /** The first fault that is to strike this call; taking it uses it up once. */
  take(network: string, operation: string, background: boolean): Fault | undefined;
  list(): Fault[];
  clear(): void;
};

export function openFaults(kept: Collection<Fault>): Faults {
  let next = kept.entries().reduce((highest, [key]) => Math.max(highest, Number(key)), 0) + 1;
  return {
    add(fault) {
      kept.put(String(next++), fault);
    },
    take(network, operation, background) {
      const waiting = kept
        .entries()
        .filter(
          ([, f]) => f.network === network && (f.operation === operation || (f.operation === "*" && !background)),
        );
      for (const [key, fault] of waiting) {
        const passed = (fault.passed ?? 0) + 1;
        if (passed < fault.every) kept.put(key, { ...fault, passed });
        else {
          if (fault.times > 1) kept.put(key, { ...fault, times: fault.times - 1, passed: 0 });
          else kept.delete(key);
          return fault;
        }
      }
      return undefined;
    },
    list: () => kept.values(),
    clear: () => kept.clear(),
  };
}
