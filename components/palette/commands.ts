import { type View, views } from "../calendar/views";
import { calendarWords } from "../calendar/words";
import { daily, developerPlaces as forDevelopers, type NavigationPlace, otherPlaces } from "../shell/places";
import { shellWords } from "../shell/words";
import { staffPlaces as forStaff } from "../staff/frame";
import {
  AtSign,
  Bell,
  CalendarDays,
  CodeXml,
  type IconComponent,
  Images,
  Keyboard,
  LifeBuoy,
  LogOut,
  PenLine,
  Rows3,
  Rss,
  Settings,
} from "../ui/icons";
import { calendarKeys, listKey, writeKey } from "./keys";
import { paletteWords } from "./words";

/** A command opens one of our pages, another address or other calendar days, or does one of these two things. */
type Act =
  | { to: string }
  | { leaveTo: string }
  | { calendar: { view?: View; isToday?: true } }
  | "showKeys"
  | "signOut";

export type PaletteCommand = {
  label: string;
  icon: IconComponent;
  act: Act;
  /** Search synonyms. */
  also?: string;
  /** The single-key shortcut, in the calendar unless it works everywhere. */
  key?: string;
  isKeyEverywhere?: boolean;
};

export type CommandGroup = keyof typeof paletteWords.groups;

type Viewer = { isStaff: boolean; hasConsole: boolean };

/** All commands by group. */
export function commandsFor({ isStaff, hasConsole }: Viewer): Record<CommandGroup, PaletteCommand[]> {
  const below = forDevelopers
    .slice(1)
    .map(({ path, label }) => page(path, label, CodeXml, paletteWords.developersAlso));
  return {
    actions,
    places: [
      ...[...daily, ...otherPlaces({ isStaff, hasConsole })].map(placed),
      page("/settings/applications", paletteWords.applications, Settings, paletteWords.applicationsAlso),
      page("/feeds", paletteWords.feeds, Rss, paletteWords.feedsAlso),
      ...below,
      page("/webhooks", paletteWords.webhooks, CodeXml, paletteWords.developersAlso),
      page("/webhooks/events", paletteWords.events, CodeXml, paletteWords.eventsAlso),
      ...(isStaff ? [page("/staff/audit", forStaff[3].label, LifeBuoy, paletteWords.staffAlso)] : []),
    ],
    calendar: [
      {
        label: paletteWords.today,
        icon: CalendarDays,
        act: { calendar: { isToday: true } },
        key: calendarKeys.today,
      },
      ...views.map(viewed),
    ],
  };
}

/** Each has the icon of its page. */
const actions: PaletteCommand[] = [
  {
    label: paletteWords.write,
    icon: PenLine,
    act: { to: "/compose" },
    also: paletteWords.writeAlso,
    key: writeKey,
    isKeyEverywhere: true,
  },
  { label: shellWords.notices, icon: Bell, act: { to: "/notifications" } },
  { label: paletteWords.connect, icon: AtSign, act: { to: "/accounts#connect" }, also: paletteWords.connectAlso },
  { label: paletteWords.addFiles, icon: Images, act: { to: "/library" }, also: paletteWords.addFilesAlso },
  {
    label: paletteWords.duplicates,
    icon: Rows3,
    act: { to: "/posts/duplicates" },
    also: paletteWords.duplicatesAlso,
  },
  { label: paletteWords.importPosts, icon: Rows3, act: { to: "/posts/import" }, also: paletteWords.importAlso },
  {
    label: paletteWords.exportPosts,
    icon: Rows3,
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

function page(to: string, label: string, icon: IconComponent, also: string): PaletteCommand {
  return { label, icon, act: { to }, also };
}

function placed({ href, label, icon, isPlain }: NavigationPlace): PaletteCommand {
  return isPlain
    ? { label, icon, act: { leaveTo: href }, also: paletteWords.referenceAlso }
    : { label, icon, act: { to: href } };
}

function viewed(view: View): PaletteCommand {
  return {
    label: paletteWords.calendarView(calendarWords.views[view]),
    icon: CalendarDays,
    act: { calendar: { view } },
    also: paletteWords.viewAlso,
    key: calendarKeys[view],
  };
}

/** The calendar's address. @param here the open page; in the calendar, day and filters are kept */
export function calendarAt({ view, isToday }: { view?: View; isToday?: true }, here: { path: string; query: string }) {
  const query = new URLSearchParams(here.path === "/calendar" ? here.query : "");
  if (view) query.set("view", view);
  if (isToday) query.delete("day");
  return `/calendar?${query}`;
}
