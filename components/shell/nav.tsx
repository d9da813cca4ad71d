"use client";
import { usePathname, useSearchParams } from "next/navigation";
import { type ReactNode, useState } from "react";
import type { Platform } from "@/lib/platforms";
import { KeyCaps } from "../palette/key-caps";
import { writeKey } from "../palette/keys";
import { Opener } from "../palette/opener";
import { LogOut, Mark, Menu, PanelLeftClose, PanelLeftOpen, Plus } from "../ui/icons";
import { Link } from "../ui/link";
import { uiWords } from "../ui/words";
import { countLook, NoticeCentre, PLACE, useCounts } from "./notice-centre";
import { composer, daily, isComposing, isHere, type NavigationPlace, onBar, otherPlaces } from "./places";
import { NAV_COOKIE, remember } from "./preferences";
import { shellWords } from "./words";

type Props = {
  email: string;
  hasConsole: boolean;
  isStaff: boolean;
  networkNames: { [P in Platform]?: string };
  /** The user has collapsed the navigation. */
  isCollapsed: boolean;
  children: ReactNode;
};

/**
 * The teal frame with the navigation, and the sheet in it: a column with words on wide screens, a rail of icons on narrower
 * ones and beside the composer, and two bars on phones. Everyone can collapse the column; a cookie remembers that.
 */
export function Frame({ email, networkNames, isCollapsed, children, ...viewer }: Props) {
  const path = usePathname();
  const [isFolded, setFolded] = useState(isCollapsed);
  const isRail = isFolded || isComposing(path);
  const counts = useCounts();
  const others = otherPlaces(viewer);
  const here = [...daily, ...others].find((place) => isHere(path, place));
  const words = isRail ? "sr-only" : "sr-only wide:not-sr-only";
  const fold = () => {
    remember(NAV_COOKIE, isFolded ? "" : "rail");
    setFolded(!isFolded);
  };
  return (
    <div
      className={`grid min-h-dvh grid-cols-[minmax(0,1fr)] grid-rows-[auto_1fr] bg-linear-to-b from-frame to-70% to-frame-low md:grid-cols-[4rem_minmax(0,1fr)] md:grid-rows-1 ${isRail ? "" : "wide:grid-cols-[14.5rem_minmax(0,1fr)]"}`}
    >
      <header
        className={`flex h-14 items-center gap-1 px-3 text-frame-muted md:sticky md:top-0 md:h-dvh md:flex-col md:items-stretch md:gap-2.5 md:overflow-y-auto md:px-2.5 md:pt-4 md:pb-3 [&_:focus-visible]:outline-gold [scrollbar-width:none] ${isRail ? "" : "wide:px-3"}`}
      >
        <Link
          href="/"
          className={`flex min-h-11 shrink-0 items-center gap-2 px-1.5 text-frame-ink md:justify-center ${isRail ? "" : "wide:justify-start"}`}
        >
          <Mark />
          <span className={`font-display font-bold text-xl tracking-tight ${words}`}>{uiWords.brand}</span>
        </Link>
        <span aria-hidden className="truncate font-semibold text-frame-ink text-lg md:hidden">
          {isComposing(path) ? <ComposerName /> : path === PLACE ? shellWords.notices : here?.label}
        </span>
        <Link
          href={composer}
          aria-current={isComposing(path) ? "page" : undefined}
          aria-keyshortcuts={writeKey}
          className="hidden min-h-10 items-center justify-center gap-2 rounded-lg bg-gold px-3 font-semibold text-on-gold text-sm hover:bg-gold-hover md:flex"
        >
          <Plus aria-hidden className="size-4 shrink-0" />
          <span className={`${words} wide:mr-auto`}>{shellWords.newPost}</span>
          <span
            className={
              isRail
                ? "hidden"
                : "hidden wide:inline-flex [&_kbd]:min-w-5 [&_kbd]:border-on-gold/35 [&_kbd]:bg-transparent [&_kbd]:px-0.5 [&_kbd]:text-[0.6875rem] [&_kbd]:text-on-gold"
            }
          >
            <KeyCaps keys={["N"]} />
          </span>
        </Link>
        <Opener networkNames={networkNames} {...viewer} words={words} />
        <NoticeCentre
          path={path}
          className={`relative flex shrink-0 max-md:px-2 ${lineLook} ${isRail ? "" : "wide:justify-start"}`}
          words={words}
        />
        <nav aria-label={shellWords.nav} className="hidden md:grid md:gap-px">
          {daily.map((place) => (
            <Line key={place.href} place={place} path={path} words={words} count={counts[place.href]} />
          ))}
        </nav>
        <nav
          aria-label={shellWords.more}
          className="mt-auto hidden border-frame-line border-t pt-2.5 md:grid md:gap-px"
        >
          {others.map((place) => (
            <Line key={place.href} place={place} path={path} words={words} />
          ))}
        </nav>
        <button
          type="button"
          aria-expanded={!isFolded}
          onClick={fold}
          className={`hidden text-left ${lineLook} ${isComposing(path) ? "" : "wide:flex"} ${isRail ? "" : "wide:justify-start"}`}
        >
          {isFolded ? (
            <PanelLeftOpen aria-hidden className="size-4.5 shrink-0" />
          ) : (
            <PanelLeftClose aria-hidden className="size-4.5 shrink-0" />
          )}
          <span className={words}>{isFolded ? shellWords.unfold : shellWords.fold}</span>
        </button>
        <form method="post" action="/sign-out" className="flex min-w-0 items-center md:gap-1">
          <span
            className={`min-w-0 flex-1 truncate px-2.5 text-xs ${isRail ? "sr-only" : "max-wide:sr-only"}`}
            title={email}
          >
            {email}
          </span>
          <button
            type="submit"
            className={`flex shrink-0 ${lineLook} max-md:px-2 md:w-full ${isRail ? "" : "wide:w-auto"}`}
            title={shellWords.signOut}
          >
            <LogOut aria-hidden className="size-4.5 shrink-0" />
            <span className="sr-only">{shellWords.signOut}</span>
          </button>
        </form>
      </header>
      {children}
      {/* The composer has its own bar there, with the time and the button. */}
      {!isComposing(path) && <TabBar path={path} others={others} />}
    </div>
  );
}

