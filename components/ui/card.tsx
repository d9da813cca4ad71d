import type { ReactNode } from "react";

export function Card({ children, className = "" }: { children: ReactNode; className?: string }) {
  return <div className={`rounded-2xl border border-line bg-surface p-5 ${className}`}>{children}</div>;
}

type HeadingProps = { title: string; lead?: ReactNode; action?: ReactNode };

/** A page's heading, a line about it and its main action. */
export function PageHeading({ title, lead, action }: HeadingProps) {
  return (
    <header className="mb-8 flex flex-wrap items-start justify-between gap-4">
      <div className="max-w-2xl text-pretty">
        <h1 className="text-2xl">{title}</h1>
        {lead && <p className="mt-1 text-muted">{lead}</p>}
      </div>
      {action}
    </header>
  );
}
