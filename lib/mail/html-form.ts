import { Html, html } from "../http/html";
import type { MailContent } from "./kinds";

/**
 * The HTML part. Tables and inline styles are what all mail programs support; dark colours are in a style sheet for those
 * that read it. The colours match app/globals.css. There are no images or third-party addresses, so opening a mail cannot
 * be tracked.
 */
export function htmlForm(content: MailContent, footer: Footer): string {
  const { subject, heading, paragraphs, items = [], button, closing } = content;
  return html`<!doctype html>
<html lang="en" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no">
<title>${subject}</title>
<style>${new Html(styles)}</style>
</head>
<body class="paper" style="margin:0;padding:0;background-color:#fffefb;color:#17211e">
<div role="article" aria-roledescription="email" aria-label="${subject}" lang="en" dir="ltr">
<table role="presentation" class="paper" width="100%" cellpadding="0" cellspacing="0" border="0" style="background-color:#fffefb">
<tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px">
<tr><td style="padding:0 0 16px"><span style="display:inline-block;padding:8px 16px;background-color:#0c3a36;border-bottom:3px solid #efb73e;border-radius:10px;${font};font-size:18px;line-height:24px;font-weight:700;color:#f2f7f4">Carillon</span></td></tr>
<tr><td class="card" style="padding:28px;background-color:#ffffff;border:1px solid #e1dfd4;border-radius:16px;${font};font-size:16px;line-height:24px;color:#17211e;overflow-wrap:anywhere;word-break:break-word">
<h1 class="ink" style="margin:0 0 12px;font-size:22px;line-height:29px;font-weight:650;color:#17211e">${heading}</h1>
${paragraphs.map((text) => html`<p style="margin:0 0 12px">${text}</p>\n`)}
${items.length > 0 && list(items)}
${buttonTable(button)}
<p class="muted" style="margin:20px 0 0;font-size:14px;line-height:21px;color:#505b56">If the button does not work, open this address:<br>
<a class="link" href="${button.href}" style="color:#0b5f57;word-break:break-all">${button.href}</a></p>
</td></tr>
<tr><td class="muted" style="padding:16px 4px 0;${font};font-size:13px;line-height:20px;color:#505b56">
<p style="margin:0 0 6px">${closing}</p>
${footer && footerLinks(footer)}
</td></tr>
</table>
</td></tr>
</table>
</div>
</body>
</html>
`.markup;
}

/** The links at the end of a notice; undefined in a mail that the person asked for. */
export type Footer = { preferencesUrl: string; unsubscribeUrl: string } | undefined;

const font = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif";

const styles = `
:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){
.paper{background-color:#121c1a!important}
.card{background-color:#192624!important;border-color:#2a3936!important;color:#edf3f0!important}
.ink{color:#edf3f0!important}
.muted{color:#b0bdb8!important}
.line{border-color:#2a3936!important}
.link{color:#62cdbb!important}
.button{background-color:#62cdbb!important}
.button a{color:#05211d!important}
}
@media (max-width:480px){.card{padding:20px!important}}
`;

function list(items: NonNullable<MailContent["items"]>): Html {
  const row = ({ name, says, href }: NonNullable<MailContent["items"]>[number]) => html`
<tr><td class="line" style="padding:10px 0;border-top:1px solid #e1dfd4;${font};font-size:16px;line-height:24px">
<strong>${name}</strong><br>${href ? html`<a class="link" href="${href}" style="color:#0b5f57">${says}</a>` : says}</td></tr>`;
  return html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 8px">${items.map(row)}
</table>`;
}

function buttonTable({ label, href }: MailContent["button"]): Html {
  return html`<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:16px 0 0">
<tr><td class="button" style="border-radius:10px;background-color:#0b5f57">
<a href="${href}" style="display:inline-block;padding:12px 22px;${font};font-size:16px;line-height:20px;font-weight:600;color:#ffffff;text-decoration:none">${label}</a>
</td></tr></table>`;
}

function footerLinks({ preferencesUrl, unsubscribeUrl }: NonNullable<Footer>): Html {
  return html`<p style="margin:0"><a class="link" href="${unsubscribeUrl}" style="color:#0b5f57">Unsubscribe from these emails</a>
&nbsp;·&nbsp; <a class="link" href="${preferencesUrl}" style="color:#0b5f57">Choose which emails you get</a></p>`;
}

/** The plain-text part: the same texts, with every address written out. */
export function textForm({ heading, paragraphs, items = [], button, closing }: MailContent, footer: Footer): string {
  const list = items.map(({ name, says, href }) => `- ${name}: ${says}${href ? `\n  ${href}` : ""}`);
  const links = footer
    ? [
        `Unsubscribe from these emails: ${footer.unsubscribeUrl}`,
        `Choose which emails you get: ${footer.preferencesUrl}`,
      ]
    : [];
  return [
    heading,
    ...paragraphs,
    ...(list.length > 0 ? [list.join("\n")] : []),
    `${button.label}:\n${button.href}`,
    ["--", closing, ...links].join("\n"),
    "",
  ].join("\n\n");
}
