import { renderConnect } from "@/components/plain/connect/render";
import { goTo } from "@/components/session/requests";
import { connectByPassword } from "@/lib/connect";

export const dynamic = "force-dynamic";

/** Connects with an app password. */
export async function POST(request: Request): Promise<Response> {
  return renderConnect(await connectByPassword(request));
}

/** A reload or a bookmark of the form's address leads back to the page with the form. */
export function GET(): Response {
  return goTo("/accounts");
}
