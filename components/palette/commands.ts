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
import { calendarKeys, listKey } from "./keys";

/** What a command does: opens one of our pages, an address that is none of them, other days of the calendar, or one of these two. */
type Act =
  | { to: string }
  | { leaveTo: string }
  | { calendar: { view?: View; isToday?: true } }
  | "show keys"
  | "sign out";

export type Command = {
  label: string;
  icon: LucideIcon;
  act: Act;
  /** Other words by which people look for it. */
  words?: string;
  /** The single key that does the same; of the calendar, unless it works everywhere. */
  key?: string;
  isKeyEverywhere?: boolean;
};

export type Group = "Do" | "Go to" | "Calendar";

type Viewer = { isStaff: boolean; hasConsole: boolean; isWide: boolean };

/** Everything that can be done from anywhere, by group. @param isWide whether the calendar has more than its list and its day */
export function commandsFor({ isStaff, hasConsole, isWide }: Viewer): Record<Group, Command[]> {
  const below = forDevelopers.slice(1).map(({ path, label }) => page(path, label, CodeXml, "developers"));
  return {
    Do: deeds,
    "Go to": [
      ...[...daily, ...others].map(placed),
      ...below,
      page("/webhooks", "Webhooks", CodeXml, "developers"),
      page("/webhooks/events", "What has happened", CodeXml, "events log developers webhooks"),
      ...(isStaff ? [placed(staff), page("/staff/audit", forStaff[1].label, LifeBuoy, "staff")] : []),
      ...(hasConsole ? [placed(partners)] : []),
      { label: reference.label, icon: reference.icon, act: { leaveTo: reference.href }, words: "docs documentation" },
    ],
    Calendar: [
      {
        label: "Today in the calendar",
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
    label: "Write a post",
    icon: PenLine,
    act: { to: "/compose" },
    words: "new compose create",
    key: calendarKeys.write,
  },
  { label: "Connect an account", icon: AtSign, act: { to: "/accounts#connect" }, words: "add network channel" },
  { label: "Add pictures or videos", icon: Images, act: { to: "/library" }, words: "upload files media" },
  {
    label: "Find duplicates",
    icon: ListChecks,
    act: { to: "/posts/duplicates" },
    words: "same text posts merge bulk twice",
  },
  { label: "Import posts", icon: ListChecks, act: { to: "/posts/import" }, words: "csv file spreadsheet bulk" },
  { label: "Export posts", icon: ListChecks, act: { leaveTo: "/v1/posts/export" }, words: "csv file download" },
  {
    label: "Keyboard shortcuts",
    icon: Keyboard,
    act: "show keys",
    words: "keys help hotkeys",
    key: listKey,
    isKeyEverywhere: true,
  },
  { label: "Sign out", icon: LogOut, act: "sign out", words: "log out leave" },
];

function page(to: string, label: string, icon: LucideIcon, words: string): Command {
  return { label, icon, act: { to }, words };
}

function placed({ href, label, icon }: Place): Command {
  return { label, icon, act: { to: href } };
}

function viewed(view: View): Command {
  return {
    label: `Calendar: ${viewWords[view].toLowerCase()}`,
    icon: CalendarDays,
    act: { calendar: { view } },
    words: "show view",
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
