import { type Document } from 'bson'
import { runCommand } from '../protocol/wire/run-command.ts'
import { plainSettings } from '../protocol/wire/settings.ts'
import { type RowRun } from './row-run.ts'

/** The caches of servers that mongo-perf started, resized together while they run. Disposing gives them back their own sizes. */
export async function openCaches({ target: { members } }: Pick<RowRun, 'target'>) {
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
    resize: (megabytes: number) => Promise.all(caches.map(({ resize }) => resize(megabytes * 1024 ** 2))),
    // A server that is gone has nothing to get back.
    [Symbol.asyncDispose]: async () =>
      void (await Promise.allSettled(caches.map(({ resize, bytes }) => resize(bytes)))),
  }
}
