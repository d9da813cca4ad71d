import {
  askFirst,
  isPrefetch,
  nothingOpened,
  refused,
  sendOn,
  sendToNetwork,
} from "@/components/plain/connect/answers";
import { linkOnCallbackHost, openLink } from "@/lib/connect";
import { readLink } from "@/lib/connect/link";
import { StateExpired } from "@/lib/errors";

export const dynamic = "force-dynamic";

/** The hosted bridge: opens a connect link in this browser and sends it to the network's own page. */
export async function GET(request: Request): Promise<Response> {
  if (isPrefetch(request.headers)) return nothingOpened();
  try {
    const [sealed, ...others] = new URL(request.url).searchParams.getAll("whitelabel_state");
    if (sealed === undefined || others.length > 0) throw new StateExpired();
    const wish = await readLink(sealed, request);
    const elsewhere = linkOnCallbackHost(wish.platform, sealed, request.headers.get("host"));
    if (elsewhere) return await sendOn(elsewhere);
    const opened = await openLink(wish);
    return "url" in opened ? await sendToNetwork(request, opened) : await askFirst(request, sealed, opened);
  } catch (error) {
    return refused(error, request);
  }
}

/** Opening has an effect, so looking must not run it (Next would answer HEAD by running GET). */
export function HEAD(): Response {
  return nothingOpened();
}
