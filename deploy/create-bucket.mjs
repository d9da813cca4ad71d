// Creates the bucket of the S3_* settings if it is missing, and allows browsers of APP_URL to upload to it. For stores without a
// console. Can be run again. Waits up to two minutes for a store or a proxy that is still starting.
import { setTimeout as sleep } from "node:timers/promises";
import { CreateBucketCommand, PutBucketCorsCommand, S3Client } from "@aws-sdk/client-s3";

const { S3_ENDPOINT, S3_BUCKET: Bucket, S3_REGION, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = process.env;
const BASE_URL = process.env.APP_URL || process.env.BASE_URL;
const needed = { S3_ENDPOINT, S3_BUCKET: Bucket, S3_REGION, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY, BASE_URL };
const missing = Object.keys(needed).filter((name) => !needed[name]);
if (missing.length > 0) {
  console.error(`Not set: ${missing.join(", ")}. Give this script the settings of Carillon`);
  process.exit(1);
}
const { origin } = new URL(BASE_URL);
const client = new S3Client({
  endpoint: S3_ENDPOINT,
  region: S3_REGION,
  forcePathStyle: true,
  credentials: { accessKeyId: S3_ACCESS_KEY_ID, secretAccessKey: S3_SECRET_ACCESS_KEY },
});
const rule = {
  AllowedOrigins: [origin],
  AllowedMethods: ["PUT"],
  AllowedHeaders: ["content-type", "x-amz-meta-size-bytes", "x-amz-meta-filename"],
  MaxAgeSeconds: 3600,
};

for (const until = Date.now() + 120_000; ; await sleep(2_000)) {
  try {
    await create();
    break;
  } catch (error) {
    const isStarting = error.$metadata?.httpStatusCode === undefined || error.$metadata.httpStatusCode >= 500;
    if (!isStarting || Date.now() > until) throw error;
  }
}
console.log(JSON.stringify({ bucket: Bucket, origin }));

async function create() {
  try {
    await client.send(new CreateBucketCommand({ Bucket }));
  } catch (error) {
    if (!["BucketAlreadyOwnedByYou", "BucketAlreadyExists"].includes(error.name)) throw error;
  }
  await client.send(new PutBucketCorsCommand({ Bucket, CORSConfiguration: { CORSRules: [rule] } }));
}
