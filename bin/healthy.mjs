// Exits with 0 if the Carillon in this container is ready, and with 1 otherwise. For health checks of container engines.
// A worker answers at HEALTH_PORT. The web process answers at PORT, even if its settings contain a HEALTH_PORT.
const ports = [process.env.HEALTH_PORT, process.env.PORT || "3000"].filter(Boolean);
const signal = AbortSignal.timeout(4_000);
let answer;
for (const port of ports) {
  answer = await fetch(`http://127.0.0.1:${port}/health/ready`, { signal }).catch((error) => ({
    ok: false,
    status: error.message,
  }));
  if (answer.text) break;
}
if (!answer.ok) console.error(`not ready: ${answer.status} ${(await answer.text?.()) ?? ""}`);
process.exitCode = answer.ok ? 0 : 1;
