/** The secret of a URL of Redis: its password, as it is written and as it is meant. */
export function redisSecrets(url: string): readonly string[] {
  const written = /^rediss?:\/\/[^:@/]*:(.+)@/s.exec(url)?.[1]
  if (written === undefined) return []
  try {
    return [...new Set([written, decodeURIComponent(written)])]
  } catch {
    return [written]
  }
}
