/** With these a cell is a formula to a spreadsheet (owasp.org/www-community/attacks/CSV_Injection), in wide letters too. */
const STARTS_FORMULA = "[=+\\-@\\t\\r\\n＝＋－＠]";
const COULD_BE_FORMULA = new RegExp(`^'*${STARTS_FORMULA}`);
const DEFUSED = new RegExp(`^'+${STARTS_FORMULA}`);

/** A value as a cell of a file: quoted (RFC 4180, 2.5 to 2.7), and behind an apostrophe where a spreadsheet would run it. */
export function cellOf(value: string): string {
  const shown = COULD_BE_FORMULA.test(value) ? `'${value}` : value;
  return `"${shown.replaceAll('"', '""')}"`;
}

/** What a cell says once its quotes are gone: the apostrophe before what would be a formula is not part of it. */
export function meantBy(cell: string): string {
  return DEFUSED.test(cell) ? cell.slice(1) : cell;
}
