import Link from "next/link";
import type { ReactNode } from "react";
import { PageHeading } from "../ui/card";

const places = [
  { path: "/developers", label: "Overview" },
  { path: "/developers/applications", label: "Applications" },
  { path: "/developers/tokens", label: "Tokens" },
  { path: "/developers/requests", label: "Requests" },
  { path: "/developers/try", label: "Try the API" },
] as const;

type Props = { title: string; here: (typeof places)[number]["path"]; lead: ReactNode; children: ReactNode };

/** What every page for developers stands in. */
export function DevelopersFrame({ title, here, lead, children }: Props) {
  return (
    <>
      <PageHeading title={title} lead={lead} />
      <nav aria-label="Developers" className="mb-8 border-line border-b">
        <ul className="flex flex-wrap gap-x-2">
          {places.map(({ path, label }) => (
            <li key={path}>
              <Link
                href={path}
                aria-current={path === here ? "page" : undefined}
                className="-mb-px inline-flex min-h-11 items-center border-transparent border-b-2 px-2 text-muted hover:text-ink aria-[current=page]:border-accent aria-[current=page]:font-semibold aria-[current=page]:text-accent"
              >
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div className="grid max-w-3xl gap-8">{children}</div>
    </>
  );
}
