import { addressTakenPage } from "@/components/plain/session/mail-pages";
import { typedPasswords } from "@/components/plain/session/pages";
import {
  passwordSetPage,
  resetEndedPage,
  resetPage,
  resetRefusedPage,
} from "@/components/plain/session/password-pages";
import { sessionWords } from "@/components/plain/session/words";
import { fieldOf, isOwnForm } from "@/components/session/requests";
import { requireReconnectsOfUser } from "@/lib/accounts";
import { endConnectAttemptsOfUser } from "@/lib/connect";
import { BadRequest } from "@/lib/errors";
import { readForm } from "@/lib/http/form";
import { nameApplicationsOfUser, revokeGrantsOfUser } from "@/lib/oauth";
import { deleteReviewLinksOfUser } from "@/lib/reviews";
import { moveSchedulesOfUserToDrafts, removeCalendarAddressOfUser, stopFeedsOfUser } from "@/lib/schedules";
import { AddressTaken, isResetToken, type Lockout, resetPassword } from "@/lib/users";
import { holdWebhooksOfUser } from "@/lib/webhooks";

/** What someone who knew the old password may have created. Sessions end with every new password. */
const lockouts: Lockout[] = [
  revokeGrantsOfUser,
  nameApplicationsOfUser,
  holdWebhooksOfUser,
  deleteReviewLinksOfUser,
  endConnectAttemptsOfUser,
  requireReconnectsOfUser,
  stopFeedsOfUser,
  removeCalendarAddressOfUser,
  moveSchedulesOfUserToDrafts,
];

/** Shows the form without using up the token, because programs that open links in mails come here too. */
export async function GET(request: Request): Promise<Response> {
  const token = new URL(request.url).searchParams.get("token") ?? "";
  return (await isResetToken(token)) ? resetPage({ token }) : resetEndedPage();
}

export async function POST(request: Request): Promise<Response> {
  const form = await readForm(request);
  if (!form) return resetRefusedPage(sessionWords.linkUnread, 400);
  if (!isOwnForm(request)) return resetRefusedPage(sessionWords.fromElsewhere, 403);
  const token = fieldOf(form, "token");
  const typed = typedPasswords(form, "password");
  if (typed) return resetPage({ token, typed });
  try {
    const reset = await resetPassword(token, fieldOf(form, "password"), lockouts, request.headers);
    if (!reset) return resetEndedPage();
    const page = passwordSetPage(reset.done);
    for (const cookie of reset.cookies) page.headers.append("Set-Cookie", cookie);
    return page;
  } catch (error) {
    if (error instanceof AddressTaken) return addressTakenPage();
    if (error instanceof BadRequest) return resetPage({ token, problems: error.problems, status: 400 });
    throw error;
  }
}
