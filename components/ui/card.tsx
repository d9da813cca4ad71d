import type { ReactNode } from "react";

export function Card({ children, className = "" }: { children: ReactNode; className?: string }) {
  return <div className={`rounded-2xl border border-line bg-surface p-5 ${className}`}>{children}</div>;
}

type LonePageProps = { brand: ReactNode; title: string; text: string; children: ReactNode };

/** A whole page with one message and what to do next. It stands outside the navigation, so it names the product (`brand`). */
export function LonePage({ brand, title, text, children }: LonePageProps) {
  return (
    <div className="flex min-h-dvh flex-col bg-sunk">
      <header>
        <a href="/" className="m-4 inline-flex min-h-11 items-center gap-2.5 font-bold font-display text-xl sm:mx-10">
          {brand}
        </a>
      </header>
      <main className="m-auto w-full max-w-md p-4 pb-24">
        <Card className="grid justify-items-start gap-4">
          <h1 className="text-2xl">{title}</h1>
          <p className="text-muted">{text}</p>
          {children}
        </Card>
      </main>
    </div>
  );
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
