import type { LiveSecret } from "@/lib/oauth";
import { utc } from "../console/format";
import { Table } from "../console/table";
import { Button } from "../ui/button";
import { Hidden } from "./fields";
import { developerWords } from "./words";

/** The secrets that are good, and a new one beside them. */
export function ApplicationSecrets({ client, secrets }: { client: string; secrets: LiveSecret[] }) {
  const rows = secrets.map(({ id, createdAt, until }) => ({
    key: String(id),
    cells: [utc(createdAt), until ? developerWords.until(utc(until)) : developerWords.inUse],
  }));
  return (
    <section aria-labelledby="secrets" className="grid gap-3">
      <h2 id="secrets" className="font-semibold text-lg">
        {developerWords.secrets}
      </h2>
      <Table
        caption={developerWords.secrets}
        head={developerWords.secretsHead}
        rows={rows}
        empty={developerWords.noSecret}
      />
      <p className="text-muted text-sm">{developerWords.secretsHow}</p>
      <div className="flex flex-wrap gap-3">
        <form method="post" action="/developers/do/rotate">
          <Hidden values={{ client }} />
          <Button type="submit" look="quiet">
            {developerWords.newSecret}
          </Button>
        </form>
        {secrets.some(({ until }) => until) && (
          <form method="post" action="/developers/do/end-old">
            <Hidden values={{ client }} />
            <Button type="submit" look="danger">
              {developerWords.endOldSecret}
            </Button>
          </form>
        )}
      </div>
    </section>
  );
}
