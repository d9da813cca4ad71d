import { Link } from "./link";

type Props<P extends string> = {
  label: string;
  places: readonly { path: P; label: string }[];
  /** The current page; undefined on a page below them. */
  here?: P;
  /** The prefix of the paths. */
  base?: string;
};

/** The navigation of one section, with the current page marked. It is one line, which scrolls sideways where it is narrow. */
export function SectionNav<P extends string>({ label, places, here, base = "" }: Props<P>) {
  return (
    <nav aria-label={label} className="mb-8 border-line border-b">
      <ul className="flex gap-x-1 overflow-x-auto [scrollbar-width:none]">
        {places.map((place) => (
          <li key={place.path} className="shrink-0 has-aria-[current=page]:[scroll-initial-target:nearest]">
            <Link
              href={`${base}${place.path}`}
              aria-current={place.path === here ? "page" : undefined}
              className="inline-flex min-h-11 items-center border-transparent border-b-2 px-2 text-muted text-sm hover:text-ink focus-visible:-outline-offset-3 aria-[current=page]:border-accent aria-[current=page]:font-semibold aria-[current=page]:text-accent"
            >
              {place.label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
