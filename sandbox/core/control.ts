import { isIP } from "node:net";
import { type Context, Hono } from "hono";
import * as z from "zod";
import { isLoopback, parseUrl } from "./consent";
import { NewFault } from "./faults";
import type { Env, SandboxNetwork } from "./network";
import type { World } from "./world";

const Advance = z.strictObject({
  advanceSeconds: z
    .number()
    .min(0)
    .max(10 * 365 * 86_400),
});

/**
 * `/_control`: lets tests and operators read posts and calls, set faults and move the clock.
 * It answers only on loopback unless it is shared, and never a web page of another origin.
 */
export function controlRoutes(world: World, networks: Map<string, SandboxNetwork>, isShared: boolean): Hono<Env> {
  const app = new Hono<Env>();

  app.use(async (c, next) => {
    if (!(isShared ? isFromProgram(c) : isFromHere(c)))
      return c.json({ error: "The control API is available only on this computer." }, 403);
    const network = c.req.query("network");
    if (network !== undefined && !networks.has(network)) return unknownNetwork(c, network);
    await next();
  });

  app.get("/people", (c) => {
    const network = c.req.query("network");
    return network === undefined ? c.json({ error: "network: Required" }, 400) : c.json(world.users.list(network));
  });
  app.get("/posts", (c) => c.json(world.posts.list(c.req.query("network")).filter(isOf(c.req.query("account")))));
  app.get("/calls", (c) => c.json(world.calls.list(c.req.query("network")).filter(isOf(c.req.query("account")))));
  app.get("/faults", (c) => c.json(world.faults.list()));

  app.post("/faults", async (c) => {
    const body = NewFault.safeParse(await jsonBody(c));
    if (!body.success) return invalid(c, body.error);
    if (!networks.has(body.data.network)) return unknownNetwork(c, body.data.network);
    world.faults.add(body.data);
    return c.body(null, 204);
  });
  app.delete("/faults", (c) => {
    world.faults.clear();
    return c.body(null, 204);
  });

  app.post("/clock", async (c) => {
    const body = Advance.safeParse(await jsonBody(c));
    if (!body.success) return invalid(c, body.error);
    world.clock.advance(body.data.advanceSeconds);
    return c.json({ now: new Date(world.clock.now()).toISOString() });
  });

  app.post("/reset", (c) => {
    world.transaction(() => {
      for (const network of networks.values()) network.reset();
      world.posts.clear();
      world.faults.clear();
    });
    world.calls.clear();
    return c.body(null, 204);
  });

  app.post("/:network/:action", async (c) => {
    const network = networks.get(c.req.param("network"));
    if (!network) return unknownNetwork(c, c.req.param("network"));
    const action = network.control?.[c.req.param("action")];
    return action ? action(await jsonBody(c)) : c.json({ error: "Unknown control path." }, 404);
  });

  app.notFound((c) => c.json({ error: "Unknown control path." }, 404));
  return app;
}

/** Without an account, everything is listed. */
function isOf(account: string | undefined): (listed: { account?: string }) => boolean {
  return (listed) => account === undefined || listed.account === account;
}

/**
 * Refuses web pages: one of another origin sends its Origin, and one whose name was rebound to this address sends that name, which
 * has a dot. Programs in a container network use an address or a name without a dot.
 */
function isFromProgram(c: Context<Env>): boolean {
  const host = hostnameOf(`http://${c.req.header("host")}`);
  const origin = c.req.header("origin");
  const isRebindable = host.includes(".") && isIP(host) === 0;
  return host !== "" && !isRebindable && (origin === undefined || isLoopback(hostnameOf(origin)));
}

/** Requires a local peer, a local Host header (against DNS rebinding) and, from browsers, a local Origin. */
function isFromHere(c: Context<Env>): boolean {
  const peer = c.env.incoming.socket.remoteAddress?.replace("::ffff:", "") ?? "";
  const host = hostnameOf(`http://${c.req.header("host")}`);
  const origin = c.req.header("origin");
  return isLoopback(peer) && isLoopback(host) && (origin === undefined || isLoopback(hostnameOf(origin)));
}

function hostnameOf(address: string): string {
  return parseUrl(address)?.hostname ?? "";
}

async function jsonBody(c: Context<Env>): Promise<unknown> {
  return c.req.json().catch(() => undefined);
}

function invalid(c: Context<Env>, error: z.ZodError) {
  const problems = error.issues.map((issue) => `${issue.path.join(".") || "body"}: ${issue.message}`);
  return c.json({ error: problems.join("; ") }, 400);
}

function unknownNetwork(c: Context<Env>, network: string) {
  return c.json({ error: `Unknown network: ${network}` }, 404);
}
