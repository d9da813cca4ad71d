import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { readMigrationFiles } from "drizzle-orm/migrator";

/** One file of `lib/db/migrations`. CONTRIBUTING.md explains the two marks, which are lines of their own in the file. */
export type Migration = {
  /** `0001_name` */
  name: string;
  /** When the file was generated, in milliseconds since 1970. Identifies the migration in the database. */
  when: number;
  hash: string;
  statements: string[];
  /** Marked `-- carillon: contract`: a release that does not know this migration cannot use the database any more. */
  isContract: boolean;
  /** Marked `-- carillon: outside a transaction`: its statements run one by one, and again from the first after a failure. */
  isOutsideTransaction: boolean;
};

const FOLDER = resolve("lib/db/migrations");

/** Every migration of this release, oldest first. */
export function readMigrations(folder = FOLDER): Migration[] {
  const { entries } = JSON.parse(readFileSync(`${folder}/meta/_journal.json`, "utf8")) as {
    entries: { tag: string }[];
  };
  return readMigrationFiles({ migrationsFolder: folder }).map(
    ({ sql: statements, folderMillis: when, hash }, index) => ({
      ...{ name: entries[index]?.tag ?? "", when, hash, statements },
      isContract: hasMark(statements, "contract"),
      isOutsideTransaction: hasMark(statements, "outside a transaction"),
    }),
  );
}

function hasMark(statements: string[], mark: string): boolean {
  return statements.some((statement) => statement.split("\n").includes(`-- carillon: ${mark}`));
}
