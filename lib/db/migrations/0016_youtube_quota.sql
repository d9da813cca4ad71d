CREATE TABLE "network_quota" (
	"platform" text NOT NULL,
	"day" text NOT NULL,
	"bucket" text NOT NULL,
	"holder" text NOT NULL,
	"units" integer NOT NULL,
	CONSTRAINT "network_quota_platform_day_bucket_holder_pk" PRIMARY KEY("platform","day","bucket","holder")
);
