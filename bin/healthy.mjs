// Exits with 0 if the Carillon in this container is ready, and with 1 otherwise. For health checks of container engines.
const port = process.env.HEALTH_PORT || process.env.PORT || "3000";
const answer = await fetch(`http://127.0.0.1:${port}/health/ready`, { signal: AbortSignal.timeout(4_000) }).catch(
  (error) => ({ ok: false, status: error.message, text: () => "" }),
);
if (!answer.ok) console.error(`not ready: ${answer.status} ${await answer.text()}`);
process.exitCode = answer.ok ? 0 : 1;
