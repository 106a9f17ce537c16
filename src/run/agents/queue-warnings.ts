import type { Redis } from 'ioredis'

/** Looks whether a server is fit for agents and runs to meet at. */
export const queueWarnings = async (client: Redis): Promise<readonly string[]> => warningsOfInfo(await client.info())

/** @param info What Redis and Valkey answer to INFO. */
export function warningsOfInfo(info: string): readonly string[] {
  const { redis_version: version = '', maxmemory_policy: policy = 'noeviction' } = Object.fromEntries(
    [...info.matchAll(/^(\w+):(.*?)\r?$/gm)].map(([, name, value]) => [name, value]),
  ) as Readonly<Record<string, string>>
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return [
    ...(major * 100 + minor < 602 ? [`The queue is Redis ${version}; 6.2 or newer is needed`] : []),
    ...(policy === 'noeviction'
      ? []
      : [
          `The queue may evict what agents and runs keep there: its maxmemory-policy is ${policy}. Set it to noeviction`,
        ]),
  ]
}
