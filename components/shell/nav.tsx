"use client";
import { AtSign, CalendarDays, Home, Images, ListChecks, type LucideIcon, PenLine, Settings } from "lucide-react";
import Link from "next/link";
import { usePathname } from "next/navigation";

const places: { href: string; label: string; icon: LucideIcon }[] = [
  { href: "/", label: "Home", icon: Home },
  { href: "/compose", label: "Write", icon: PenLine },
  { href: "/calendar", label: "Calendar", icon: CalendarDays },
  { href: "/posts", label: "Posts", icon: ListChecks },
  { href: "/library", label: "Media", icon: Images },
  { href: "/accounts", label: "Accounts", icon: AtSign },
  { href: "/settings", label: "Settings", icon: Settings },
];

/** A column beside the page where there is room, a bar under the thumb where there is not. */
export function Nav() {
  const path = usePathname();
  return (
    <nav
      aria-label="Main"
      className="fixed inset-x-0 bottom-0 z-30 border-line border-t bg-surface pb-[env(safe-area-inset-bottom)] md:static md:border-0 md:bg-transparent md:pb-0"
    >
      <ul className="mx-auto flex max-w-md justify-around md:mx-0 md:flex-col md:gap-1">
        {places.map(({ href, label, icon: Icon }) => (
          <li key={href} className="flex-1">
            <Link
              href={href}
              aria-current={isHere(path, href) ? "page" : undefined}
              className="flex min-h-14 flex-col items-center justify-center gap-0.5 rounded-lg text-muted text-xs hover:text-ink aria-[current=page]:font-semibold aria-[current=page]:text-accent md:min-h-11 md:flex-row md:justify-start md:gap-3 md:px-3 md:text-base md:aria-[current=page]:bg-accent-soft md:hover:bg-sunk"
            >
              <Icon aria-hidden className="size-5" />
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function isHere(path: string, href: string): boolean {
  return href === "/" ? path === "/" : path === href || path.startsWith(`${href}/`);
}
