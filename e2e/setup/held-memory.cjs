// Loaded into a process of the product: collects everything unused on SIGUSR2, and prints how many bytes are still held.
const { setFlagsFromString } = require("node:v8");
const { runInNewContext } = require("node:vm");

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc");

process.on("SIGUSR2", () => {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  console.log(`Holds ${heapUsed + external} bytes`);
});
