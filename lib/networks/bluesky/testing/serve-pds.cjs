// Runs Bluesky's reference server and its directory for the tests. Prints their addresses and ends with its parent process.
const { randomBytes } = require("node:crypto");
const { mkdtempSync, rmSync } = require("node:fs");
const { createServer } = require("node:http");
const { createRequire } = require("node:module");
const { tmpdir } = require("node:os");
const { join } = require("node:path");

const [folder, server] = process.argv.slice(2);
const load = createRequire(join(folder, "package.json"));

/**
 * `bin/pds.mjs` installs libsql in place of better-sqlite3, because its package contains the binary. It returns stored bytes as an
 * ArrayBuffer, but the server expects the Buffer that better-sqlite3 returns.
 */
function returnBuffers(Database) {
  const { prepare } = Database.prototype;
  const buffers = (row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [name, value instanceof ArrayBuffer ? Buffer.from(value) : value]),
    );
  Database.prototype.prepare = function (...args) {
    const statement = prepare.apply(this, args);
    const all = statement.all.bind(statement);
    statement.all = (...values) => all(...values).map(buffers);
    return statement;
  };
}

async function main() {
  returnBuffers(load("better-sqlite3"));
  const { PlcServer, Database } = load("@did-plc/server");
  const { PDS, envToCfg, envToSecrets } = load(server);
  const directory = mkdtempSync(join(tmpdir(), "carillon-pds-"));
  const [plcPort, port] = [await freePort(), await freePort()];
  const plc = PlcServer.create({ db: Database.mock(), port: plcPort });
  await plc.start();
  const env = {
    devMode: true,
    port,
    hostname: "localhost",
    dataDirectory: directory,
    blobstoreDiskLocation: join(directory, "blobs"),
    didPlcUrl: `http://localhost:${plcPort}`,
    serviceHandleDomains: [".test"],
    inviteRequired: false,
    disableSsrfProtection: true,
    adminPassword: randomBytes(16).toString("hex"),
    jwtSecret: randomBytes(16).toString("hex"),
    plcRotationKeyK256PrivateKeyHex: randomBytes(32).toString("hex"),
  };
  const pds = await PDS.create(envToCfg(env), envToSecrets(env));
  await pds.start();
  process.once("disconnect", async () => {
    await pds.destroy();
    await plc.destroy();
    rmSync(directory, { recursive: true, force: true });
    process.exit(0);
  });
  process.send({ pds: `http://localhost:${port}`, plc: `http://localhost:${plcPort}` });
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

main().catch((error) => {
  process.stderr.write(`${error.stack}\n`);
  process.exit(1);
});
