import { sql } from "drizzle-orm";
import { posts, publications, schedules, type Tx } from "../../db";
import { rowAsJson, rowFromJson } from "../../db/row-json";
import { statement, value } from "../../db/statement";
import type { Schedule } from "../read";

type Row = { [column: string]: unknown };
type Tree = { schedule: Row; publications: { row: Row; posts: Row[] | null }[] | null };

const read = statement<{ ids: number[] }, Tree>(
  "schedules.trees",
  sql`
  select ${rowAsJson(schedules, "s")} as schedule,
    (select json_agg(json_build_object('row', ${rowAsJson(publications, "p")}, 'posts',
        (select json_agg(${rowAsJson(posts, "q")} order by q.position) from posts q where q.publication_id = p.id))
      order by p.position) from publications p where p.schedule_id = s.id) as publications
  from schedules s where s.id = any(${value("ids", "bigint[]")}) order by s.id`,
);

/** Schedules that wait for no media, with all their parts: one question for many, as the publishing engine asks. */
export async function schedulesUnderWay(tx: Tx, ids: number[]): Promise<Schedule[]> {
  const trees = await read(tx, { ids });
  return trees.map((tree) => ({
    ...rowFromJson(schedules, tree.schedule),
    pendingImports: [],
    publications: (tree.publications ?? []).map((part) => ({
      ...rowFromJson(publications, part.row),
      posts: (part.posts ?? []).map((post) => rowFromJson(posts, post)),
    })),
  }));
}
