import { lookingProxy, type SentRequest } from "./proxy";

/** Returns how a request violates an official description; empty if it conforms. */
export type Described = (sent: SentRequest) => string[] | Promise<string[]>;

/**
 * Holds every request that Carillon sends to a simulated network against an official description. `close` fails with all
 * that was found, and where no request came by at all.
 */
export async function describedProxy(target: string, network: string, described: Described) {
  const looked: Promise<string[]>[] = [];
  const proxy = await lookingProxy(target, (sent) => {
    const path = sent.path.replace(new RegExp(`^/${network}(?=/)`), "");
    looked.push(problemsOf({ ...sent, path }, described));
  });
  return {
    url: proxy.url,
    async close() {
      await proxy.close();
      const problems = new Set((await Promise.all(looked)).flat());
      if (looked.length === 0) throw new Error(`no request to ${network} was held against its description`);
      if (problems.size > 0) throw new Error(`not as ${network} describes it:\n${[...problems].join("\n")}`);
    },
  };
}

async function problemsOf(sent: SentRequest, described: Described): Promise<string[]> {
  return (await described(sent)).map((problem) => `${sent.method} ${sent.path}: ${problem}`);
}
