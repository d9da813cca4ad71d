// Imported before anything that reads the settings: this test file serves the product at an address of its own.
import { freePort } from "../free-port";

const port = String(await freePort());
Object.assign(process.env, { PORT: port, BASE_URL: `http://localhost:${port}` });