/** A component of its own, so that the frame is not drawn again when a page changes the query. */
function ComposerName() {
  return useSearchParams().get("edit") ? shellWords.editPost : shellWords.newPost;
}

const lineLook =
  "min-h-11 items-center justify-center gap-2.5 rounded-lg px-2.5 text-frame-muted text-sm md:min-h-9 hover:bg-frame-hover hover:text-frame-ink aria-[current=page]:bg-frame-active aria-[current=page]:text-frame-ink aria-[current=page]:[&_svg]:text-gold";

type PlaceLinkProps = {
  place: NavigationPlace;
  path: string;
  className: string;
  title?: string;
  "aria-label"?: string;
  children: ReactNode;
};

/** A link to a place, which says whether it is the current one. */
function PlaceLink({ place, path, children, ...look }: PlaceLinkProps) {
  if (place.isPlain) {
    return (
      <a href={place.href} {...look}>
        {children}
      </a>
    );
  }
  return (
    <Link href={place.href} aria-current={isHere(path, place) ? "page" : undefined} {...look}>
      {children}
    </Link>
  );
}

type LineProps = { place: NavigationPlace; path: string; words: string; count?: number };

/** A line of the navigation in the frame. */
function Line({ place, path, words, count = 0 }: LineProps) {
  const { label, icon: Icon, attentionWords } = place;
  return (
    <PlaceLink
      place={place}
      path={path}
      title={label}
      aria-label={count > 0 ? attentionWords?.(count) : undefined}
      className={`relative flex ${lineLook} ${words === "sr-only" ? "" : "wide:justify-start"}`}
    >
      <Icon aria-hidden className="size-4.5 shrink-0" />
      <span className={words}>{label}</span>
      {count > 0 && <Count isUrgent={attentionWords !== undefined} count={count} isRail={words === "sr-only"} />}
    </PlaceLink>
  );
}

/** The largest number that the API counts to. */
const MOST_COUNTED = 10_000;

type CountProps = { isUrgent: boolean; count: number; isRail: boolean };

/** A number beside a place. Gold: something there needs attention. A rail has room only for that. */
function Count({ isUrgent, count, isRail }: CountProps) {
  const look = isUrgent
    ? `absolute top-1 right-1 ${countLook} ${isRail ? "" : "wide:static wide:ml-auto"}`
    : `ml-auto hidden text-xs tabular-nums ${isRail ? "" : "wide:inline"}`;
  return (
    <span aria-hidden className={look}>
      {count >= MOST_COUNTED ? "10k+" : count}
    </span>
  );
}

const tabLook =
  "flex min-h-13 flex-col items-center justify-center gap-0.5 rounded-lg text-muted text-xs aria-[current=page]:font-semibold aria-[current=page]:text-accent";

/** The bar at the bottom of phones: three pages, "New post" in the middle and a menu. */
function TabBar({ path, others }: { path: string; others: NavigationPlace[] }) {
  const [first, second, third] = onBar.map((place) => <Tab key={place.href} place={place} path={path} />);
  const inMenu = [...daily.filter((place) => !onBar.includes(place)), ...others];
  return (
    <nav
      aria-label={shellWords.nav}
      className="fixed inset-x-0 bottom-0 z-30 border-line border-t bg-surface px-1.5 pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      <ul className="mx-auto grid max-w-md grid-cols-5 items-center [&>li]:min-w-0">
        {first}
        {second}
        <li className="grid justify-items-center">
          <Link
            href={composer}
            aria-current={isComposing(path) ? "page" : undefined}
            className="grid size-12 place-items-center rounded-2xl bg-gold text-on-gold"
          >
            <Plus aria-hidden className="size-5" />
            <span className="sr-only">{shellWords.newPost}</span>
          </Link>
        </li>
        {third}
        <li>
          {/* The key closes the menu on every page change. */}
          <details key={path} className="relative">
            <summary
              className={`${tabLook} list-none [&::-webkit-details-marker]:hidden ${inMenu.some((place) => isHere(path, place)) ? "font-semibold text-accent" : ""}`}
            >
              <Menu aria-hidden className="size-5" />
              {shellWords.more}
            </summary>
            <ul className="absolute right-0 bottom-full mb-2 w-52 rounded-xl border border-line bg-surface p-1 shadow-lg">
              {inMenu.map((place) => (
                <MenuItem key={place.href} place={place} path={path} />
              ))}
            </ul>
          </details>
        </li>
      </ul>
    </nav>
  );
}

function Tab({ place, path }: { place: NavigationPlace; path: string }) {
  const { label, icon: Icon } = place;
  return (
    <li>
      <PlaceLink place={place} path={path} className={tabLook}>
        <Icon aria-hidden className="size-5" />
        {label}
      </PlaceLink>
    </li>
  );
}

function MenuItem({ place, path }: { place: NavigationPlace; path: string }) {
  const { label, icon: Icon } = place;
  return (
    <li>
      <PlaceLink
        place={place}
        path={path}
        className="flex min-h-11 items-center gap-3 rounded-lg px-3 hover:bg-sunk aria-[current=page]:font-semibold"
      >
        <Icon aria-hidden className="size-5 text-muted" />
        {label}
      </PlaceLink>
    </li>
  );
}
