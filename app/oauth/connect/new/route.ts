import { randomUUID } from "node:crypto";
import { z } from "zod";
import { refused, speaks } from "@/components/connect/answers";
import { botPage } from "@/components/connect/pages";
import { connectable, connectUrl, dashboardReturn, openAttempt, popupReturn } from "@/lib/connect";
import { databaseNow } from "@/lib/db";
import { env } from "@/lib/env";
import { AccessDenied, BadRequest } from "@/lib/errors";
import { readForm } from "@/lib/http/form";
import { platformValues } from "@/lib/platforms";
import { sessionUser } from "@/lib/users";

export const dynamic = "force-dynamic";

/** The dashboard's own way into the bridge: a form with `platform`, from our own page only; `window=popup` for one that closes itself. */
export async function POST(request: Request): Promise<Response> {
  try {
    if (request.headers.get("origin") !== new URL(env.appUrl).origin) throw new AccessDenied();
    const user = await sessionUser(request.headers);
    if (!user) return Response.redirect(`${env.appUrl}/sign-in?callbackUrl=%2Faccounts`, 303);
    if (user.suspended) throw new AccessDenied();
    const form = await readForm(request);
    const platform = platformValues.find((value) => value === form?.get("platform"));
    if (!platform) throw new BadRequest(`platform must be one of ${platformValues.join(", ")}`);
    const redirectUri = form?.get("window") === "popup" ? popupReturn() : dashboardReturn();
    const wish = { jti: ticketOf(form), owner: user.id, platform, redirectUri };
    const network = connectable(platform);
    if (network.connect.kind === "bot") {
      const { url, whose } = await openAttempt({ ...wish, speaks: speaks(request) });
      return botPage(network.name, url, whose);
    }
    const url = connectUrl(wish, await databaseNow());
    return new Response(null, { status: 303, headers: { Location: url, "Cache-Control": "no-store" } });
  } catch (error) {
    return refused(error, request);
  }
}

/** The id under which the page that sent the form asks what became of the link; one that nobody knows where it sent none. */
function ticketOf(form: URLSearchParams | undefined): string {
  const ticket = form?.get("ticket") ?? "";
  return z.uuid().safeParse(ticket).success ? ticket : randomUUID();
}

/** A reload or a bookmark of the form's answer leads back to where the form is. */
export function GET(): Response {
  return new Response(null, { status: 303, headers: { Location: `${env.appUrl}/accounts` } });
}
