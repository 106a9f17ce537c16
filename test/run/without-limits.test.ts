import { expect, test } from 'vitest'
import { withoutLimits } from '../../src/run/data/load-data.ts'
import { resolveLimits, type ServerLimits } from '../../src/servers/targets/server/limits/server-limits.ts'
import { type RunningTarget } from '../../src/servers/targets/target.ts'

type Limits = readonly (ServerLimits | null)[]

const slowDisk = resolveLimits({ memoryMB: 512, readIops: 100 })
const onlyMemory = resolveLimits({ memoryMB: 512 })

function recording() {
  const events: unknown[] = []
  const changeLimits = async (limits: Limits): Promise<RunningTarget> => {
    events.push(limits)
    return {} as RunningTarget
  }
  return { events, changeLimits }
}

test('a load is held to the memory of its row alone, and the row to all of its limits', async () => {
  const { events, changeLimits } = recording()
  const loaded = await withoutLimits({ changeLimits }, [slowDisk, null], async () => {
    events.push('load')
    return 7
  })
  expect(loaded).toBe(7)
  expect(events).toEqual([[onlyMemory, null], 'load', [slowDisk, null]])
})

test('limits are back after a load that failed', async () => {
  const { events, changeLimits } = recording()
  const failure = new Error('no room')
  await expect(withoutLimits({ changeLimits }, [slowDisk], () => Promise.reject(failure))).rejects.toBe(failure)
  expect(events).toEqual([[onlyMemory], [slowDisk]])
})

test.each<[string, Limits]>([
  ['nothing', [null]],
  ['memory', [onlyMemory]],
])('servers that are held to %s are left as they are', async (_what, limits) => {
  const { events, changeLimits } = recording()
  expect(await withoutLimits({ changeLimits }, limits, async () => 'loaded')).toBe('loaded')
  expect(events).toEqual([])
})

test("somebody else's servers are left as they are", async () => {
  expect(await withoutLimits({}, [slowDisk], async () => 'loaded')).toBe('loaded')
})
