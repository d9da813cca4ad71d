import type { Call } from "../core/network";
import type { Allowance } from "../core/windows";
import { tooManyRequests } from "./errors";
import type { PinterestState } from "./state";

const MINUTE = 60;
const DAY = 86_400;

/** Per user and minute; for the whole application and day while it has Trial access, where all calls together count too. */
const LIMITS = { org_read: { standard: 1000, trial: 1000 }, org_write: { standard: 100, trial: 300 } };
const TRIAL_CALLS = 1000;
type Category = keyof typeof LIMITS;

export const countRead = (state: PinterestState, call: Call, who: string) => count(state, call, "org_read", who);
export const countWrite = (state: PinterestState, call: Call, who: string) => count(state, call, "org_write", who);

/** Source: developers.pinterest.com, rate limits. */
function count(state: PinterestState, call: Call, category: Category, who: string): void {
  const { trial, standard } = LIMITS[category];
  const allowance = state.switches.trial
    ? tighter(state.windows.take("trial", TRIAL_CALLS, DAY), state.windows.take(`trial/${category}`, trial, DAY))
    : state.windows.take(`${category}/${who}`, standard, MINUTE);
  rateHeaders(state, call, category, state.switches.trial ? DAY : MINUTE, allowance);
  if (!allowance.isAllowed) throw tooManyRequests();
}

/** The window that binds: the one that is used up, or sooner will be. */
function tighter(all: Allowance, category: Allowance): Allowance {
  if (all.isAllowed !== category.isAllowed) return all.isAllowed ? category : all;
  return all.remaining < category.remaining ? all : category;
}

/** Structured lists, the binding window first; the reset is in seconds. */
export function rateHeaders(
  state: PinterestState,
  call: Call,
  category: Category,
  window: number,
  { limit, remaining, resetAt }: Omit<Allowance, "isAllowed">,
): void {
  const reset = Math.max(1, Math.ceil((resetAt - state.world.clock.now()) / 1000));
  call.header("x-ratelimit-limit", `${limit}, ${limit};w=${window};name="${category}_app_id_user_id"`);
  call.header("x-ratelimit-remaining", String(remaining));
  call.header("x-ratelimit-reset", String(reset));
}
