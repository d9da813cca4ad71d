import { allNetworks, VERSIONS_AS_OF } from "@/lib/networks";
import { Table } from "../console/table";

/** Which version of each network's API is spoken, and until when, so that an update can be planned long before it is due. */
export function VersionTable() {
  const rows = allNetworks().map(({ platform, name, version }) => ({
    key: platform,
    cells: [name, version.name, version.endsOn ?? "not announced"],
  }));
  return (
    <section aria-labelledby="versions" className="grid gap-3">
      <h2 id="versions" className="font-semibold text-lg">
        API versions
      </h2>
      <p className="text-muted">
        As of {VERSIONS_AS_OF}. From 90 days before an end this page and the home page of the staff say what to do.
      </p>
      <Table caption="API versions" head={["Network", "Version", "Ends on"]} rows={rows} empty="" />
    </section>
  );
}
