import type { Schemas } from "../../sdk/src";
import { platformOf } from "./accounts";
import { type Command, Failure, plain, spoken, table, UsageError } from "./command";
import { contentOf } from "./post";

const DEFAULT_LIMIT = 20;

export const listCommand: Command = {
  about: "Lists posts, the newest first",
  options: {
    status: { type: "string", value: "STATUS", about: "only these, such as SCHEDULED, DRAFT or FAILED" },
    network: { type: "string", value: "NETWORK", about: "only posts on this network, such as x" },
    text: { type: "string", value: "WORDS", about: "only posts with these words" },
    limit: { type: "string", value: "N", about: `how many at most (default: ${DEFAULT_LIMIT})` },
  },
  async run({ get, client, print, signal }) {
    const network = get("network");
    const limit = get("limit") ?? String(DEFAULT_LIMIT);
    if (!/^[1-9]\d{0,5}$/.test(limit)) throw new UsageError(`--limit must be a number from 1 to 999999, not ${limit}`);
    const query = {
      ...{ status: get("status")?.toUpperCase(), text: get("text") },
      platform: network === undefined ? undefined : platformOf(network),
      limit: Math.min(Number(limit), 100),
    };
    const posts: Schemas["Schedule"][] = [];
    for await (const post of (await client()).list("/v1/posts", { query, signal })) {
      posts.push(post);
      if (posts.length === Number(limit)) break;
    }
    const rows = posts.map(({ id, overallStatus, scheduledTime, publications }) => [
      ...[String(id), overallStatus, scheduledTime ?? "-"],
      plain(publications[0]?.posts[0]?.content ?? "").slice(0, 60),
    ]);
    print(posts, rows.length > 0 ? table(rows) : ["No posts."]);
  },
};

export const importCommand: Command = {
  about: "Creates one post for each row of a CSV file (/docs/csv describes its columns)",
  words: "FILE",
  maxWords: 1,
  options: {
    "dry-run": { type: "boolean", about: "says what would happen, and creates nothing" },
    "skip-invalid": {
      type: "boolean",
      about: "creates the valid rows even if others are wrong (default: all or none)",
    },
  },
  async run({ words: [file], flag, client, print, signal }) {
    if (file === undefined) throw new UsageError("The file is missing. Name a CSV file, or - for standard input");
    const carillon = await client();
    const body = await contentOf(file);
    const asked = (isOn: boolean) => (isOn ? ("true" as const) : undefined);
    const query = (isDry: boolean) => ({ dryRun: asked(isDry), skipInvalid: asked(flag("skip-invalid")) });
    // The answer to a file with mistakes has sentences only. A dry run has the row and the column of each.
    const dry = await carillon.post("/v1/posts/import", { body, query: query(true), signal });
    const isRefused = dry.counts.invalid > 0 && !(flag("skip-invalid") && !flag("dry-run"));
    if (isRefused) throw new Failure(problemsOf(dry).join("\n"), dry);
    if (flag("dry-run")) return print(dry, [`${counted(dry.counts.ready)} can be created.`]);
    // Without a key, the server compares each row with those of earlier imports. With one, a corrected file would repeat the rest.
    const call = { body, query: query(false), idempotencyKey: null, signal };
    const report = await carillon.post("/v1/posts/import", call);
    const { created, existing } = report.counts;
    const before = existing > 0 ? ` ${counted(existing)} had been created before.` : "";
    print(report, [...problemsOf(report), `${counted(created)} created.${before}`]);
  },
};

const counted = (count: number) => `${count} ${count === 1 ? "post" : "posts"}`;

function problemsOf({ rows }: Schemas["ImportReport"]): string[] {
  return rows.flatMap(({ row, problems }) =>
    problems.map(({ column, message, fix }) =>
      plain(`Row ${row}${column ? `, ${column}` : ""}: ${message}${fix ? `. ${spoken(fix)}` : ""}`),
    ),
  );
}
