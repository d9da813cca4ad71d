import "../testing/on-s3";
import { bucket } from "../testing/bucket";
import { testUploads } from "./testing/uploads";

testUploads(bucket !== undefined);
