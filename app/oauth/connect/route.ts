import { emptyResponse, renderConnect } from "@/components/plain/connect/render";
import { openConnectLink } from "@/lib/connect";

export const dynamic = "force-dynamic";

/** The hosted bridge: opens a connect link in this browser and redirects to the network's own page. */
export async function GET(request: Request): Promise<Response> {
  return renderConnect(await openConnectLink(request));
}

/** Opening has an effect, so HEAD must not run it (Next would answer HEAD by calling GET). */
export function HEAD(): Response {
  return emptyResponse();
}
