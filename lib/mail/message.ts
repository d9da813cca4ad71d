import type Mail from "nodemailer/lib/mailer";
import { env } from "../env";
import { htmlForm, textForm } from "./html-form";
import type { MailContent } from "./kinds";
import { isNotice, type MailKind } from "./kinds";
import { oneLine } from "./one-line";
import { unsubscribeUrl } from "./preferences";

export type AddressedMail = { id: string; ownerId: string; kind: MailKind; email: string };

/**
 * Builds a mail with a text and an HTML part. The Message-ID is the ID of its row, so that mail programs show a mail only
 * once if it is sent twice after a crash. Only the address and the one-line subject contain personal data in the headers.
 */
export function buildMessage({ id, ownerId, kind, email }: AddressedMail, content: MailContent): Mail.Options {
  const footer = isNotice(kind)
    ? { preferencesUrl: `${env.appUrl}/settings`, unsubscribeUrl: unsubscribeUrl({ userId: ownerId, kind }) }
    : undefined;
  const subject = oneLine(content.subject);
  return {
    from: env.mailFrom,
    to: { name: "", address: email },
    subject,
    text: textForm(content, footer),
    html: htmlForm({ ...content, subject }, footer),
    messageId: `<${id}@${new URL(env.appUrl).hostname}>`,
    // Applies to both parts too, so that they read the same in transit and in DATA_DIR/mail.
    encoding: "quoted-printable",
    headers: {
      "Auto-Submitted": "auto-generated", // RFC 3834: out-of-office replies must not answer it
      ...(footer && {
        "List-Unsubscribe": `<${footer.unsubscribeUrl}>`,
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click", // RFC 8058
      }),
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
