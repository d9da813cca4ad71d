// Imported before anything that reads the settings: this test file's objects are kept in the bucket of the run.
import { bucket } from "./bucket";

Object.assign(process.env, bucket);
