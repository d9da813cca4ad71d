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
import * as words from "../words/shell";

/** `also` are addresses elsewhere that belong to it. */
export type Place = { href: string; label: string; icon: LucideIcon; also?: string };

/** What people come for each day: the bar under the thumb has room for these and one more. */
export const daily: Place[] = [
  { href: "/", label: words.home, icon: Home },
  { href: "/compose", label: words.write, icon: PenLine },
  { href: "/calendar", label: words.calendar, icon: CalendarDays },
  { href: "/accounts", label: words.accounts, icon: AtSign },
];
export const others: Place[] = [
  { href: "/posts", label: words.posts, icon: ListChecks },
  { href: "/library", label: words.media, icon: Images },
  { href: "/developers", label: words.developers, icon: CodeXml, also: "/webhooks" },
  { href: "/settings", label: words.settings, icon: Settings, also: "/mail" },
];

/** What is not everybody's daily work, or not everybody's at all. */
export const staff: Place = { href: "/staff", label: words.staff, icon: LifeBuoy };
export const partners: Place = { href: "/console", label: words.partners, icon: Handshake };
/** A page without script, and none of this frame's. */
export const reference: Place = { href: "/docs", label: words.reference, icon: BookOpen };
