import { isPrefetch, nothingOpened, refused, sendOn, speaks } from "@/components/connect/answers";
import { nonceCookie, staleCookies } from "@/components/connect/cookies";
import { isPast, openAttempt, rightPlace, unsealState } from "@/lib/connect";
import { databaseNow } from "@/lib/db";
import { StateExpired } from "@/lib/errors";

export const dynamic = "force-dynamic";

/** The hosted bridge: opens a connect link in this browser and sends it to the network's own page. */
export async function GET(request: Request): Promise<Response> {
  if (isPrefetch(request.headers)) return nothingOpened();
  try {
    const given = new URL(request.url).searchParams.getAll("whitelabel_state");
    if (given.length !== 1) throw new StateExpired();
    const state = unsealState(given[0] ?? null);
    const elsewhere = rightPlace(state.platform, given[0] ?? "", request.headers.get("host"));
    if (elsewhere) return await sendOn(elsewhere);
    const wish = { ...state, isPast: isPast(state, await databaseNow()), speaks: speaks(request) };
    const attempt = await openAttempt(wish);
    const cookies = attempt.nonce ? [nonceCookie(attempt.id, attempt.nonce)] : [];
    return await sendOn(attempt.url, attempt.whose, [...staleCookies(request.headers), ...cookies]);
  } catch (error) {
    return refused(error, request);
  }
}

/** Opening has an effect, so looking must not run it (Next would answer HEAD by running GET). */
export function HEAD(): Response {
  return nothingOpened();
}
