import { LogOut } from "lucide-react";
import Image from "next/image";
import type { ReactNode } from "react";
import { offeredNetworkNames } from "../networks/facts";
import { Opener } from "../palette/opener";
import { Button } from "../ui/button";
import { Link } from "../ui/link";
import { uiWords } from "../ui/words";
import { Nav } from "./nav";
import { PauseNotice } from "./pause-notice";
import { type Place, partnersPlace, reference, staff } from "./places";
import { StyleNonce } from "./style-nonce";
import { Toasts } from "./toasts";
import { shellWords } from "./words";

type Props = { email: string; hasConsole: boolean; isStaff: boolean; children: ReactNode };

/** The layout of all signed-in pages. */
export function Shell({ email, hasConsole, isStaff, children }: Props) {
  return (
    <div className="mx-auto grid min-h-dvh max-w-6xl grid-cols-[minmax(0,1fr)] grid-rows-[auto_1fr] md:grid-cols-[14rem_minmax(0,1fr)] md:grid-rows-1">
      <a
        href="#main"
        className="sr-only z-50 rounded-lg bg-surface p-3 focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        {shellWords.skip}
      </a>
      <header className="flex items-center gap-2 px-4 py-3 md:sticky md:top-0 md:h-dvh md:flex-col md:items-stretch md:gap-8 md:px-4 md:py-8">
        <Link href="/" className="flex shrink-0 items-center gap-2.5 font-semibold text-lg md:px-3">
          <Image src="/icon.svg" alt="" width={32} height={32} unoptimized />
          {uiWords.brand}
        </Link>
        <Opener isStaff={isStaff} hasConsole={hasConsole} networkNames={offeredNetworkNames()} />
        <Nav />
        <div className="ml-auto flex items-center md:mt-auto md:ml-0 md:flex-col md:items-stretch md:gap-2">
          {isStaff && <Aside {...staff} />}
          {hasConsole && <Aside {...partnersPlace} />}
          <Aside {...reference} />
        </div>
        <SignOut email={email} isCrowded={isStaff || hasConsole} />
      </header>
      <main id="main" tabIndex={-1} className="px-4 pt-4 pb-28 outline-none md:px-8 md:py-10">
        <PauseNotice />
        {children}
      </main>
      <Toasts />
      <StyleNonce />
    </div>
  );
}

/** A link to a less common page; only an icon on phones. */
function Aside({ href, label, icon: Icon }: Place) {
  return (
    <a
      href={href}
      className="flex min-h-11 items-center gap-3 rounded-lg px-2 text-muted hover:bg-sunk hover:text-ink md:px-3"
    >
      <Icon aria-hidden className="size-5" />
      <span className="sr-only md:not-sr-only">{label}</span>
    </a>
  );
}

/** @param isCrowded hides the e-mail address on phones, where all icons leave no room; the settings show it */
function SignOut({ email, isCrowded }: { email: string; isCrowded: boolean }) {
  return (
    <form method="post" action="/sign-out" className="flex min-w-0 items-center gap-2 md:flex-col md:items-stretch">
      <span
        className={`min-w-0 truncate text-muted text-sm md:px-3 ${isCrowded ? "max-md:sr-only" : ""}`}
        title={email}
      >
        {email}
      </span>
      <Button type="submit" look="bare" className="shrink-0 px-2 md:justify-start md:px-3">
        <LogOut aria-hidden className="size-5" />
        <span className="sr-only md:not-sr-only">{shellWords.signOut}</span>
      </Button>
    </form>
  );
}
