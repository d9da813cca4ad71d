import { renderConnect } from "@/components/plain/connect/render";
import { confirmConnect } from "@/lib/connect";

export const dynamic = "force-dynamic";

/** The form of the confirmation page: starts the connect in the browser that was shown the page. */
export async function POST(request: Request): Promise<Response> {
  return renderConnect(await confirmConnect(request));
}
