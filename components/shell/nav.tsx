"use client";
import { Menu } from "lucide-react";
import { usePathname } from "next/navigation";
import { Link } from "../ui/link";
import { daily, others, type Place } from "./places";
import { shellWords } from "./words";

const look =
  "flex min-h-14 flex-col items-center justify-center gap-0.5 rounded-lg text-muted text-xs hover:text-ink aria-[current=page]:font-semibold aria-[current=page]:text-accent md:min-h-11 md:flex-row md:justify-start md:gap-3 md:px-3 md:text-base md:aria-[current=page]:bg-accent-soft md:hover:bg-sunk";

/** The navigation: a column on wide screens, a bottom bar with a menu on phones. */
export function Nav() {
  const path = usePathname();
  return (
    <nav
      aria-label={shellWords.nav}
      className="fixed inset-x-0 bottom-0 z-30 border-line border-t bg-surface pb-[env(safe-area-inset-bottom)] md:static md:border-0 md:bg-transparent md:pb-0"
    >
      <ul className="mx-auto flex max-w-md justify-around md:mx-0 md:flex-col md:gap-1">
        {daily.map((place) => (
          <li key={place.href} className="flex-1">
            <PlaceLink place={place} path={path} />
          </li>
        ))}
        {others.map((place) => (
          <li key={place.href} className="hidden flex-1 md:block">
            <PlaceLink place={place} path={path} />
          </li>
        ))}
        <li className="flex-1 md:hidden">
          {/* The key closes the menu on every page change. */}
          <details key={path} className="relative">
            <summary
              className={`${look} list-none ${others.some((place) => isHere(path, place)) ? "font-semibold text-accent" : ""}`}
            >
              <Menu aria-hidden className="size-5" />
              {shellWords.more}
            </summary>
            <ul className="absolute right-1 bottom-full mb-2 w-44 rounded-xl border border-line bg-surface p-1 shadow-lg">
              {others.map((place) => (
                <li key={place.href}>
                  <PlaceLink place={place} path={path} className="flex-row! justify-start! gap-3! px-3 text-base" />
                </li>
              ))}
            </ul>
          </details>
        </li>
      </ul>
    </nav>
  );
}

type LinkProps = { place: Place; path: string; className?: string };

function PlaceLink({ place, path, className = "" }: LinkProps) {
  const { href, label, icon: Icon } = place;
  return (
    <Link href={href} aria-current={isHere(path, place) ? "page" : undefined} className={`${look} ${className}`}>
      <Icon aria-hidden className="size-5" />
      {label}
    </Link>
  );
}

function isHere(path: string, { href, also = href }: Place): boolean {
  if (href === "/") return path === "/";
  return [href, also].some((one) => path === one || path.startsWith(`${one}/`));
}
