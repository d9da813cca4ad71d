import { renderConnect } from "@/components/plain/connect/render";
import { goTo } from "@/components/session/requests";
import { connectFromDashboard } from "@/lib/connect";

export const dynamic = "force-dynamic";

/** The dashboard's connect buttons. */
export async function POST(request: Request): Promise<Response> {
  return renderConnect(await connectFromDashboard(request));
}

/** A reload or a bookmark of the form's address leads back to the page with the form. */
export function GET(): Response {
  return goTo("/accounts");
}
