/** So many problems are answered where nothing was created; a dry run has all of those in rows. */
const MOST_SAID = 50;

/** The first of many problems, and how many there are besides. @param where they are all told */
export function shortened(problems: string[], where = ""): string[] {
  const more = problems.length - MOST_SAID;
  return more > 0 ? [...problems.slice(0, MOST_SAID), `and ${more} more${where}`] : problems;
}
