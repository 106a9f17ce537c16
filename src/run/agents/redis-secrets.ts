import { decodePercents } from '../../core/printable.ts'

/** The secret of a URL of Redis: its password, as it is written and as it is meant. */
export function redisSecrets(url: string): readonly string[] {
  const written = /^rediss?:\/\/[^:@/]*:(.+)@/s.exec(url)?.[1]
  return written === undefined ? [] : [...new Set([written, decodePercents(written)])]
}
