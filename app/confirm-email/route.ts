import {
  addressTakenPage,
  confirmEndedPage,
  confirmedPage,
  confirmPage,
  confirmUnreadPage,
  otherAccountPage,
} from "@/components/plain/session/mail-pages";
import { fieldOf } from "@/components/session/requests";
import { readForm } from "@/lib/http/form";
import { AddressTaken, confirmEmail, OtherAccountSignedIn, sessionUser } from "@/lib/users";

export function GET(request: Request): Response {
  return confirmPage(new URL(request.url).searchParams.get("token") ?? "");
}

/** The token proves access to the mailbox, so no session is needed and none is started. */
export async function POST(request: Request): Promise<Response> {
  const form = await readForm(request);
  if (!form) return confirmUnreadPage();
  try {
    const email = await confirmEmail(fieldOf(form, "token"), await sessionUser(request.headers));
    return email ? confirmedPage(email) : confirmEndedPage();
  } catch (error) {
    if (error instanceof AddressTaken) return addressTakenPage();
    if (error instanceof OtherAccountSignedIn) return otherAccountPage();
    throw error;
  }
}
