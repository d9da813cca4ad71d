import {
  AtSign,
  Blocks,
  BookOpen,
  CalendarDays,
  CodeXml,
  House,
  type IconComponent,
  Images,
  LifeBuoy,
  Rows3,
  Settings,
} from "../ui/icons";
import { shellWords } from "./words";

export type NavigationPlace = {
  href: string;
  label: string;
  icon: IconComponent;
  /** Other paths that belong to it. */
  also?: string[];
  /** A page without script, outside the dashboard's layout. */
  isPlain?: boolean;
  /** Read aloud in place of the label, if the number beside it counts what needs attention. */
  attentionWords?: (count: number) => string;
};

export const composer = "/compose";
const home: NavigationPlace = { href: "/", label: shellWords.home, icon: House };
const calendar: NavigationPlace = { href: "/calendar", label: shellWords.calendar, icon: CalendarDays };
const posts: NavigationPlace = { href: "/posts", label: shellWords.posts, icon: Rows3 };
const library: NavigationPlace = { href: "/library", label: shellWords.library, icon: Images };
const accounts: NavigationPlace = {
  href: "/accounts",
  label: shellWords.accounts,
  icon: AtSign,
  attentionWords: shellWords.accountsCount,
};

/** The daily pages. On phones, the bar at the bottom has room for the first three of `onBar`. */
export const daily: NavigationPlace[] = [home, calendar, posts, library, accounts];
export const onBar: NavigationPlace[] = [home, calendar, posts];

type Viewer = { hasConsole: boolean; isStaff: boolean };

/** The pages for occasional use, which depend on the user. */
export function otherPlaces({ hasConsole, isStaff }: Viewer): NavigationPlace[] {
  return [
    ...(isStaff ? [{ href: "/staff", label: shellWords.staff, icon: LifeBuoy }] : []),
    ...(hasConsole ? [{ href: "/console", label: shellWords.partners, icon: Blocks }] : []),
    { href: "/developers", label: shellWords.developers, icon: CodeXml, also: ["/webhooks"] },
    { href: "/docs", label: shellWords.reference, icon: BookOpen, isPlain: true },
    { href: "/settings", label: shellWords.settings, icon: Settings, also: ["/mail", "/feeds"] },
  ];
}

/** The pages for developers. */
export const developerPlaces = [
  { path: "/developers", label: shellWords.developerPages.overview },
  { path: "/developers/applications", label: shellWords.developerPages.applications },
  { path: "/developers/tokens", label: shellWords.developerPages.tokens },
  { path: "/developers/requests", label: shellWords.developerPages.requests },
  { path: "/developers/try", label: shellWords.developerPages.tryApi },
] as const;

/** Whether a path is the composer's. */
export function isComposing(path: string): boolean {
  return path === composer || path.startsWith(`${composer}/`);
}

/** Whether a path belongs to a place. */
export function isHere(path: string, { href, also = [] }: NavigationPlace): boolean {
  if (href === "/") return path === "/";
  return [href, ...also].some((one) => path === one || path.startsWith(`${one}/`));
}
