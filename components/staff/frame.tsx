import Link from "next/link";
import type { ReactNode } from "react";
import { PageHeading } from "../ui/card";

const places = [
  { path: "/staff", label: "Find" },
  { path: "/staff/audit", label: "Audit log" },
] as const;

type Props = { title: string; here?: (typeof places)[number]["path"]; lead: ReactNode; children: ReactNode };

/** What every page of the staff stands in. No page of it changes anything, and each look is written down. */
export function StaffFrame({ title, here, lead, children }: Props) {
  return (
    <>
      <PageHeading title={title} lead={lead} />
      <nav aria-label="Staff" className="mb-8 border-line border-b">
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
