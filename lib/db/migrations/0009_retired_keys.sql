CREATE TABLE "retired_keys" (
	"purpose" text NOT NULL,
	"key_id" "bytea" NOT NULL,
	"secret_sealed" "bytea" NOT NULL,
	"retired_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "retired_keys_purpose_key_id_pk" PRIMARY KEY("purpose","key_id")
);
