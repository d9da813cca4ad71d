import { cookies } from "next/headers";
import type { ReactNode } from "react";
import { offeredNetworkNames } from "../networks/facts";
import { settingsWords } from "../settings/words";
import { Button } from "../ui/button";
import { Link } from "../ui/link";
import { Notice } from "../ui/notice";
import { Sentence } from "../ui/sentence";
import { Frame } from "./nav";
import { DeviceZone, PauseNotice, StyleNonce, Toasts } from "./notices";
import { NAV_COOKIE } from "./preferences";
import { shellWords } from "./words";

type Props = { email: string; hasConsole: boolean; isStaff: boolean; children: ReactNode };

/** The layout of all signed-in pages. */
export async function Shell({ children, ...viewer }: Props) {
  const isCollapsed = (await cookies()).get(NAV_COOKIE)?.value === "rail";
  return (
    <>
      <a
        href="#main"
        className="sr-only z-50 rounded-lg bg-gold p-3 font-semibold text-on-gold focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        {shellWords.skip}
      </a>
      <Frame networkNames={offeredNetworkNames()} isCollapsed={isCollapsed} {...viewer}>
        <main
          id="main"
          tabIndex={-1}
          className="min-w-0 rounded-t-[1.125rem] bg-paper px-4 pt-4.5 pb-28 outline-none md:m-2.5 md:ml-0 md:rounded-[1.125rem] md:px-6 md:pt-6 md:pb-10 wide:px-8"
        >
          <PauseNotice />
          {children}
        </main>
      </Frame>
      <Toasts />
      <StyleNonce />
      <DeviceZone />
    </>
  );
}

/**
 * Shown on every page until the email address is confirmed.
 * @param isKept without a mail server, mails are shown in the dashboard
 */
export function ConfirmAddress({ email, isKept }: { email: string; isKept: boolean }) {
  const again = (
    <form method="post" action="/confirm-email/again">
      <Button type="submit" look="quiet">
        {settingsWords.sendAgain}
      </Button>
    </form>
  );
  const where = isKept ? (
    <Link href="/settings#stored-mail" className="underline">
      {settingsWords.toYourMail}
    </Link>
  ) : (
    settingsWords.there
  );
  return (
    <Notice tone="warn" action={again} className="mb-8">
      <Sentence text={settingsWords.confirmAddress} parts={{ email: <strong>{email}</strong>, where }} />
    </Notice>
  );
}
