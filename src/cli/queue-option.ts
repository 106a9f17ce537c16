import { Option } from 'commander'

/** The option that names the Redis or Valkey server at which agents and runs meet. */
export const queueOption = (): Option =>
  new Option('--queue <url>', 'Redis or Valkey: redis://host:6379, or rediss://user:password@host for TLS').env(
    'MONGO_PERF_QUEUE',
  )
