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
import { type View, views } from "../calendar/views";
import { calendarWords } from "../calendar/words";
import { places as forDevelopers } from "../developers/places";
import { daily, others, type Place, partners, reference, staff } from "../shell/places";
import { places as forStaff } from "../staff/places";
import { calendarKeys, listKey } from "./keys";
import { paletteWords } from "./words";

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
  const below = forDevelopers
    .slice(1)
    .map(({ path, label }) => page(path, label, CodeXml, paletteWords.developersAlso));
  return {
    deeds,
    places: [
      ...[...daily, ...others].map(placed),
      ...below,
      page("/webhooks", paletteWords.webhooks, CodeXml, paletteWords.developersAlso),
      page("/webhooks/events", paletteWords.events, CodeXml, paletteWords.eventsAlso),
      ...(isStaff ? [placed(staff), page("/staff/audit", forStaff[1].label, LifeBuoy, paletteWords.staffAlso)] : []),
      ...(hasConsole ? [placed(partners)] : []),
      {
        label: reference.label,
        icon: reference.icon,
        act: { leaveTo: reference.href },
        also: paletteWords.referenceAlso,
      },
    ],
    calendar: [
      {
        label: paletteWords.today,
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
    label: paletteWords.write,
    icon: PenLine,
    act: { to: "/compose" },
    also: paletteWords.writeAlso,
    key: calendarKeys.write,
  },
  { label: paletteWords.connect, icon: AtSign, act: { to: "/accounts#connect" }, also: paletteWords.connectAlso },
  { label: paletteWords.addFiles, icon: Images, act: { to: "/library" }, also: paletteWords.addFilesAlso },
  {
    label: paletteWords.duplicates,
    icon: ListChecks,
    act: { to: "/posts/duplicates" },
    also: paletteWords.duplicatesAlso,
  },
  { label: paletteWords.importPosts, icon: ListChecks, act: { to: "/posts/import" }, also: paletteWords.importAlso },
  {
    label: paletteWords.exportPosts,
    icon: ListChecks,
    act: { leaveTo: "/v1/posts/export" },
    also: paletteWords.exportAlso,
  },
  {
    label: paletteWords.keys,
    icon: Keyboard,
    act: "showKeys",
    also: paletteWords.keysAlso,
    key: listKey,
    isKeyEverywhere: true,
  },
  { label: paletteWords.signOut, icon: LogOut, act: "signOut", also: paletteWords.signOutAlso },
];

function page(to: string, label: string, icon: LucideIcon, also: string): Command {
  return { label, icon, act: { to }, also };
}

function placed({ href, label, icon }: Place): Command {
  return { label, icon, act: { to: href } };
}

function viewed(view: View): Command {
  return {
    label: paletteWords.calendarView(calendarWords.views[view]),
    icon: CalendarDays,
    act: { calendar: { view } },
    also: paletteWords.viewAlso,
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
