import { execFile, spawn } from "node:child_process";
import { appendFile, cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { aptInstall } from "./apt.mjs";
import { readArguments } from "./arguments.mjs";
import { root } from "./lock.mjs";

// Runs the commands of the Containerfile in a clean Debian root, because base images may be out of reach: builds, then starts the
// product as the image does (Node as process 1, user 1000, read-only root, no npm) and stops it. Needs root and `mmdebstrap`.

const NAME = "the image's scripts in a clean Debian root";
const DEBIAN = join(root, ".cache/debian-bookworm.tar");
/** Where the Debian root has the certificates that this machine trusts in addition. */
const CERTIFICATES = "/root/certificates.pem";
const run = promisify(execFile);

readArguments({ usage: "npm run check:image" });
const reason = await reasonToSkip();
if (reason) {
  console.log(`NOT RUN: ${NAME}: ${reason}`);
  process.exit(0);
}
const folder = await mkdtemp(join(tmpdir(), "carillon-image-"));
try {
  await step("unpacks Debian", () => run("tar", ["-xf", DEBIAN, "-C", folder]));
  await step("adds Node and the sources", prepare);
  await step("deploy/image/install.sh", () => inside("/src", "sh deploy/image/install.sh"));
  await step("deploy/image/build.sh", () => inside("/src", "sh deploy/image/build.sh /app"));
  await step("deploy/image/finish.sh, and removes what the image does not have", async () => {
    await inside("/app", "sh deploy/image/finish.sh");
    for (const path of ["src", "usr/local/lib/node_modules", "usr/local/bin/npm", "root/.npm", CERTIFICATES]) {
      await rm(join(folder, path), { recursive: true, force: true });
    }
  });
  await step("starts, answers and stops", startAndStop);
  console.log(`✓ ${NAME}`);
} finally {
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}

async function step(name, work) {
  const since = Date.now();
  await work();
  console.error(`✓ ${name} (${Math.round((Date.now() - since) / 1000)} s)`);
}

/** Returns why the check cannot run here, or undefined if it can. */
async function reasonToSkip() {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return "it needs Linux and root";
  const mounts = "mount -t tmpfs none /mnt";
  if (!(await works("unshare", ["--mount", "--pid", "--fork", "sh", "-c", mounts])))
    return "mounts are not allowed here";
  if (await works("test", ["-f", DEBIAN])) return undefined;
  if (!(await works("mmdebstrap", ["--version"]))) await aptInstall("mmdebstrap");
  if (!(await works("mmdebstrap", ["--version"]))) return "mmdebstrap cannot be installed";
  await mkdir(dirname(DEBIAN), { recursive: true });
  const args = ["--variant=minbase", "--include=libstdc++6", "--format=tar", "bookworm", `${DEBIAN}.new`];
  if (!(await works("mmdebstrap", args))) return "mmdebstrap cannot fetch Debian's packages";
  await rename(`${DEBIAN}.new`, DEBIAN);
}

function works(program, args) {
  return run(program, args, { maxBuffer: 64 * 1_048_576 }).then(
    () => true,
    () => false,
  );
}

/** Copies Node and npm to where the base image has them, and the files that `.dockerignore` lets into the build. */
async function prepare() {
  const npm = dirname(dirname(await real("npm")));
  await cp(process.execPath, join(folder, "usr/local/bin/node"));
  await cp(npm, join(folder, "usr/local/lib/node_modules/npm"), { recursive: true });
  const start = '#!/bin/sh\nexec node /usr/local/lib/node_modules/npm/bin/npm-cli.js "$@"\n';
  await writeFile(join(folder, "usr/local/bin/npm"), start, { mode: 0o755 });
  await appendFile(join(folder, "etc/passwd"), "node:x:1000:1000::/home/node:/bin/sh\n"); // as in the base image
  await cp("/etc/resolv.conf", join(folder, "etc/resolv.conf"));
  const { NODE_EXTRA_CA_CERTS: certificates } = process.env; // of a proxy between this machine and npm's registry
  if (certificates) await cp(certificates, join(folder, CERTIFICATES), { dereference: true });
  const ignore = await readFile(join(root, ".dockerignore"), "utf8");
  const allowed = ignore.split("\n").flatMap((line) => (line.startsWith("!") ? [line.slice(1)] : []));
  const args = ["ls-files", "--cached", "--others", "--exclude-standard", "--", ...allowed, ":!*.test.ts"];
  const { stdout } = await run("git", args, { cwd: root, maxBuffer: 64 * 1_048_576 });
  for (const path of stdout.split("\n").filter(Boolean)) await cp(join(root, path), join(folder, "src", path));
}

async function real(program) {
  return (await run("sh", ["-c", `readlink -f "$(command -v ${program})"`])).stdout.trim();
}

/** Runs a command of the build as root in a folder of the Debian root, with npm's registry of this machine. */
async function inside(cwd, command) {
  const { stdout: registry } = await run("npm", ["config", "get", "registry"]);
  const env = {
    PATH: process.env.PATH,
    HOME: "/root",
    npm_config_registry: registry.trim(),
    NODE_EXTRA_CA_CERTS: CERTIFICATES,
  };
  const mounts = `mount -t proc proc '${folder}/proc' && mount --rbind /dev '${folder}/dev'`;
  const script = `${mounts} && exec chroot '${folder}' sh -c 'cd ${cwd} && PATH=/usr/local/bin:/usr/bin:/bin ${command}'`;
  await run("unshare", ["--mount", "--pid", "--fork", "sh", "-c", script], { env, maxBuffer: 64 * 1_048_576 });
}

async function startAndStop() {
  const port = await freePort();
  const [, line = ""] = /^ENV (.*)$/m.exec(await readFile(join(root, "Containerfile"), "utf8")) ?? [];
  const env = [...line.split(" "), `PORT=${port}`, "PATH=/usr/local/bin:/usr/bin:/bin"].join(" ");
  const script = `
    set -e
    mount --bind '${folder}' '${folder}'
    mount -t proc proc '${folder}/proc'
    mount --rbind /dev '${folder}/dev'
    mount -t tmpfs none '${folder}/tmp'
    mount -t tmpfs -o uid=1000,gid=1000,mode=700 none '${folder}/data'
    mount -o remount,ro,bind '${folder}'
    exec chroot --userspec=1000:1000 '${folder}' env -i ${env} sh -c 'cd /app && exec node bin/start.mjs'`;
  const child = spawn("unshare", ["--mount", "--pid", "--fork", "--kill-child", "sh", "-c", script]);
  let output = "";
  const ended = new Promise((resolve) => child.on("close", resolve));
  const ready = new Promise((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (data) => {
        output += data;
        if (output.includes("Carillon is ready")) resolve(true);
      });
    }
  });
  try {
    if (!(await Promise.race([ready, ended.then(() => false)]))) throw new Error(`it did not start:\n${output}`);
    if (/Building|Installing/.test(output)) throw new Error(`it built or installed something at the start:\n${output}`);
    const { status } = await fetch(`http://127.0.0.1:${port}/sign-in`);
    if (status !== 200) throw new Error(`the sign-in page returned ${status}`);
    const nodePid = Number((await readFile(`/proc/${child.pid}/task/${child.pid}/children`, "utf8")).trim());
    process.kill(nodePid, "SIGTERM");
    const code = await ended;
    if (code !== 0) throw new Error(`it ended with ${code} after SIGTERM:\n${output}`);
  } finally {
    child.kill("SIGKILL");
  }
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
