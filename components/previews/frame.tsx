import type { ReactNode } from "react";
import { SpriteIcon, type SpriteName } from "../ui/icons";
import type { Preview } from "./types";
import { previewWords } from "./words";

/** The props of every layout; `marked` is the style of links, mentions and hashtags. */
export type LayoutProps = { preview: Preview; marked: string };

export const quiet = "text-neutral-600 dark:text-neutral-400";

/** The background of a post, light or dark as on the reader's device. */
export function PostCard({ children, className = "" }: { children: ReactNode; className?: string }) {
  return (
    <div
      className={`overflow-hidden rounded-xl border border-neutral-300 bg-white text-neutral-950 text-sm dark:border-neutral-700 dark:bg-neutral-950 dark:text-neutral-50 ${className}`}
    >
      {children}
    </div>
  );
}

/** The account that posts, or the Page or channel. Instagram and Threads show the user name in place of the account's name. */
export function posterOf({ author, place, platform }: Preview): Preview["author"] {
  if (place) return { ...author, name: place, avatarUrl: undefined };
  const isByHandle = platform === "INSTAGRAM" || platform === "THREADS";
  return isByHandle ? { ...author, name: author.handle.replace(/^@/, "") } : author;
}

/** A decorative row of reactions. */
export function Reactions({ icons, className = quiet }: { icons: SpriteName[]; className?: string }) {
  return (
    <span aria-hidden className={`flex items-center gap-6 ${className}`}>
      {icons.map((icon) => (
        <SpriteIcon key={icon} name={icon} className="size-4" />
      ))}
    </span>
  );
}

/** The facts that exist, with dots between them. A line ends with a dot and never begins with one. */
export function dotted(facts: (string | false | undefined)[]): string {
  return facts.filter(Boolean).join("\u00a0· ");
}

export function NoText() {
  return <p className={quiet}>{previewWords.noText}</p>;
}
