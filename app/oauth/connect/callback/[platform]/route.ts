import { emptyResponse, renderConnect } from "@/components/plain/connect/render";
import { finishConnect } from "@/lib/connect";

export const dynamic = "force-dynamic";

type Context = { params: Promise<{ platform: string }> };

/** The redirect URI: the network sends the browser back here. */
export async function GET(request: Request, { params }: Context): Promise<Response> {
  return renderConnect(await finishConnect(request, (await params).platform));
}

export function HEAD(): Response {
  return emptyResponse();
}
