import * as z from "zod";
import type { Collection } from "./journal";

/** Operations that a fault can target. Each route declares one of these or one of the extra operations in `network.ts`. */
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
  "operator",
  "chunk_size",
  "gzip",
  "unknown_fields",
  "late_permalink",
  "gone",
  "no_granular_scopes",
  "not_extended",
  "stuck_processing",
  "late_upload",
  "file_unknown",
  "no_activity",
  "token_unknown",
] as const;

export type FaultKind = (typeof FAULTS)[number];

export const NewFault = z.strictObject({
  network: z.string(),
  operation: z.enum([...OPERATIONS, "*"]),
  /**
   * Applies only to calls with a token of this user, or to uploads that this user has started. Absent: applies to calls of all
   * users. Tests that share a sandbox set it, so that no test meets the fault of another. Sign-ins and redemptions of codes carry
   * no token yet, so faults for them have no account.
   */
  account: z.string().optional(),
  fault: z.enum(FAULTS),
  times: z.int().min(1).max(1_000_000).default(1),
  /**
   * The wait of `slow` and `late_response`, the delay of the answer of `http_500`, and the time that `rate_limit` asks to wait.
   * `not_extended` uses it as the lifetime of the token.
   */
  afterSeconds: z.number().min(0).max(86_400).optional(),
  /** With the fault `operator`: which refusal of the application, by the network's own name. Absent: the most common one. */
  reason: z.string().optional(),
  /** Applies to every n-th matching call; 1 means each of them. */
  every: z.int().min(1).max(1_000).default(1),
});

/**
 * `passed` counts the matching calls since the fault last applied. `code` is the fingerprint of an authorization code: a fault
 * with a code applies only to the token call with that code, one without a code to any call.
 */
export type Fault = z.infer<typeof NewFault> & { passed?: number; code?: string };

type FaultCall = {
  network: string;
  operation: string;
  background: boolean;
  code?: string;
  /** Reads the account of the call. Only called if a waiting fault names one. */
  account(): Promise<string | undefined>;
};

export type Faults = {
  add(fault: Fault): void;
  /** Returns the first fault that applies to this call and uses up one of its `times`. */
  take(call: FaultCall): Promise<Fault | undefined>;
  list(): Fault[];
  clear(): void;
};

export function openFaults(stored: Collection<Fault>): Faults {
  let next = stored.entries().reduce((highest, [key]) => Math.max(highest, Number(key)), 0) + 1;
  return {
    add(fault) {
      stored.put(String(next++), fault);
    },
    async take({ network, operation, background, code, account }) {
      if (code) releaseLaterFaults(stored, code);
      const waiting = () =>
        stored
          .entries()
          .filter(
            ([, f]) =>
              f.network === network &&
              (f.operation === operation || (f.operation === "*" && !background)) &&
              (f.code === undefined || f.code === code),
          );
      const caller = waiting().some(([, fault]) => fault.account !== undefined) ? await account() : undefined;
      for (const [key, fault] of waiting()) {
        if (fault.account !== undefined && fault.account !== caller) continue;
        const passed = (fault.passed ?? 0) + 1;
        if (passed < fault.every) stored.put(key, { ...fault, passed });
        else {
          if (fault.times > 1) stored.put(key, { ...fault, times: fault.times - 1, passed: 0 });
          else stored.delete(key);
          return fault;
        }
      }
      return undefined;
    },
    list: () => stored.values(),
    clear: () => stored.clear(),
  };
}

/** Only the token call carries the code. After it, faults of later operations apply to the next matching call. */
function releaseLaterFaults(stored: Collection<Fault>, code: string): void {
  for (const [key, { code: tiedTo, ...fault }] of stored.entries()) {
    if (tiedTo === code && fault.operation !== "token") stored.put(key, fault);
  }
}
