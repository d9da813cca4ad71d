import { renderConnect } from "@/components/plain/connect/render";
import { connectByAccountName, getAccountPage } from "@/lib/connect";

export const dynamic = "force-dynamic";

/** Asks for the account's name, for networks that need it before the redirect. */
export async function GET(request: Request): Promise<Response> {
  return renderConnect(await getAccountPage(request));
}

export async function POST(request: Request): Promise<Response> {
  return renderConnect(await connectByAccountName(request));
}
