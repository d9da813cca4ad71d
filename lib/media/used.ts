import { type SQL, sql } from "drizzle-orm";
import { posts } from "../db";

/** Whether a row of `posts` names this file, by its storage key, as an attachment or as its cover; found by its index. */
export function usesFile(key: string): SQL {
  const named = sql`${posts.attachmentPaths} <> '{}' or ${posts.thumbnailPath} is not null`;
  const hashed = sql`file_hashes(${posts.attachmentPaths}, ${posts.thumbnailPath}) @> array[hashtextextended(${key}, 0)]`;
  return sql`(${named}) and ${hashed} and (${posts.attachmentPaths} @> array[${key}]::text[] or ${posts.thumbnailPath} = ${key})`;
}
