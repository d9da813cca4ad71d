import Link from "next/link";
import { buttonClass } from "@/components/ui/button";

export default function NotFound() {
  return (
    <main className="mx-auto grid max-w-md justify-items-start gap-4 px-4 py-24">
      <h1 className="font-semibold text-2xl tracking-tight">There is nothing here</h1>
      <p className="text-muted">The address may be mistyped, or the post was deleted.</p>
      <Link href="/" className={buttonClass()}>
        Go home
      </Link>
    </main>
  );
}
