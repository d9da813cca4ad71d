import { databasePool } from "../lib/db";
import { readInstallation } from "../lib/db/installation";
import { compareSchema, type SchemaDifference } from "../lib/db/migrate";
import { readServerFacts, type ServerFacts } from "../lib/db/server-facts";
import { env } from "../lib/env";
import { configurationProblems } from "../lib/installation";
import { type ListedWorker, listWorkers } from "../lib/jobs";
import { networkOf } from "../lib/networks";
import type { Platform } from "../lib/platforms";
import {
  type ClosedNetwork,
  listClosedNetworks,
  listOverdue,
  listOverdueComments,
  type Overdue,
  type PublishingState,
  publishingState,
} from "../lib/schedules";
import { freeDiskBytes, store, storeProblem } from "../lib/storage";
import { version } from "../lib/version";
import { bySeverity, checkSetup, type DoctorProblem } from "./doctor";
import { checkNetwork } from "./doctor-network";

// `doctor` checks the configuration of this machine. `doctor --live` also checks the running service: the database, the store,
// and what the workers do.

/** Publications that are overdue for longer than this are a failure, and before that a warning. */
const LATE_SECONDS = 300;
/** The oldest PostgreSQL that Carillon supports. */
const OLDEST_POSTGRES = 14;
/** Leases and due times use the database's clock, signed addresses and tokens that of the machine. */
const CLOCK_WARNING_SECONDS = 2;
const CLOCK_FAILURE_SECONDS = 30;
/** Two hours more than a day, so that a daily backup that takes longer than usual is not reported. */
const BACKUP_HOURS = 26;

/**
 * Checks the configuration and the running service.
 * @param platform also calls this network, with the service's credentials and with a connected account
 * @param accountId this account instead of the newest one
 */
export async function checkLive(platform?: Platform, accountId?: number) {
  const setup = await checkSetup();
  const [publishing, workers, overdue, closedNetworks, schema, database, storeFault, freeBytes, different] =
    await Promise.all([
      publishingState(),
      listWorkers(),
      listOverdue(),
      listClosedNetworks(),
      compareSchema(databasePool()),
      readServerFacts(),
      storeProblem(store),
      freeDiskBytes(),
      configurationProblems(),
    ]);
  const overdueComments = await listOverdueComments();
  const { lastBackupAt } = await readInstallation();
  const lastBackupTime = lastBackupAt ? new Date(lastBackupAt).toISOString() : null;
  const network = platform && (await checkNetwork(networkOf(platform), accountId));
  const problems = [
    ...setup.problems,
    ...workerProblems(workers),
    ...publishingProblems(publishing, { publications: overdue, comments: overdueComments }, closedNetworks),
    ...different.map(configurationProblem),
    ...migrationProblems(schema),
    ...databaseProblems(database),
    ...storeProblems(storeFault, freeBytes),
    ...backupProblems(lastBackupTime, new Date()),
    ...(network?.problems ?? []),
  ];
  return {
    ...setup,
    version: version(),
    workers,
    publishing: { ...publishing, overdue, overdueComments, closedNetworks },
    schema,
    database: { location: setup.database, ...database },
    store: { location: setup.objects, isWorking: storeFault === undefined, freeBytes },
    lastBackupTime,
    ...(network ? { network: network.report } : {}),
    problems: problems.toSorted(bySeverity),
  };
}

/** A missing worker, workers that no longer answer, and workers of another build. */
export function workerProblems(workers: ListedWorker[], own = version()): DoctorProblem[] {
  const alive = workers.filter(({ isAlive }) => isAlive);
  const noWorker: DoctorProblem = {
    severity: "failure",
    problem: "No worker is running: nothing is published, imported or delivered",
    fix: "Start one with npm run worker, or set WORKER=on for a web process",
  };
  const silent = workers
    .filter(({ isAlive }) => !isAlive)
    .map(({ id, silentSeconds }): DoctorProblem => {
      const problem = `Worker ${id} has not answered for ${Math.round(silentSeconds)} s`;
      return { severity: "warning", problem, fix: "Look at its process: it is stopped, overloaded or cut off" };
    });
  const others = alive
    .filter((worker) => worker.version !== own)
    .map(({ id, version = "an earlier release" }): DoctorProblem => {
      const problem = `Worker ${id} runs ${version}, and this machine has ${own}`;
      return { severity: "warning", problem, fix: "Finish the upgrade: restart the processes of the older release" };
    });
  return [...(alive.length === 0 ? [noWorker] : []), ...silent, ...others];
}

/** Overdue publications and first comments, unless publishing is paused or held as a whole. */
export function publishingProblems(
  { paused, since, reason, held, waiting }: PublishingState,
  overdue: { publications: Overdue[]; comments: Overdue[] },
  closed: ClosedNetwork[],
): DoctorProblem[] {
  const closures = closed.map(({ platform, untilTime }): DoctorProblem => {
    const problem = `${networkOf(platform).name} failed too often and gets no publications until ${untilTime}`;
    return { severity: "warning", problem, fix: `Run doctor --live ${platform} to see why its calls fail` };
  });
  if (paused) {
    const problem = `Publishing is paused since ${since}${reason ? ` (${reason})` : ""}; ${waiting} due publications wait`;
    return [{ severity: "warning", problem, fix: "Run publishing resume when the reason is gone" }, ...closures];
  }
  if (held) return closures; // the setup's problems say so
  const publicationFix = "Check that enough workers run, and read their logs";
  const commentFix =
    "Check that enough workers of this release run, and read their logs. Earlier releases send no comments, and a comment fails 24 hours after its post's time";
  return [
    ...overdue.publications.map((late) => overdueProblem(late, "publication", publicationFix)),
    ...overdue.comments.map((late) => overdueProblem(late, "first comment", commentFix)),
    ...closures,
  ];
}

