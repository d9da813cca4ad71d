"use client";
import { Button } from "@/components/ui/button";

/** What was thrown stays in the server's log: a page shows no raw error. */
export default function ErrorPage({ reset }: { error: Error; reset: () => void }) {
  return (
    <main className="mx-auto grid max-w-md justify-items-start gap-4 px-4 py-24">
      <h1 className="font-semibold text-2xl tracking-tight">This page did not load</h1>
      <p className="text-muted">Something went wrong on our side. Nothing that you scheduled is affected.</p>
      <Button onClick={reset}>Try again</Button>
    </main>
  );
}
