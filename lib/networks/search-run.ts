import { dryRun } from "./dry-run";
import { PlatformError, ReadBackImpossible } from "./errors";
import type { Network, NetworkSession, Published, Recovery, Run, Searched } from "./network";
import { unlimitedQuota } from "./quota";

/** What a search needs to know about the post: how it is looked up, and the steps that are known to be done. */
export type SearchRun = {
  /** The account's session. Only its GET requests are sent. */
  session: NetworkSession;
  /** Returns the stored result of a step that was done before. */
  stepDone(name: string): { result: unknown } | undefined;
  /**
   * Decides, at the call that makes the post public, whether the network shows the post.
   * @param search lists what looks the same; it throws ReadBackImpossible if the network cannot be searched
   */
  decide(recovery: Recovery<unknown> | undefined, search: Search): Promise<Published | undefined>;
};
type Search = (from: Date) => Promise<Searched>;

/** Ends the adapter's publish function at its final call. */
class Decided extends Error {
  constructor(readonly found: Published | undefined) {
    super("the search is over");
  }
}

/** A step before the final call could not be answered as in a dry run. */
class NotPrepared extends ReadBackImpossible {
  constructor({ name }: Network, reason = "") {
    super(`${name} cannot be searched for this post${reason}`);
  }
}

/**
 * Searches the network for a post that may have been sent, although everything that was stored about sending it is lost. Runs
 * the adapter's publish function up to its final call: unknown steps are answered as in a dry run, and nothing is sent. A dry run
 * may have no answer to a step that follows a known one, for example about a container that exists. Then all are answered so.
 * @param publish the adapter's publish function
 * @returns the post, or undefined if the network certainly does not have it
 * @throws ReadBackImpossible if the network can never tell; PlatformError if it cannot be read now
 */
export async function searchPost(
  network: Network,
  publish: (run: Run) => Promise<unknown>,
  search: SearchRun,
): Promise<Published | undefined> {
  try {
    return await searchWith(network, publish, search);
  } catch (error) {
    if (!(error instanceof NotPrepared)) throw error;
    return searchWith(network, publish, { ...search, stepDone: () => undefined });
  }
}

async function searchWith(
  network: Network,
  publish: (run: Run) => Promise<unknown>,
  { session, stepDone, decide }: SearchRun,
): Promise<Published | undefined> {
  const { accountId, username, tokens } = session;
  const dry = dryRun(network, { accountId, username }, tokens).run;
  let isPreparing = false;
  let failure: { error: unknown } | undefined;
  const reading =
    (real: NetworkSession["fetch"], pretended: NetworkSession["fetch"]): NetworkSession["fetch"] =>
    async (path, call) => {
      if (isPreparing) return pretended(path, call);
      if (call?.method === undefined || call.method === "GET") return real(path, call);
      throw new ReadBackImpossible(`${network.name} cannot be read without sending something`);
    };
  const prepare = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const done = stepDone(name);
    if (done) return done.result as T; // the same step stored it
    isPreparing = true;
    return work().finally(() => {
      isPreparing = false;
    });
  };
  const run: Run = {
    ...session,
    app: { ...session.app, fetch: reading(session.app.fetch, dry.app.fetch), fetchWebFile: async () => undefined },
    fetch: reading(session.fetch, dry.fetch),
    quota: unlimitedQuota,
    step: prepare,
    isDone: (name) => stepDone(name) !== undefined,
    async commit<T>(_name: string, _work: unknown, recovery?: Recovery<T>): Promise<T> {
      const search = recovery?.lookalikes?.search;
      const impossible = new ReadBackImpossible(`${network.name} cannot be searched for this post`);
      const deciding = decide(recovery, search ?? (() => Promise.reject(impossible)));
      throw new Decided(
        await deciding.catch((error) => {
          failure = { error };
          throw error;
        }),
      );
    },
    async poll(name, check) {
      const value = await prepare(name, check);
      if (value === undefined) throw new NotPrepared(network);
      return value;
    },
  };
  try {
    await publish(run);
  } catch (error) {
    if (failure) throw failure.error; // adapters may react to an error of their final call with other calls
    if (error instanceof Decided) return error.found;
    if (error instanceof PlatformError) throw error;
    throw new NotPrepared(network, `: ${String(error)}`);
  }
  throw new NotPrepared(network);
}
