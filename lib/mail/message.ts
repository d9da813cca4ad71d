import type Mail from "nodemailer/lib/mailer";
import { env } from "../env";
import { htmlForm, textForm } from "./html-form";
import type { MailContent } from "./kinds";
import { isNotice, type MailKind } from "./kinds";
import { oneLine } from "./one-line";
import { unsubscribeUrl } from "./preferences";

export type AddressedMail = { id: string; ownerId: string; kind: MailKind; email: string };

/**
 * A mail as it goes out, in text and HTML. Its Message-ID is its row's id: should it be sent twice after a crash, mail
 * programs see one. No header holds anything of a person's but the address and the subject, which is one line.
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
    // Of the two parts too, so that they read the same on the way and in DATA_DIR/mail.
    encoding: "quoted-printable",
    headers: {
      "Auto-Submitted": "auto-generated", // RFC 3834: nobody's absence should answer it
      ...(footer && {
        "List-Unsubscribe": `<${footer.unsubscribeUrl}>`,
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click", // RFC 8058
      }),
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
