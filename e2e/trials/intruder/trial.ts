import type { MailServer } from "../../../lib/mail/testing/smtp";
import { startMailServer } from "../../../lib/mail/testing/smtp";
import { feedSettings, serveFeed } from "../fuzz/doors";
import type { Trial } from "../trial";
import { allowedApplication, resetOfConfirmed, resetOfUnconfirmed, sessions } from "./access";
import { chromiumPasskey, chromiumSession, NoBrowser, passkeyOfIntruder } from "./chromium";
import {
  authenticatorOfIntruder,
  guessing,
  impossibleInstants,
  oddCallbacks,
  secondFactor,
  takenAddress,
} from "./sign-in";
import { telegramLink } from "./telegram";

/** What an intruder tries. Each part throws at the first thing that works and must not. */
const PARTS = {
  "reset of an address that was never confirmed": resetOfUnconfirmed,
  "reset of a confirmed address": resetOfConfirmed,
  "a browser that holds a session": chromiumSession,
  "an allowed application": allowedApplication,
  sessions,
  "the second factor": secondFactor,
  "an intruder's authenticator app": authenticatorOfIntruder,
  "a passkey in a browser": chromiumPasskey,
  "an intruder's passkey": passkeyOfIntruder,
  "signing up with a taken address": takenAddress,
  "guessed passwords": guessing,
  "someone else's Telegram link": telegramLink,
  "impossible instants": impossibleInstants,
  "odd callbacks": oddCallbacks,
};

/**
 * T33: what an intruder obtained stops working when its owner resets the password, revokes it or signs out; and what an intruder
 * sends neither connects another person's account nor breaks a page. Over HTTP, and in a browser.
 * @param given the mail server of a product that is already running, and that may read the feed of `feedSettings`
 */
export function intruder(given?: MailServer): Trial {
  let mails = given;
  return {
    id: "T33",
    guarantee: "an intruder loses everything by the next request after a reset, a revocation or a sign-out",
    async settings() {
      mails = await startMailServer();
      return { SMTP_URL: mails.url, ...(await feedSettings()) };
    },
    parts: () => Object.keys(PARTS),
    async run(context) {
      if (!mails) throw new Error("the mail server is not running");
      const played: string[] = [];
      const leftOut: string[] = [];
      const feed = await serveFeed(context.product);
      try {
        for (const [name, part] of Object.entries(PARTS)) {
          if (!context.isWanted(name)) continue;
          try {
            await part(context, mails, feed.url);
          } catch (error) {
            if (error instanceof NoBrowser) {
              leftOut.push(name);
              context.log(`${name}: LEFT OUT, because ${error.message}`);
              continue;
            }
            context.fail(`${name}: ${error}`);
          }
          played.push(name);
          context.log(name);
        }
      } finally {
        await feed.close();
        if (!given) await mails.stop();
      }
      return { played: played.length, leftOut };
    },
  };
}
