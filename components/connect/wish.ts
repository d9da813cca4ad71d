import { randomUUID } from "node:crypto";
import { z } from "zod";
import { connectable, dashboardReturn, popupReturn } from "@/lib/connect";
import { env } from "@/lib/env";
import { AccessDenied, BadRequest } from "@/lib/errors";
import { readForm } from "@/lib/http/form";
import type { Network } from "@/lib/networks";
import { type Platform, platformValues } from "@/lib/platforms";
import { sessionUser } from "@/lib/users";

/** What a form of the dashboard asks for: `platform`, from our own page only; `window=popup` for one that closes itself. */
export type DashboardWish = {
  wish: { jti: string; owner: string; platform: Platform; redirectUri: string };
  network: Network;
  /** Whose account, where the form says so. */
  account: string;
  password: string;
  /** What a further form has to hand on. */
  carried: { [name: string]: string };
};

/** @throws AccessDenied for another site's form and for a suspended person; undefined where nobody is signed in */
export async function readWish(request: Request): Promise<DashboardWish | undefined> {
  if (request.headers.get("origin") !== new URL(env.appUrl).origin) throw new AccessDenied();
  const user = await sessionUser(request.headers);
  if (!user) return undefined;
  if (user.suspended || user.deleting) throw new AccessDenied();
  const form = await readForm(request);
  const platform = platformValues.find((value) => value === form?.get("platform"));
  if (!platform) throw new BadRequest(`platform must be one of ${platformValues.join(", ")}`);
  const isPopup = form?.get("window") === "popup";
  const jti = ticketOf(form);
  return {
    wish: { jti, owner: user.id, platform, redirectUri: isPopup ? popupReturn() : dashboardReturn() },
    network: connectable(platform),
    account: form?.get("account")?.trim().slice(0, 300) ?? "",
    password: form?.get("password") ?? "",
    carried: { ticket: jti, ...(isPopup ? { window: "popup" } : {}) },
  };
}

/** The id under which the page that sent the form asks what became of the link; one that nobody knows where it sent none. */
function ticketOf(form: URLSearchParams | undefined): string {
  const ticket = form?.get("ticket") ?? "";
  return z.uuid().safeParse(ticket).success ? ticket : randomUUID();
}

/** A person who is not signed in does that first, and finds the buttons again. */
export function toSignIn(): Response {
  return goTo(`${env.appUrl}/sign-in?callbackUrl=%2Faccounts`);
}

export function goTo(address: string): Response {
  return new Response(null, { status: 303, headers: { Location: address, "Cache-Control": "no-store" } });
}
