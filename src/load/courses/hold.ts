import type { Document } from 'bson'
import { runCommand } from '../../protocol/wire/run-command.ts'
import { plainSettings } from '../../protocol/wire/settings.ts'
import { type Search } from './course.ts'
import { rate, type RateBounds, type TriedRate } from './rate.ts'

/**
 * Looks for the smallest size with which limits hold: the search for a rate in a mirror, from the largest size down. What shrinks keeps what is used
 * most, so its steps begin warm; what grows would have to be filled first. Sizes are whole numbers.
 */
export function hold({ from, to, precisionPercent }: RateBounds): Search<TriedRate> {
  const mirrored = rate({ from: 1 / from, to: 1 / to, precisionPercent })
  return {
    async next(steps) {
      const next = await mirrored.next(steps.map(mirror))
      return next && { ...next, at: invert(next.at) }
    },
    outcome(steps) {
      const { found, low, high, confirmed } = mirrored.outcome(steps.map(mirror))
      return { found: found && invert(found), low: high && invert(high), high: low && invert(low), confirmed }
    },
  }
}

const mirror = (step: TriedRate): TriedRate => ({ ...step, at: 1 / step.at })

const invert = (at: number): number => Math.round(1 / at)

/** The caches of servers that mongo-perf started, resized together while they run. Disposing gives them back their own sizes. */
export async function openCaches(members: readonly { readonly host: string }[]) {
  const caches = await Promise.all(
    members.map(async ({ host }) => {
      const ask = (command: Document): Promise<Document> => runCommand(plainSettings(host), command, 10_000)
      const { wiredTiger } = await ask({ serverStatus: 1 })
      const resize = (bytes: number) =>
        ask({ setParameter: 1, wiredTigerEngineRuntimeConfig: `cache_size=${Math.round(bytes)}` })
      return { resize, bytes: Number(wiredTiger.cache['maximum bytes configured']) }
    }),
  )
  return {
    change: (megabytes: number) => Promise.all(caches.map(({ resize }) => resize(megabytes * 1024 ** 2))),
    // A server that is gone has nothing to get back.
    [Symbol.asyncDispose]: async () =>
      void (await Promise.allSettled(caches.map(({ resize, bytes }) => resize(bytes)))),
  }
}
