import StubKit

extension NameRules {
  /// The names that end like those of secrets, or mean something else in a place.
  static let others: [NameRule] = [
    NameRule(
      names: [
        "page_token", "next_token", "forward_token", "backward_token", "previous_token", "prev_token",
        "pagination_token", "continuation_token", "sync_token", "cursor_token", "mark_token", "trace_token",
        "tracker_token", "resume_token", "scroll_token", "seek_token", "separator_token", "cancellation_token",
        "cancel_token", "bos_token", "eos_token", "unk_token", "pad_token", "mask_token", "cls_token", "sep_token",
        "stop_token", "base_token", "quote_token", "output_token", "prompt_token", "completion_token", "total_token",
        "max_token", "min_token", "native_token", "reward_token", "pool_token", "last_token", "first_token",
        "special_token", "added_token", "syntax_token", "parse_token", "design_token", "cached_token",
        "reasoning_token", "image_token", "audio_token", "class_token", "type_token", "delta_token", "iterator_token",
        "skip_token", "version_token", "change_token", "concurrency_token", "client_request_token",
        "consistency_token", "evaluated_token", "snapshot_token", "position_token", "revision_token", "lock_token",
        "update_token", "etag_token", "xdebug_token", "watermark_token", "checkpoint_token", "batch_token",
        "ordering_token", "offset_token", "request_token", "json_web_token", "idempotency_token", "postman_token",
        "from_token", "to_token", "sell_token", "buy_token", "in_token", "out_token",
      ],
      .public),
    // In a query, a token to ask about is one.
    NameRule(wholes: ["input_token"], .public, in: [.member]),
    NameRule(
      names: [
        "public_key", "pub_key", "vapid_key", "idempotency_key", "cache_key", "surrogate_key", "websocket_key",
        "partition_key", "row_key", "sort_key", "primary_key", "foreign_key", "object_key", "file_key",
        "publishable_key", "request_key", "shard_key", "map_key", "verify_key", "verification_key", "issue_key",
        "translation_key", "i18n_key", "hot_key", "message_key", "record_key", "entity_key", "lookup_key",
        "encoding_key", "sender_key", "correlation_key", "change_key", "retry_key", "incident_key", "dedup_key",
        "deduplication_key", "rollout_key", "event_key", "group_key", "client_public_key", "application_pub_key",
        "cle_cache", "clave_cache", "chave_cache", "chiave_cache", "rollout_seed",
      ],
      .public),
    NameRule(
      names: [
        "project_key", "host_key", "type_pin", "no_secret", "checksum_secret", "web_credential",
        "amz_credential", "goog_credential", "thought_signature", "attribution_signature", "token_id", "token_gid",
        "token_name", "token_type", "token_address", "token_uri", "token_url", "token_endpoint", "token_status",
        "key_id", "key_gid", "key_name", "key_type", "key_address", "key_uri", "key_url", "key_endpoint",
        "key_status", "secret_name", "secret_type", "secret_status", "sym_key_version",
      ],
      .public),
    NameRule(
      names: [
        "id", "ids", "date", "algorithm", "gid", "hash", "sha", "sha1", "sha256", "sha512", "md5",
        "ctag", "tag", "tags", "span", "rev", "revision", "commit", "version", "build", "fingerprint", "thumbprint",
        "integrity", "boundary", "arn", "slug", "avatar", "image", "thumbnail", "picture", "photo", "icon", "blurhash",
        "modulus", "certificate", "cert", "ref", "reference", "serial", "serial_number", "tracking_number", "stamp",
        "code_challenge", "offset", "page_info", "file", "filename", "address",
      ],
      endings: [
        "uuid", "guid", "ulid", "ksuid", "nanoid", "etag", "identifier", "digest", "checksum", "cursor", "trace",
        "traceparent", "tracestate",
      ],
      wholes: [
        "next", "prev", "previous", "after", "before", "cid", "eid", "fid", "nid", "oid", "pid", "rid", "tid", "uid",
        "vid", "x5c", "x5t", "kid",
      ],
      .public),
    NameRule(
      names: [
        "locale", "localization", "lang", "language", "theme", "currency", "consent", "country", "timezone",
        "cloudfront_key_pair_id",
      ],
      words: [
        "ga", "gat", "gid", "gcl", "fbp", "fbc", "clck", "clsk", "uetsid", "uetvid", "hj", "pk", "ajs",
        "optanon", "utma", "utmb", "utmc", "utmz", "traceid",
      ],
      .described, in: [.cookie]),
    NameRule(
      names: ["client", "x_client_data"],
      endings: ["id"],
      words: [
        "span", "b3", "baggage", "newrelic", "request", "correlation", "transaction", "digest", "hash", "sha",
        "sha1", "sha256", "md5", "checksum", "etag", "match", "target", "agent", "date", "timestamp", "time",
        "version", "range", "cursor", "device", "installation", "identifier", "idempotency", "host", "authority",
        "path", "origin", "referer", "language", "locale", "encoding", "boundary", "cert", "certificate", "build",
        "commit", "revision", "release", "tenant", "account", "org", "organization", "project", "workspace", "user",
        "customer", "shop", "store", "site", "team", "fingerprint", "topic", "operation", "ray", "debug", "lock",
        "destination",
        "model", "type", "name", "trace", "traceparent", "tracestate", "accept", "content", "sec", "if",
      ],
      .described, in: [.header]),
  ]
}
