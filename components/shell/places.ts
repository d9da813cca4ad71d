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

/** `also` are addresses elsewhere that belong to it. */
export type Place = { href: string; label: string; icon: LucideIcon; also?: string };

/** What people come for each day: the bar under the thumb has room for these and one more. */
export const daily: Place[] = [
  { href: "/", label: "Home", icon: Home },
  { href: "/compose", label: "Write", icon: PenLine },
  { href: "/calendar", label: "Calendar", icon: CalendarDays },
  { href: "/accounts", label: "Accounts", icon: AtSign },
];
export const others: Place[] = [
  { href: "/posts", label: "Posts", icon: ListChecks },
  { href: "/library", label: "Media", icon: Images },
  { href: "/developers", label: "Developers", icon: CodeXml, also: "/webhooks" },
  { href: "/settings", label: "Settings", icon: Settings, also: "/mail" },
];

/** What is not everybody's daily work, or not everybody's at all. */
export const staff: Place = { href: "/staff", label: "Staff", icon: LifeBuoy };
export const partners: Place = { href: "/console", label: "Partners", icon: Handshake };
/** A page without script, and none of this frame's. */
export const reference: Place = { href: "/docs", label: "API reference", icon: BookOpen };
