// A resident form of `npm run carillon -- …`: runs each command that it is sent and answers with what the command printed.
// One process for all commands of a product, because a single command spends most of its time on starting Node.js.
import { main } from "../../dist/cli.js";

async function run(args) {
  const printed = { stdout: "", stderr: "" };
  console.log = (text) => {
    printed.stdout += text;
  };
  console.error = (text) => {
    printed.stderr += text;
  };
  process.exitCode = 0;
  await main(args).catch((error) => console.error(String(error)));
  return printed;
}

// Commands run one after the other, because each opens the database and closes it again.
let last = Promise.resolve();
process.on("message", ({ id, args }) => {
  last = last.then(async () => process.send?.({ id, ...(await run(args)) }));
});
process.on("disconnect", () => process.exit());
