import { execFile } from "node:child_process";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { root, surroundings } from "../e2e/setup/service";
import { freePort } from "../lib/db/embedded/run";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "carillon-settings-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs a script of Node with these settings until it ends. */
function run(args: string[], settings: { [name: string]: string } = {}): Promise<{ code: number; said: string }> {
  const options = { cwd: root, env: { ...surroundings, DATA_DIR: join(folder, "data"), ...settings } };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, args, options, (_, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, said: stdout + stderr }),
    );
  });
}

/** Runs `npm run carillon -- doctor`, which reads the settings and opens the database like every command. */
const doctor = (settings: { [name: string]: string }) => run(["bin/carillon.mjs", "doctor"], settings);

describe("a failed start prints the setting, the problem and an example, without a stack trace", () => {
  const wrong = (problem: string) => ({
    code: 1,
    said: `Carillon cannot start with these settings:\n  ✗ ${problem}\n`,
  });

  test("BASE_URL, AUTH_URL and APP_URL with a path", async () => {
    const address = "http://localhost:3000/app";
    const { said } = await doctor({ BASE_URL: address, AUTH_URL: `${address}/`, APP_URL: address });
    for (const name of ["BASE_URL", "AUTH_URL", "APP_URL"]) {
      expect(said).toMatch(
        new RegExp(`✗ ${name}: must not contain a path\\. Example: ${name}=https://\\w+\\.example\\.com\n`),
      );
    }
  });

  test("a DATA_DIR that is a file or below a file", async () => {
    const file = join(folder, "file");
    await writeFile(file, "");
    const example = "Example: DATA_DIR=/var/lib/carillon";
    const isFile = wrong(`DATA_DIR: "${file}" is a file, not a folder. ${example}`);
    expect(await doctor({ DATA_DIR: file })).toEqual(isFile);
    expect(await run(["bin/start.mjs", "--worker"], { DATA_DIR: file })).toEqual(isFile);
    const below = join(file, "data");
    expect(await doctor({ DATA_DIR: below })).toEqual(wrong(`DATA_DIR: "${below}" is below a file. ${example}`));
  });

  test("a DATA_DIR in which the system creates no folders", async () => {
    const path = "/proc/none/data";
    const why = "cannot be created: its file system takes no folders there";
    const problem = wrong(`DATA_DIR: "${path}" ${why}. Example: DATA_DIR=/var/lib/carillon`);
    expect(await doctor({ DATA_DIR: path })).toEqual(problem);
  });

  test.skipIf(process.getuid?.() === 0)("a DATA_DIR that is not writable", async () => {
    const closed = await mkdtemp(join(folder, "closed-"));
    await chmod(closed, 0o500);
    expect((await doctor({ DATA_DIR: closed })).said).toContain(`DATA_DIR: "${closed}" is not writable.`);
  });

  test("a DATABASE_URL where nothing listens; the password is not shown", async () => {
    const port = await freePort();
    const { code, said } = await doctor({ DATABASE_URL: `postgres://carillon:hidden-words@127.0.0.1:${port}/none` });
    expect(code).toBe(1);
    expect(said).toContain(`  ✗ DATABASE_URL: the database at 127.0.0.1:${port} cannot be used: connect ECONNREFUSED`);
    expect(said).toContain("Example: DATABASE_URL=postgres://");
    expect(said).not.toMatch(/hidden-words|\n +at /);
  });

  test.each(["192.0.2.1", "no-such-host.invalid"])("HOST=%s, which is no address of this machine", async (host) => {
    const listen = `import { createServer } from "node:http"; import { failWith } from "./bin/settings.mjs";
      createServer().on("error", failWith).listen(${await freePort()}, process.env.HOST);`;
    const says = `HOST: "${host}" is not an address of this machine. Example: HOST=0.0.0.0\n`;
    expect(await run(["--input-type=module", "-e", listen], { HOST: host })).toEqual({ code: 1, said: says });
  });

  test("a PORT that is in use", async () => {
    const server = createServer();
    const port = await freePort();
    await new Promise<void>((resolve) => server.listen(port, resolve));
    const listen = `import { createServer } from "node:http"; import { failWith } from "./bin/settings.mjs";
      createServer().on("error", failWith).listen(${port});`;
    const { code, said } = await run(["--input-type=module", "-e", listen]);
    server.close();
    const says = `PORT: port ${port} is in use. Stop the program that uses it, or set another port. Example: PORT=${port + 1}\n`;
    expect({ code, said }).toEqual({ code: 1, said: says });
  });
});
