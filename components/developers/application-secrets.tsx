import type { LiveSecret } from "@/lib/oauth";
import { Table } from "../console/table";
import { utc } from "../console/when";
import { Button } from "../ui/button";
import { Hidden } from "./fields";

/** The secrets that are good, and a new one beside them. */
export function ApplicationSecrets({ client, secrets }: { client: string; secrets: LiveSecret[] }) {
  const rows = secrets.map(({ id, createdAt, until }) => ({
    key: String(id),
    cells: [utc(createdAt), until ? `until ${utc(until)}` : "in use"],
  }));
  return (
    <section aria-labelledby="secrets" className="grid gap-3">
      <h2 id="secrets" className="font-semibold text-lg">
        Secrets
      </h2>
      <Table caption="Secrets" head={["Made", "Good"]} rows={rows} empty="No secret is good: make a new one." />
      <p className="text-muted text-sm">
        A new secret is shown once. The one before stays good for 24 hours, so that servers can be changed one after the
        other.
      </p>
      <div className="flex flex-wrap gap-3">
        <form method="post" action="/developers/do/rotate">
          <Hidden values={{ client }} />
          <Button type="submit" look="quiet">
            Make a new secret
          </Button>
        </form>
        {secrets.some(({ until }) => until) && (
          <form method="post" action="/developers/do/end-old">
            <Hidden values={{ client }} />
            <Button type="submit" look="danger">
              End the old secret now
            </Button>
          </form>
        )}
      </div>
    </section>
  );
}
