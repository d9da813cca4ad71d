import { env, isLoopback } from "../lib/env";
import { allNetworks, isOffered, type Network } from "../lib/networks";
import { platforms } from "../lib/platforms";
import { browserPutProblem } from "../lib/storage";

type Problem = { problem: string; mend: string };

/** A network's version that ends this soon is said to be a problem. */
const SOON_DAYS = 90;

/** What is set up, which API versions are spoken until when, and what stands in the way of use with how to mend it. */
export async function examine(now = new Date()) {
  const networks = allNetworks();
  return {
    baseUrl: env.baseUrl,
    authUrl: env.authUrl,
    appUrl: env.appUrl,
    dataDir: env.dataDir,
    database: env.databaseUrl ? "DATABASE_URL" : "embedded in DATA_DIR",
    objects: env.s3 ? `the bucket ${env.s3.bucket} at ${env.s3.endpoint}` : "DATA_DIR",
    worker: env.worker ? "in the web process" : "in processes of its own (npm run worker)",
    secrets: env.secretsKey ? "SECRETS_KEY" : "generated in DATA_DIR",
    sandbox: env.sandbox ? env.sandbox.url : "off",
    networks: networks.map(({ platform, version }) => ({
      platform,
      mode: env.networks[platforms[platform]].mode,
      apiVersion: version.name,
      endOfLife: version.endsOn ?? "not announced",
    })),
    problems: [
      ...networks.flatMap((network) => problemsOf(network, now)),
      ...addressProblems(),
      ...(await storeProblems()),
    ],
  };
}

function problemsOf({ platform, name, version }: Network, now: Date): Problem[] {
  const prefix = platforms[platform].toUpperCase();
  const needed = prefix === "TELEGRAM" ? "TELEGRAM_BOT_TOKEN" : `${prefix}_CLIENT_ID and ${prefix}_CLIENT_SECRET`;
  const absent = { problem: `${name} is not offered: it has no credentials`, mend: `Set ${needed}` };
  const days = version.endsOn ? (Date.parse(version.endsOn) - now.getTime()) / 86_400_000 : Number.POSITIVE_INFINITY;
  const ending = {
    problem: `${name} ${days < 0 ? "ended" : "ends"} version ${version.name} of its API on ${version.endsOn}`,
    mend: "Update Carillon to a version that speaks a newer one",
  };
  return [...(isOffered(platform) ? [] : [absent]), ...(days < SOON_DAYS ? [ending] : [])];
}

/** Networks that fetch media themselves do so from `APP_URL`. */
function addressProblems(): Problem[] {
  const problem = `APP_URL is not public (${env.appUrl}): networks that fetch media themselves reach it in the sandbox only`;
  return isLoopback(env.appUrl)
    ? [{ problem, mend: "Set APP_URL to an https address that the internet can reach" }]
    : [];
}

/** Uploads from the dashboard go from the browser straight to the bucket. */
async function storeProblems(): Promise<Problem[]> {
  const problem = await browserPutProblem();
  const mend = `Give the bucket a CORS rule: PUT from ${env.appUrl} with content-type, x-amz-meta-size-bytes and x-amz-meta-filename`;
  return problem ? [{ problem: `Uploads from the dashboard fail: ${problem}`, mend }] : [];
}
