/**
 * The numbers of the PostgreSQL advisory locks that this service takes. Two different locks must never have the same number,
 * so every number is listed here.
 */

/** Session lock of the process that runs the rescue of stuck publications. */
export const RESCUE_LOCK = 9_000;

/** Transaction lock of the process that is claiming due publications: caps per network hold over all processes. */
export const PICK_LOCK = 9_100;
