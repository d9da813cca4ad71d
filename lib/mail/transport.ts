import { mkdir, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import type Mail from "nodemailer/lib/mailer";
import { env } from "../env";
import { storedMailFile } from "./stored";

/** Loaded with the first mail, because the library takes memory in every process. */
const loadMailer = async () => (await import("nodemailer")).default;

const CONNECT_MS = 10_000;
/** RFC 5321 (4.5.3.2) allows minutes of silence. After this timeout the mail is sent again later. */
const SILENCE_MS = 60_000;

/** A mail was not accepted. `isFinal` if the mail server rejected this mail or this address permanently. */
export class MailRejected extends Error {
  constructor(
    message: string,
    readonly isFinal: boolean,
  ) {
    super(message);
    this.name = "MailRejected";
  }
}

/**
 * Sends a mail through the SMTP server, or stores it as a file if none is configured.
 * @throws MailRejected
 */
export async function transmit(id: string, message: Mail.Options): Promise<"SENT" | "KEPT"> {
  if (env.smtpUrl) {
    await overSmtp(env.smtpUrl, message);
    return "SENT";
  }
  await keep(id, message);
  return "KEPT";
}

async function overSmtp(url: string, message: Mail.Options): Promise<void> {
  const transport = (await loadMailer()).createTransport({
    url,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
  });
  try {
    await transport.sendMail(message);
  } catch (error) {
    throw rejectionOf(error);
  } finally {
    transport.close();
  }
}

/**
 * Only a 5xx answer to the recipient or the message is final. A wrong password or sender is our mistake, which the operator
 * can fix.
 */
function rejectionOf(error: unknown): MailRejected {
  if (!(error instanceof Error)) return new MailRejected(String(error), false);
  const { responseCode, command } = error as { responseCode?: unknown; command?: unknown };
  const isAboutMail = command === "RCPT TO" || command === "DATA" || command === undefined;
  return new MailRejected(error.message, isAboutMail && Number(responseCode) >= 500);
}

async function keep(id: string, message: Mail.Options): Promise<void> {
  const builder = (await loadMailer()).createTransport({ streamTransport: true, buffer: true, newline: "windows" });
  const { message: bytes } = await builder.sendMail(message);
  const file = storedMailFile(id);
  const write = () => writeFile(`${file}.part`, bytes, { mode: 0o600 });
  await write().catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    await mkdir(dirname(file), { recursive: true, mode: 0o700 }); // only the first mail needs it
    await write();
  });
  await rename(`${file}.part`, file);
}
