import { allNetworks, versionListProblems, versionProblems } from "@/lib/networks";
import { Notice } from "../ui/notice";

/** Ends of networks' API versions that are near or over, as `carillon doctor` tells them; nothing while there is none. */
export function VersionNotices({ now = new Date() }: { now?: Date }) {
  const problems = [...allNetworks().flatMap((network) => versionProblems(network, now)), ...versionListProblems(now)];
  if (problems.length === 0) return null;
  return (
    <div className="grid gap-3">
      {problems.map(({ severity, problem, mend }) => (
        <Notice key={problem} tone={severity === "failure" ? "wrong" : "warn"}>
          <p className="font-semibold">{problem}</p>
          <p>{mend}.</p>
        </Notice>
      ))}
    </div>
  );
}
