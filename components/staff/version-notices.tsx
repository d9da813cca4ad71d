import { listOperatorProblems } from "@/lib/accounts";
import { allNetworks, VERSIONS_AS_OF, versionListProblems, versionProblems } from "@/lib/networks";
import { Table } from "../console/table";
import { Notice } from "../ui/notice";
import { staffWords } from "./words";

/** Warnings about API versions that end soon, as in `carillon doctor`; nothing if there are none. */
export function VersionNotices({ now = new Date() }: { now?: Date }) {
  const problems = [...allNetworks().flatMap((network) => versionProblems(network, now)), ...versionListProblems(now)];
  return <ProblemNotices problems={problems} />;
}

/** What a network refuses because of the service's own application, with what the operator must do; nothing if there is none. */
export async function OperatorNotices() {
  const problems = (await listOperatorProblems()).map(({ reason, fix }) => ({
    severity: "failure" as const,
    problem: reason,
    fix,
  }));
  return <ProblemNotices problems={problems} />;
}

type Problem = { severity: "failure" | "warning"; problem: string; fix: string };

function ProblemNotices({ problems }: { problems: Problem[] }) {
  if (problems.length === 0) return null;
  return (
    <div className="grid gap-3">
      {problems.map(({ severity, problem, fix }) => (
        <Notice key={problem} tone={severity === "failure" ? "wrong" : "warn"}>
          <p className="font-semibold">{problem}</p>
          <p>{fix}.</p>
        </Notice>
      ))}
    </div>
  );
}

/** The API version and end date of each network, to plan updates early. */
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
