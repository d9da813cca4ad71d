/**
 * Every advisory lock of Carillon. PostgreSQL identifies a lock by one bigint, by two integers or by a hash of a text, so
 * each number may be used for one purpose only. A loop's lock makes sure that one process at a time runs the loop.
 */

/** Shared by every web and worker process while it runs. Whoever gets it alone knows that no other process runs. */
export const RUNNING_PROCESS_LOCK = 7_203_115;

/** Held while one process migrates the database; the others wait. */
export const MIGRATION_LOCK = 7_203_114;

/** First integer of a lock by which a process finds out that two URLs lead to one database; the second is random. */
export const SAME_DATABASE_LOCK_CLASS = 9_104;

/** One process at a time creates partitions. */
export const DAY_PARTITIONS_LOCK = 9_103;

/** First integer of the lock that each worker holds while it lives; the second is `workers.lock_key`. */
export const WORKER_LOCK_CLASS = 4_711;

/** Embedded cluster: every process that uses the cluster holds this lock in shared mode (two integers). */
export const CLUSTER_USE_LOCK = "1128352076, 1";
/** Embedded cluster: held by the one service of a DATA_DIR (two integers). */
export const CLUSTER_SERVICE_LOCK = "1128352076, 2";

/**
 * First integer of the lock under which one process at a time picks due publications of a network, so that the network's
 * limits hold over all processes; the second is a hash of the network's name.
 */
export const PUBLICATION_PICK_LOCK_CLASS = 9_100;
/** One process at a time moves the next events of a restored database. */
export const EVENT_MOVE_LOCK = 9_102;
/** One call at a time is counted against a network's daily quota. */
export const QUOTA_COUNT_LOCK = 9_101;
/** One process at a time picks due webhook deliveries, so that an endpoint's limit holds over all processes. */
export const DELIVERY_PICK_LOCK = 9_850;
/** One process at a time claims a media import, so that an owner's running imports are counted correctly. */
export const IMPORT_CLAIM_LOCK = 9_011;

/** The loop that rescues publications without a due time. */
export const RESCUE_LOOP_LOCK = 9_000;
/** The loop that reads the first bot's updates. Each further bot uses the next number, up to 9,009. */
export const FIRST_BOT_LOOP_LOCK = 9_001;
/** The loop that removes unused uploads and files. */
export const MEDIA_CLEAN_UP_LOOP_LOCK = 9_010;
/** The loop that reads feeds. */
export const FEED_LOOP_LOCK = 9_012;
/** The loop that removes old mails. */
export const OLD_MAIL_LOOP_LOCK = 9_460;
/** The loop that queues daily digests. */
export const DIGEST_LOOP_LOCK = 9_461;
/** The loop that deletes expired rows. */
export const PURGE_LOOP_LOCK = 9_500;
/** The loop that deletes old schedules and attempts. */
export const RETENTION_LOOP_LOCK = 9_501;
/** The loop of the first reader of the event log. Each further reader uses the next number, up to 9,849. */
export const FIRST_EVENT_READER_LOOP_LOCK = 9_801;

// Locks per owner or address: the text is hashed with `hashtextextended`. Each text begins with its purpose, so texts never collide.

/** One CSV import per owner at a time. */
export const csvImportLockText = (ownerId: string) => `posts.import ${ownerId}`;
/** One change at a time to what counts against an owner's media quota. */
export const mediaQuotaLockText = (ownerId: string) => `media.quota ${ownerId}`;
/** One change at a time to the publications that an owner plans for a day, while the day's limit is near. */
export const publicationQuotaLockText = (ownerId: string) => `publications.quota ${ownerId}`;
/** One change to an owner's account groups at a time, so that their names differ and the limit on their number holds. */
export const accountGroupsLockText = (ownerId: string) => `account.groups ${ownerId}`;
/** One new feed per owner at a time, so that the limit on their number holds. */
export const feedsLockText = (ownerId: string) => `feeds ${ownerId}`;
/** One change to an owner's webhooks at a time, so that the limit on their number holds. */
export const webhooksLockText = (subscriberId: string) => `webhooks ${subscriberId}`;
/** One new personal token or application per person at a time, so that the limits on their numbers hold. */
export const credentialsLockText = (ownerId: string) => `credentials ${ownerId}`;
/** One sign-up with an address at a time, so that its users have one salt. @param address in lower case */
export const addressLockText = (address: string) => `users.address ${address}`;
// The lock of an Idempotency-Key is built in SQL from owner, route and key: see `hasTurn` in idempotency.ts.
