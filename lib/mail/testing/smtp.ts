import { text } from "node:stream/consumers";
import { SMTPServer } from "smtp-server";
import { partOf } from "../stored";

/** A mail received by the server. */
export type Received = {
  to: string[];
  /** The header block, unfolded. */
  headers: string;
  subject: string;
  text: string;
  html: string;
};

/** The server's answer to a recipient; undefined accepts the mail. */
type Mood = { code: number; says: string } | undefined;

export type MailServer = {
  url: string;
  received: Received[];
  /** The mails for an address, oldest first. */
  for(address: string): Received[];
  /** Sets the answer from now on. */
  setMood(mood: Mood): void;
  stop(): Promise<void>;
};

/** A real local SMTP server that stores what it receives. */
export async function startMailServer(port = 0): Promise<MailServer> {
  const received: Received[] = [];
  let mood: Mood;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS", "AUTH"],
    onRcptTo(_address, _session, answer) {
      answer(mood && Object.assign(new Error(mood.says), { responseCode: mood.code }));
    },
    onData(stream, session, answer) {
      text(stream).then((raw) => {
        received.push(
          read(
            raw,
            session.envelope.rcptTo.map(({ address }) => address),
          ),
        );
        answer();
      }, answer);
    },
  });
  server.on("error", () => {}); // ignores clients that hang up
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const address = server.server.address();
  if (!address || typeof address === "string") throw new Error("the mail server has no port");
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    received,
    for: (wanted) => received.filter(({ to }) => to.includes(wanted)),
    setMood: (next) => {
      mood = next;
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function read(raw: string, to: string[]): Received {
  const headers = raw.slice(0, raw.indexOf("\r\n\r\n")).replace(/\r\n[ \t]+/g, " ");
  const subject = /^Subject: (.*)$/m.exec(headers)?.[1] ?? "";
  return { to, headers, subject: decoded(subject), text: partOf(raw, "text/plain"), html: partOf(raw, "text/html") };
}

/** Decodes the encoded words of a header (RFC 2047). A space between two of them is not part of the text. */
function decoded(header: string): string {
  return header
    .replace(/\?=\s+=\?/g, "?==?")
    .replace(/=\?utf-8\?([BQ])\?([^?]*)\?=/gi, (_, how: string, what: string) => {
      if (how.toUpperCase() === "B") return Buffer.from(what, "base64").toString("utf8");
      const bytes = what
        .replaceAll("_", " ")
        .replace(/=([0-9A-F]{2})/g, (__, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
      return Buffer.from(bytes, "latin1").toString("utf8");
    });
}
