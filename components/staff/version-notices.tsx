import { listOperatorProblems } from "@/lib/accounts";
import { allNetworks, VERSIONS_AS_OF, versionListProblems, versionProblems } from "@/lib/networks";
import type { Platform } from "@/lib/platforms";
import type { ClosedNetwork } from "@/lib/schedules";
import { Table } from "../console/table";
import { NetworkBadge } from "../networks/badge";
import { utcToSecond } from "../time/format";
import { CheckCircle2, XCircle } from "../ui/icons";
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

/** Formats `2027-09-15` as `15 Sept 2027`. */
function dayInUtc(day: string): string {
  return new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" }).format(new Date(day));
}

type NetworksProps = {
  closed: ClosedNetwork[];
  /** For how many seconds the oldest due post of a network has waited. */
  waits: { platform: Platform; value: number }[];
};

/** Whether each network answers and how long its posts wait, and the end date of its API version, to plan updates early. */
export function NetworkTable({ closed, waits }: NetworksProps) {
  const rows = allNetworks().map(({ platform, name, version }) => {
    const until = closed.find((one) => one.platform === platform)?.untilTime;
    const minutes = Math.floor((waits.find((one) => one.platform === platform)?.value ?? 0) / 60);
    return {
      key: platform,
      cells: [
        <span key="name" className="flex items-center gap-2">
          <NetworkBadge platform={platform} className="size-5" />
          {name}
        </span>,
        until ? (
          <span key="state" className="flex items-center gap-1.5 font-medium text-wrong">
            <XCircle aria-hidden className="size-4 shrink-0" />
            {staffWords.notAnswering(utcToSecond(until))}
          </span>
        ) : (
          <span key="state" className="flex items-center gap-1.5 text-accent">
            <CheckCircle2 aria-hidden className="size-4 shrink-0" />
            {staffWords.working}
          </span>
        ),
        minutes > 0 ? staffWords.minutes(minutes) : staffWords.noWait,
        version.name,
        version.endsOn ? dayInUtc(version.endsOn) : staffWords.noEnd,
      ],
    };
  });
  return (
    <section aria-labelledby="networks" className="grid gap-3">
      <h2 id="networks" className="font-semibold text-lg">
        {staffWords.networks}
      </h2>
      <Table caption={staffWords.networks} head={staffWords.networksHead} rows={rows} empty="" />
      <p className="text-muted text-sm">{staffWords.versionsHow(dayInUtc(VERSIONS_AS_OF))}</p>
    </section>
  );
}
