import {
  AtSign,
  BookOpen,
  CalendarDays,
  CodeXml,
  Handshake,
  Home,
  Images,
  LifeBuoy,
  ListChecks,
  type LucideIcon,
  PenLine,
  Settings,
} from "lucide-react";
import { shellWords } from "./words";

/** `also`: other paths that belong to it. */
export type Place = { href: string; label: string; icon: LucideIcon; also?: string };

/** The daily pages; the bottom bar has room for these and one more. */
export const daily: Place[] = [
  { href: "/", label: shellWords.home, icon: Home },
  { href: "/compose", label: shellWords.write, icon: PenLine },
  { href: "/calendar", label: shellWords.calendar, icon: CalendarDays },
  { href: "/accounts", label: shellWords.accounts, icon: AtSign },
];
export const others: Place[] = [
  { href: "/posts", label: shellWords.posts, icon: ListChecks },
  { href: "/library", label: shellWords.media, icon: Images },
  { href: "/developers", label: shellWords.developers, icon: CodeXml, also: "/webhooks" },
  { href: "/settings", label: shellWords.settings, icon: Settings, also: "/mail" },
];

/** Pages for some users or occasional use. */
export const staff: Place = { href: "/staff", label: shellWords.staff, icon: LifeBuoy };
export const partnersPlace: Place = { href: "/console", label: shellWords.partners, icon: Handshake };
/** A page without script, outside this layout. */
export const reference: Place = { href: "/docs", label: shellWords.reference, icon: BookOpen };
