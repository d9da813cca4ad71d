import {
  AtSign,
  CalendarDays,
  CodeXml,
  Images,
  Keyboard,
  LifeBuoy,
  ListChecks,
  LogOut,
  type LucideIcon,
  PenLine,
} from "lucide-react";
import { type View, views, viewWords } from "../calendar/views";
import { places as forDevelopers } from "../developers/places";
import { daily, others, type Place, partners, reference, staff } from "../shell/places";
import { places as forStaff } from "../staff/places";
import * as words from "../words/palette";
import { calendarKeys, listKey } from "./keys";

/** What a command does: opens one of our pages, an address that is none of them, other days of the calendar, or one of these two. */
type Act =
  | { to: string }
  | { leaveTo: string }
  | { calendar: { view?: View; isToday?: true } }
  | "showKeys"
  | "signOut";

export type Command = {
  label: string;
  icon: LucideIcon;
  act: Act;
  /** Other words by which people look for it. */
  also?: string;
  /** The single key that does the same; of the calendar, unless it works everywhere. */
  key?: string;
  isKeyEverywhere?: boolean;
};

export type Group = "deeds" | "places" | "calendar";

type Viewer = { isStaff: boolean; hasConsole: boolean; isWide: boolean };

/** Everything that can be done from anywhere, by group. @param isWide whether the calendar has more than its list and its day */
export function commandsFor({ isStaff, hasConsole, isWide }: Viewer): Record<Group, Command[]> {
  const below = forDevelopers.slice(1).map(({ path, label }) => page(path, label, CodeXml, words.developersAlso));
  return {
    deeds,
    places: [
      ...[...daily, ...others].map(placed),
      ...below,
      page("/webhooks", words.webhooks, CodeXml, words.developersAlso),
      page("/webhooks/events", words.events, CodeXml, words.eventsAlso),
      ...(isStaff ? [placed(staff), page("/staff/audit", forStaff[1].label, LifeBuoy, words.staffAlso)] : []),
      ...(hasConsole ? [placed(partners)] : []),
      { label: reference.label, icon: reference.icon, act: { leaveTo: reference.href }, also: words.referenceAlso },
    ],
    calendar: [
      {
        label: words.today,
        icon: CalendarDays,
        act: { calendar: { isToday: true } },
        key: calendarKeys.today,
      },
      ...views.filter((view) => isWide || view === "day" || view === "list").map(viewed),
    ],
  };
}

/** Each with the sign of the page that it is about. */
const deeds: Command[] = [
  {
    label: words.write,
    icon: PenLine,
    act: { to: "/compose" },
    also: words.writeAlso,
    key: calendarKeys.write,
  },
  { label: words.connect, icon: AtSign, act: { to: "/accounts#connect" }, also: words.connectAlso },
  { label: words.addFiles, icon: Images, act: { to: "/library" }, also: words.addFilesAlso },
  {
    label: words.duplicates,
    icon: ListChecks,
    act: { to: "/posts/duplicates" },
    also: words.duplicatesAlso,
  },
  { label: words.importPosts, icon: ListChecks, act: { to: "/posts/import" }, also: words.importAlso },
  { label: words.exportPosts, icon: ListChecks, act: { leaveTo: "/v1/posts/export" }, also: words.exportAlso },
  {
    label: words.keys,
    icon: Keyboard,
    act: "showKeys",
    also: words.keysAlso,
    key: listKey,
    isKeyEverywhere: true,
  },
  { label: words.signOut, icon: LogOut, act: "signOut", also: words.signOutAlso },
];

function page(to: string, label: string, icon: LucideIcon, also: string): Command {
  return { label, icon, act: { to }, also };
}

function placed({ href, label, icon }: Place): Command {
  return { label, icon, act: { to: href } };
}

function viewed(view: View): Command {
  return {
    label: words.calendarView(viewWords[view]),
    icon: CalendarDays,
    act: { calendar: { view } },
    also: words.viewAlso,
    key: calendarKeys[view],
  };
}

/** Where the calendar shows that. @param here the page that is open: in the calendar, day and filters stay as they are */
export function calendarAt({ view, isToday }: { view?: View; isToday?: true }, here: { path: string; query: string }) {
  const query = new URLSearchParams(here.path === "/calendar" ? here.query : "");
  if (view) query.set("view", view);
  if (isToday) query.delete("day");
  return `/calendar?${query}`;
}
