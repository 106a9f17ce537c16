import { inject } from 'vitest'
import * as plain from '../../../bench/start/redis.ts'

export { type TestRedis } from '../../../bench/start/redis.ts'

/** @param args More arguments, such as `--requirepass`. */
export const startTestRedis = (args: readonly string[] = [], credentials = ''): Promise<plain.TestRedis> =>
  plain.startTestRedis(inject('redisPath'), args, credentials)
