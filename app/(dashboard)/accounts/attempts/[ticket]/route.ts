import { z } from "zod";
import { findTraceOfLink } from "@/lib/connect";
import { sessionUser } from "@/lib/users";

export const dynamic = "force-dynamic";

type Context = { params: Promise<{ ticket: string }> };

/**
 * The outcome of a connect link that the dashboard opened in a separate window. It is not part of the API, because partners
 * read the traces of their own links in the console.
 */
export async function GET(request: Request, { params }: Context): Promise<Response> {
  const user = await sessionUser(request.headers);
  if (!user) return answer({ error: "Unauthorized" }, 401);
  const { ticket } = await params;
  const trace = z.uuid().safeParse(ticket).success ? await findTraceOfLink(user.id, ticket) : undefined;
  if (!trace) return answer({ outcome: "not opened" });
  const { outcome, code, account } = trace;
  return answer({ outcome, code, account });
}

function answer(body: object, status = 200): Response {
  return Response.json(body, { status, headers: { "Cache-Control": "no-store" } });
}
