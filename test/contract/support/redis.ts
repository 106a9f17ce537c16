import { inject } from 'vitest'
import * as plain from '../start-redis.ts'

export { type TestRedis } from '../start-redis.ts'

/** @param args More arguments, such as `--requirepass`. */
export const startTestRedis = (args: readonly string[] = [], credentials = ''): Promise<plain.TestRedis> =>
  plain.startTestRedis(inject('redisPath'), args, credentials)
