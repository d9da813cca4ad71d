import type { LiveSecret } from "@/lib/oauth";
import { Table } from "../console/table";
import { utc } from "../console/when";
import { Button } from "../ui/button";
import * as words from "../words/developers";
import { Hidden } from "./fields";

/** The secrets that are good, and a new one beside them. */
export function ApplicationSecrets({ client, secrets }: { client: string; secrets: LiveSecret[] }) {
  const rows = secrets.map(({ id, createdAt, until }) => ({
    key: String(id),
    cells: [utc(createdAt), until ? words.until(utc(until)) : words.inUse],
  }));
  return (
    <section aria-labelledby="secrets" className="grid gap-3">
      <h2 id="secrets" className="font-semibold text-lg">
        {words.secrets}
      </h2>
      <Table caption={words.secrets} head={words.secretsHead} rows={rows} empty={words.noSecret} />
      <p className="text-muted text-sm">{words.secretsHow}</p>
      <div className="flex flex-wrap gap-3">
        <form method="post" action="/developers/do/rotate">
          <Hidden values={{ client }} />
          <Button type="submit" look="quiet">
            {words.newSecret}
          </Button>
        </form>
        {secrets.some(({ until }) => until) && (
          <form method="post" action="/developers/do/end-old">
            <Hidden values={{ client }} />
            <Button type="submit" look="danger">
              {words.endOldSecret}
            </Button>
          </form>
        )}
      </div>
    </section>
  );
}