function overdueProblem({ platform, count, oldestSeconds }: Overdue, what: string, fix: string): DoctorProblem {
  const severity = oldestSeconds > LATE_SECONDS ? "failure" : "warning";
  const who = `${count} ${what}${count === 1 ? "" : "s"} on ${networkOf(platform).name}`;
  const problem = `${who} ${count === 1 ? "is" : "are"} overdue, the oldest by ${oldestSeconds} s`;
  return { severity, problem, fix };
}

function configurationProblem(problem: string): DoctorProblem {
  return {
    severity: "failure",
    problem,
    fix: "Use the settings of the other machines: a process does not start with these",
  };
}

/** Migrations that this release or the database lacks. */
export function migrationProblems({ pending, unknown }: SchemaDifference): DoctorProblem[] {
  const problems: DoctorProblem[] = [];
  if (pending.length > 0) {
    const problem = `The database lacks the migrations ${pending.join(", ")}`;
    problems.push({ severity: "failure", problem, fix: "Run npm run carillon -- migrate" });
  }
  if (unknown > 0) {
    const problem = `The database has ${unknown} migrations of a newer release`;
    problems.push({ severity: "warning", problem, fix: "Finish the upgrade of this machine" });
  }
  return problems;
}

/** Settings of PostgreSQL with which a commit can be lost, a clock that differs, and too few connections. */
export function databaseProblems({
  versionNumber,
  settings,
  clockAheadSeconds,
  connections,
}: ServerFacts): DoctorProblem[] {
  const failure = (problem: string, fix: string): DoctorProblem => ({ severity: "failure", problem, fix });
  const problems: DoctorProblem[] = [];
  const major = Math.floor(versionNumber / 10_000);
  if (major < OLDEST_POSTGRES) {
    problems.push(
      failure(`PostgreSQL ${major} is too old`, `Upgrade the database to version ${OLDEST_POSTGRES} or later`),
    );
  }
  if (settings.synchronous_commit === "off") {
    const problem =
      "PostgreSQL runs with synchronous_commit=off: after a crash, posts that were published may be due again";
    problems.push(failure(problem, "Run ALTER ROLE … SET synchronous_commit = on for the role in DATABASE_URL"));
  }
  if (settings.TimeZone !== "UTC") {
    const problem = `Sessions of the database use the time zone ${settings.TimeZone} instead of UTC`;
    problems.push(failure(problem, "Let the connection pooler pass on the startup parameter TimeZone"));
  }
  if (settings.transaction_read_only === "on") {
    problems.push(failure("The database is read-only", "Point DATABASE_URL to the primary server"));
  }
  const clock = Math.abs(clockAheadSeconds);
  if (clock > CLOCK_WARNING_SECONDS) {
    const problem = `The clocks of this machine and of the database differ by ${clock} s`;
    const severity = clock > CLOCK_FAILURE_SECONDS ? "failure" : "warning";
    problems.push({ severity, problem, fix: "Synchronize both machines with a time server (NTP)" });
  }
  return [...problems, ...connectionProblems(connections)];
}

function connectionProblems({ max, open, processes, poolSize, peak }: ServerFacts["connections"]): DoctorProblem[] {
  const fix = "Raise max_connections, or run fewer processes";
  if (open >= max) return [{ severity: "failure", problem: `All ${max} connections of the database are in use`, fix }];
  if (peak <= max) return [];
  const problem = `${processes.length} processes with up to ${poolSize} pooled connections each may need ${peak} connections, and the database allows ${max}`;
  return [{ severity: "warning", problem, fix }];
}

function storeProblems(fault: string | undefined, freeBytes: number): DoctorProblem[] {
  const problems: DoctorProblem[] = [];
  if (fault) {
    const fix = env.s3
      ? "Check the S3_* settings, the bucket and its permissions"
      : "Check DATA_DIR, its permissions and its disk";
    problems.push({ severity: "failure", problem: `The store cannot be used from here: ${fault}`, fix });
  }
  if (freeBytes < env.reservedDiskBytes) {
    const problem = `The disk of DATA_DIR has ${Math.floor(freeBytes / 1_048_576)} MB left, less than RESERVED_DISK_BYTES: uploads are refused`;
    problems.push({ severity: "failure", problem, fix: "Free some space, or move DATA_DIR to a larger disk" });
  }
  return problems;
}

/**
 * A backup that is missing or old. None at all is a warning, because the database may be backed up by its provider. An old one
 * means that the daily backup has stopped: a failure, or a warning while all addresses are on this machine, as in development.
 */
export function backupProblems(lastBackupTime: string | null, now: Date, isLocal = env.isLocal): DoctorProblem[] {
  if (!lastBackupTime) {
    const fix = "Run backup create every day, unless the database and the files are backed up in another way";
    return [{ severity: "warning", problem: "No backup was made with backup create", fix }];
  }
  const hours = (now.getTime() - Date.parse(lastBackupTime)) / 3_600_000;
  if (hours <= BACKUP_HOURS) return [];
  const problem = `The last backup is ${Math.floor(hours)} hours old`;
  return [{ severity: isLocal ? "warning" : "failure", problem, fix: "Run backup create every day" }];
}
