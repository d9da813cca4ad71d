import { BaseSequencer, type TestSpecification, type Vitest } from "vitest/node";

/** True if the test file uses the bucket of the run. */
function usesBucket({ project, moduleId }: Pick<TestSpecification, "project" | "moduleId">): boolean {
  return project.name === "s3" || moduleId.endsWith("/lib/storage/store.test.ts");
}

/** The last shard runs all files that use the bucket, so that the others start no S3 store. */
export class BucketInLastShard extends BaseSequencer {
  override async shard(files: TestSpecification[]): Promise<TestSpecification[]> {
    const others = await super.shard(files.filter((file) => !usesBucket(file)));
    return isLastShard(this.ctx) ? [...others, ...files.filter(usesBucket)] : others;
  }
}

/** The last shard may use the bucket. A run without shards is its own last shard. */
export function isLastShard({ config: { shard } }: Vitest): boolean {
  return !shard || shard.index === shard.count;
}
