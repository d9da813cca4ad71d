import { sql } from "drizzle-orm";
import type { Tx } from "../../db";
import { statement, value } from "../../db/statement";
import type { Examined } from "../check/check-input";
import type { FreshIds } from "../check/facts";

type Counts = { schedules: number; publications: number; posts: number };
type Fresh = { [K in keyof Counts]: number[] | null };

const taking = (sequence: string, count: string) =>
  sql`(select json_agg(nextval(${sql.raw(`'${sequence}'`)})) from generate_series(1, ${value(count, "int")}))`;

const take = statement<Counts, { ids: Fresh }>(
  "schedules.ids",
  sql`select json_build_object(
    'schedules', ${taking("schedules_id_seq", "schedules")},
    'publications', ${taking("publications_id_seq", "publications")},
    'posts', ${taking("posts_id_seq", "posts")}) as ids`,
);

/** Ids that nothing has yet, for each of these in turn. */
export async function freshIds(tx: Tx, all: Pick<Examined, "publishable">[]): Promise<FreshIds[]> {
  const publications = all.flatMap(({ publishable }) => publishable);
  const posts = publications.flatMap((publication) => publication.posts);
  const [row] = await take(tx, { schedules: all.length, publications: publications.length, posts: posts.length });
  const next = {
    schedules: row?.ids.schedules ?? [],
    publications: row?.ids.publications ?? [],
    posts: row?.ids.posts ?? [],
  };
  return all.map(({ publishable }) => ({
    schedule: next.schedules.shift() ?? null,
    publications: next.publications.splice(0, publishable.length),
    posts: next.posts.splice(
      0,
      publishable.reduce((sum, one) => sum + one.posts.length, 0),
    ),
  }));
}
