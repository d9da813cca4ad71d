import { expect } from "playwright/test";
import type { MailServer } from "../../../lib/mail/testing/smtp";
import type { OwnProduct } from "../../setup/product";
import { type Answer, type Headers, send, sendForm, sendJson } from "../http";
import { cookiesOf, hiddenFields, signIn } from "../people";

/** Long enough for a worker to send a mail on a busy machine. */
const SOON = { timeout: 60_000 };

/** A browser: it sends its session cookies, as pages of the product do. */
export type Browser = {
  /** The status of `GET /v1/me`: 200 if the browser is signed in. */
  status(): Promise<number>;
  get(path: string): Promise<Answer>;
  json(method: string, path: string, body?: unknown): Promise<Answer>;
  /** Sends a form of our own pages. A redirect is not followed. */
  form(path: string, fields: Headers): Promise<Answer>;
};

/** A browser with these cookies. */
export function browserWith({ url }: OwnProduct, cookie: string): Browser {
  const headers = { cookie, origin: url };
  return {
    status: async () => (await send(url, "/v1/me", { headers })).status,
    get: (path) => send(url, path, { headers }),
    json: (method, path, body) =>
      body === undefined ? send(url, path, { method, headers }) : sendJson(url, method, path, body, headers),
    form: (path, fields) => sendForm(url, path, fields, headers),
  };
}

/** Signs in with a password, in a browser of its own. */
export async function enter(product: OwnProduct, email: string, password?: string): Promise<Browser> {
  return browserWith(product, await signIn(product, email, password));
}

/** Signs up and stays signed in. The address is not confirmed. */
export async function signUp(product: OwnProduct, email: string, password: string): Promise<Browser> {
  const answer = await sendForm(product.url, "/sign-up", { email, password });
  if (answer.status !== 303) throw new Error(`sign-up returned ${answer.status}`);
  return browserWith(product, cookiesOf(answer));
}

/** Asks for a new password and sets it through the link in the mail. @returns the page that answers */
export async function reset(product: OwnProduct, mails: MailServer, email: string, password: string): Promise<string> {
  const isLink = ({ text }: { text: string }) => text.includes("/reset-password?token=");
  await sendForm(product.url, "/forgot-password", { email });
  await expect.poll(() => mails.for(email).some(isLink), SOON).toBe(true);
  const text = mails.for(email).findLast(isLink)?.text ?? "";
  const link = new URL(/http\S+\/reset-password\?\S+/.exec(text)?.[0] ?? "about:blank");
  const page = await send(product.url, link.pathname + link.search);
  const answer = await sendForm(product.url, "/reset-password", { ...hiddenFields(page.text), password });
  if (answer.status !== 200) throw new Error(`/reset-password returned ${answer.status}`);
  return answer.text;
}

/** Waits until an address has a mail with this text in its subject. */
export async function waitForMail(mails: MailServer, email: string, subject: string): Promise<void> {
  await expect
    .poll(
      () =>
        mails
          .for(email)
          .map((mail) => mail.subject)
          .join("\n"),
      SOON,
    )
    .toContain(subject);
}
