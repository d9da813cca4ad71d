import { randomUUID } from "node:crypto";
import { botPage, refused } from "@/components/connect/answers";
import { connectable, connectUrl, dashboardReturn, openAttempt } from "@/lib/connect";
import { databaseNow } from "@/lib/db";
import { env } from "@/lib/env";
import { AccessDenied, BadRequest } from "@/lib/errors";
import { readForm } from "@/lib/http/form";
import { platformValues } from "@/lib/platforms";
import { sessionUser } from "@/lib/users";

export const dynamic = "force-dynamic";

/** The dashboard's own way into the bridge: a form with `platform`, from our own page only. */
export async function POST(request: Request): Promise<Response> {
  try {
    if (request.headers.get("origin") !== new URL(env.appUrl).origin) throw new AccessDenied();
    const user = await sessionUser(request.headers);
    if (!user) return Response.redirect(`${env.appUrl}/sign-in?callbackUrl=%2Faccounts`, 303);
    if (user.suspended) throw new AccessDenied();
    const wish = (await readForm(request))?.get("platform");
    const platform = platformValues.find((value) => value === wish);
    if (!platform) throw new BadRequest(`platform must be one of ${platformValues.join(", ")}`);
    const network = connectable(platform);
    if (network.connect.kind === "bot") {
      const { url } = await openAttempt({
        jti: randomUUID(),
        owner: user.id,
        platform,
        redirectUri: dashboardReturn(),
      });
      return botPage(network.name, url);
    }
    const url = connectUrl({ owner: user.id, platform, redirectUri: dashboardReturn() }, await databaseNow());
    return new Response(null, { status: 303, headers: { Location: url, "Cache-Control": "no-store" } });
  } catch (error) {
    return refused(error);
  }
}

/** A reload or a bookmark of the form's answer leads back to where the form is. */
export function GET(): Response {
  return new Response(null, { status: 303, headers: { Location: `${env.appUrl}/accounts` } });
}
