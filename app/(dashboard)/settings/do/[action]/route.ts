import { freshForm, ownForm } from "@/app/access";
import { notFoundPage } from "@/components/plain/console";
import { calendarAddressPage, recoveryCodesPage } from "@/components/plain/session/factor-pages";
import { accountDeletedPage } from "@/components/plain/session/password-pages";
import { fieldOf, goTo } from "@/components/session/requests";
import { settingsWords } from "@/components/settings/words";
import { BadRequest, NotFound, Unauthorized } from "@/lib/errors";
import { createCalendarAddress, removeCalendarAddress } from "@/lib/schedules";
import {
  changeName,
  deleteUser,
  hasFactor,
  removeAuthenticator,
  removePasskey,
  renamePasskey,
  renewRecoveryCodes,
  type User,
} from "@/lib/users";

export const dynamic = "force-dynamic";

type Context = { params: Promise<{ action: string }> };

const toSettings = () => goTo("/settings");

/** The forms of the settings page that need a fresh sign-in. The functions they call write the audit log. */
const actions: { [name: string]: (user: User, form: URLSearchParams) => Promise<Response> } = {
  async "remove-authenticator"({ id }) {
    await removeAuthenticator(id);
    return toSettings();
  },
  async "remove-passkey"({ id }, form) {
    await removePasskey(id, fieldOf(form, "passkey"));
    return toSettings();
  },
  async "rename-passkey"({ id }, form) {
    await renamePasskey(id, fieldOf(form, "passkey"), fieldOf(form, "name"));
    return toSettings();
  },
  async "renew-codes"({ id }) {
    return (await hasFactor(id)) ? recoveryCodesPage(await renewRecoveryCodes(id), true) : toSettings();
  },
  async "new-calendar-address"({ id, sessionEpoch }) {
    return calendarAddressPage(await createCalendarAddress(id, sessionEpoch));
  },
  async "remove-calendar-address"({ id }) {
    await removeCalendarAddress(id);
    return toSettings();
  },
  async "export-data"() {
    return goTo("/v1/me/export");
  },
  async "delete-account"({ id, email }, form) {
    const typed = fieldOf(form, "email").trim().toLowerCase();
    if (typed !== email?.toLowerCase()) throw new BadRequest(settingsWords.data.notDeleted);
    await deleteUser(id);
    return accountDeletedPage();
  },
};

export async function POST(request: Request, { params }: Context): Promise<Response> {
  const { action: name } = await params;
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (name === "change-name") return changeOwnName(request);
  if (!action) return notFoundPage();
  const fresh = await freshForm(request, "/settings");
  if (fresh instanceof Response) return fresh;
  try {
    return await action(fresh.session.user, fresh.form);
  } catch (error) {
    if (error instanceof NotFound) return notFoundPage();
    if (error instanceof Unauthorized) return toSettings(); // which asks to sign in
    if (error instanceof BadRequest) return goTo(`/settings?${new URLSearchParams({ problem: error.message })}`);
    throw error;
  }
}

/** Unlike the other actions, a new name needs no fresh sign-in. */
async function changeOwnName(request: Request): Promise<Response> {
  const sent = await ownForm(request);
  if (!sent) return notFoundPage();
  try {
    await changeName(sent.session.user.id, fieldOf(sent.form, "name"));
    return goTo("/settings?saved=name");
  } catch (error) {
    if (error instanceof BadRequest) return goTo(`/settings?${new URLSearchParams({ problem: error.message })}`);
    throw error;
  }
}

/** A reload or a bookmark of a form's address leads back to the page with the forms. */
export function GET(): Response {
  return toSettings();
}
