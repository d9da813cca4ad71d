import { allNetworks, VERSIONS_AS_OF } from "@/lib/networks";
import { Table } from "../console/table";
import { staffWords } from "./words";

/** Which version of each network's API is spoken, and until when, so that an update can be planned long before it is due. */
export function VersionTable() {
  const rows = allNetworks().map(({ platform, name, version }) => ({
    key: platform,
    cells: [name, version.name, version.endsOn ?? staffWords.noEnd],
  }));
  return (
    <section aria-labelledby="versions" className="grid gap-3">
      <h2 id="versions" className="font-semibold text-lg">
        {staffWords.versions}
      </h2>
      <p className="text-muted">{staffWords.versionsHow(VERSIONS_AS_OF)}</p>
      <Table caption={staffWords.versions} head={staffWords.versionsHead} rows={rows} empty="" />
    </section>
  );
}
