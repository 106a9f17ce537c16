import { MongoServerError } from 'mongodb'
import { expect, test } from 'vitest'
import { type Ask } from '../../../src/servers/resources/member-connection.ts'
import { measureTraffic } from '../../../src/servers/resources/own-traffic.ts'
import { type Fields } from '../../../src/servers/resources/sample.ts'
import { watchMember } from '../../../src/servers/resources/watch.ts'
import { lookPeriod } from '../../../src/servers/targets/server/process/mongod-process.ts'
import { fakeClock } from '../../fakes/fake-clock.ts'

/** A server that updates its statistics at every full second, or as often as it is asked to, with exact times. */
function fakeServer(clock: ReturnType<typeof fakeClock>, { refuses = [] as readonly string[], lookMs = 1000 } = {}) {
  let everyMs = lookMs
  const asked: string[] = []
  const ask: Ask = async (command) => {
    const name = Object.keys(command)[0] ?? ''
    asked.push(name === 'setParameter' ? `look every ${Number(command[lookPeriod])} ms` : name)
    clock.advance(1)
    if (refuses.includes(name))
      throw new MongoServerError({ code: 13, codeName: 'Unauthorized', message: 'not authorized on admin' })
    const status = { process: 'mongod', pid: 1, connections: { current: asked.length } }
    if (name === 'serverStatus') return { ...status, localTime: new Date(clock.now()) }
    if (name === 'setParameter') everyMs = Number(command[lookPeriod])
    if (name === 'setParameter' || name === 'getParameter') return { [lookPeriod]: everyMs, ok: 1 }
    return { data: { start: new Date(Math.floor(clock.now() / everyMs) * everyMs), serverStatus: status } }
  }
  return { ask, asked }
}

/** A watch of such a server, begun at a time. */
function watched(atMs: number) {
  const clock = fakeClock(atMs)
  return { clock, watch: watchMember({ member: 'm', ask: fakeServer(clock).ask, clock }) }
}

/** What is seen in a window that ends as soon as it has begun. */
async function emptyWindow(watch: ReturnType<typeof watchMember>) {
  const window = await watch.prepareWindow()
  await window.begin()
  await window.end()
  return await window.observe(1)
}

const unreachable: Ask = () => Promise.reject(new Error('connect ECONNREFUSED secret-host:27017'))

test('a poll that is still running is not overtaken by the next', async () => {
  const reply = { data: { start: new Date(0), serverStatus: {} } }
  const answers: ((reply: Fields) => void)[] = []
  const ask: Ask = () => new Promise((resolve) => answers.push(resolve))
  const watch = watchMember({ member: 'm', clock: fakeClock(), ask })
  const first = watch.poll()
  await watch.poll()
  expect(answers).toHaveLength(1)
  answers[0]?.(reply)
  await first
  const second = watch.poll()
  expect(answers).toHaveLength(2)
  answers[1]?.(reply)
  await second
})

test('a sample that the server took only once is kept once, however often it is returned', async () => {
  const { watch } = watched(10_200)
  await watch.poll()
  await watch.poll()
  const window = await watch.prepareWindow()
  const { samples } = await window.observe(1)
  expect(samples.map(({ atMs }) => atMs)).toEqual([10_000])
})

test('each sample that is kept is handed over as it comes', async () => {
  const clock = fakeClock(10_200)
  const { ask } = fakeServer(clock)
  const taken: (readonly [string, number])[] = []
  const onSample = (member: string, { atMs }: { readonly atMs: number }): void => void taken.push([member, atMs])
  const watch = watchMember({ member: 'm', ask, clock, onSample })
  await watch.poll()
  await watch.poll()
  clock.advance(1000)
  await watch.poll()
  expect(taken).toEqual([
    ['m', 10_000],
    ['m', 11_000],
  ])
})

test('the window lies between two exact readings, and the wait for the sample that closes it comes after', async () => {
  const { clock, watch } = watched(10_200)
  const window = await watch.prepareWindow()
  await window.begin()
  clock.advance(300)
  await window.end()
  const observation = await window.observe(300)
  expect(observation).toMatchObject({ startMs: 10_202, endMs: 10_503, durationMs: 300 })
  expect(observation.samples.some(({ source, atMs }) => source === 'getDiagnosticData' && atMs === 11_000)).toBe(true)
  expect(observation.polls).toHaveLength(2)
  expect(clock.now()).toBeLessThan(10_503 + 2000)
})

test('the wait for a server that has stopped looking at itself ends after two seconds', async () => {
  const clock = fakeClock(10_200)
  const { ask } = fakeServer(clock)
  const stale: Ask = async (command) => {
    const reply = await ask(command)
    return 'data' in reply ? { data: { start: new Date(10_000), serverStatus: {} } } : reply
  }
  const window = await watchMember({ member: 'm', ask: stale, clock }).prepareWindow()
  await window.begin()
  await window.end()
  const endedAt = clock.now()
  await window.observe(100)
  expect(clock.now() - endedAt).toBeGreaterThanOrEqual(2000)
  expect(clock.now() - endedAt).toBeLessThan(2200)
})

/** A window from the start of the watch to its end. */
async function shortWindow(
  server: ReturnType<typeof fakeServer>,
  { clock, ours, ms = 60 }: { clock: ReturnType<typeof fakeClock>; ours: boolean; ms?: number },
) {
  const watch = watchMember({ member: 'm', ask: server.ask, clock, setsLooks: ours })
  await watch.start()
  const window = await watch.prepareWindow()
  await window.begin()
  clock.advance(ms)
  await window.end()
  const endedAt = clock.now()
  const { samples, endMs } = await window.observe(ms)
  const waitedMs = clock.now() - endedAt
  await watch.stop()
  const looks = samples.filter(({ source }) => source === 'getDiagnosticData').map(({ atMs }) => atMs)
  return { waitedMs, looksAfter: looks.some((atMs) => atMs >= (endMs ?? Infinity)) }
}

test('a server of ours looks at itself often outside of a window, once a second inside, and as before in the end', async () => {
  const clock = fakeClock(10_210)
  const server = fakeServer(clock)
  const { waitedMs, looksAfter } = await shortWindow(server, { clock, ours: true })
  expect(looksAfter).toBe(true)
  expect(waitedMs).toBeLessThan(130)
  const [often, seldom] = ['look every 100 ms', 'look every 1000 ms']
  const [known, edge] = ['getDiagnosticData', 'serverStatus']
  const upToEnd = [known, often, known, seldom, edge, edge, often]
  expect(server.asked.slice(0, upToEnd.length)).toEqual(upToEnd)
  expect(server.asked.at(-1)).toBe(seldom)
})

test('a server of ours that refuses to look more often is waited for', async () => {
  const clock = fakeClock(10_210)
  const server = fakeServer(clock, { refuses: ['setParameter'] })
  const { waitedMs, looksAfter } = await shortWindow(server, { clock, ours: true, ms: 200 })
  expect(looksAfter).toBe(true)
  expect(waitedMs).toBeGreaterThan(130)
})

test.each([
  { lookMs: 100, isAwaited: true },
  { lookMs: 600, isAwaited: true },
  { lookMs: 601, isAwaited: false },
  { lookMs: 1000, isAwaited: false },
])(
  'a server of others that looks every $lookMs ms is left as it is, and awaited where the window is long enough: $isAwaited',
  async ({ lookMs, isAwaited }) => {
    const clock = fakeClock(10_210)
    const server = fakeServer(clock, { lookMs })
    const { waitedMs, looksAfter } = await shortWindow(server, { clock, ours: false })
    expect({ looksAfter, hasWaited: waitedMs > 0 }).toEqual({ looksAfter: isAwaited, hasWaited: isAwaited })
    expect(server.asked).toContain('getParameter')
    expect(server.asked.filter((name) => name.startsWith('look'))).toEqual([])
  },
)

test('a server that has just been started is given the time to take its first sample', async () => {
  const clock = fakeClock(10_200)
  const { ask } = fakeServer(clock)
  const young: Ask = async (command) =>
    clock.now() < 11_000 && 'getDiagnosticData' in command ? { data: {} } : ask(command)
  const watch = watchMember({ member: 'm', ask: young, clock })
  await watch.start()
  const window = await watch.prepareWindow()
  const { samples } = await window.observe(1)
  expect(samples.map(({ source, atMs }) => [source, atMs])).toContainEqual(['getDiagnosticData', 11_000])
})

test('a refused source is not asked again, and the next one takes its place', async () => {
  const clock = fakeClock()
  const { ask, asked } = fakeServer(clock, { refuses: ['getDiagnosticData'] })
  const watch = watchMember({ member: 'm', ask, clock })
  await watch.poll()
  await watch.poll()
  expect(asked).toEqual(['getDiagnosticData', 'serverStatus', 'serverStatus'])
  const { trouble, samples } = await emptyWindow(watch)
  expect(trouble).toEqual({
    getDiagnosticData: expect.toSay('sampler-source-refused', { source: 'getDiagnosticData' }),
  })
  expect(samples).toHaveLength(4)
})

test('a member that cannot be reached counts failed polls, delays no other and reveals no address', async () => {
  const clock = fakeClock()
  const watch = watchMember({ member: 'm', ask: unreachable, clock })
  await watch.poll()
  const observation = await emptyWindow(watch)
  expect(observation).toMatchObject({ startMs: null, endMs: null, samples: [] })
  expect(observation.polls.filter(({ ok }) => !ok)).toHaveLength(1)
  expect(JSON.stringify(observation)).not.toContain('secret-host')
  expect(clock.now()).toBe(0)
})

test('the next window may begin while the last one still waits for the sample that closes it', async () => {
  const { clock, watch } = watched(10_200)
  const long = await watch.prepareWindow()
  await long.begin()
  await watch.poll()
  // Longer than a window remembers of what lies before it.
  clock.advance(20_000)
  await long.end()
  const observing = long.observe(20_000)
  const next = await watch.prepareWindow()
  await next.begin()
  const { samples, startMs, endMs } = await observing
  const times = samples.map(({ atMs }) => atMs)
  expect(times).toEqual(expect.arrayContaining([10_000, startMs, endMs, 31_000]))
  expect(new Set(samples).size).toBe(samples.length)
  await next.end()
  expect((await next.observe(1)).samples.map(({ atMs }) => atMs)).not.toContain(10_000)
})

test('a window knows nothing of what was sampled long before it', async () => {
  const { clock, watch } = watched(10_000)
  await watch.poll()
  clock.advance(60_000)
  await watch.poll()
  const { samples } = await emptyWindow(watch)
  expect(Math.min(...samples.map(({ atMs }) => atMs))).toBe(70_000)
})

test('what our own questions cost is taken out of every sample, whichever way and whenever the server took it', async () => {
  const clock = fakeClock(10_200)
  const counted = { networkBytesIn: 0, networkBytesOut: 0, commandOps: 0 }
  let lastLook = { secondMs: 0, ...counted }
  const busyStatus = ({ networkBytesIn, networkBytesOut, commandOps }: typeof counted) => ({
    process: 'mongod',
    network: { bytesIn: networkBytesIn, bytesOut: networkBytesOut },
    opLatencies: { commands: { ops: commandOps } },
  })
  const ask: Ask = async (command) => {
    clock.advance(1)
    const secondMs = Math.floor(clock.now() / 1000) * 1000
    if (secondMs > lastLook.secondMs) lastLook = { secondMs, ...counted }
    const start = new Date(lastLook.secondMs)
    const requestBytes = measureTraffic(command, {}).networkBytesIn
    counted.networkBytesIn += requestBytes
    const reply =
      'serverStatus' in command
        ? { ...busyStatus(counted), localTime: new Date(clock.now()) }
        : { data: { start, serverStatus: busyStatus(lastLook) } }
    counted.networkBytesOut += measureTraffic(command, reply).networkBytesOut
    counted.commandOps += 1
    return reply
  }
  const watch = watchMember({ member: 'm', ask, clock })
  await watch.start()
  const window = await watch.prepareWindow()
  await window.begin()
  clock.advance(700)
  await watch.poll()
  await watch.poll()
  clock.advance(900)
  // The server looks at itself between the two questions that end the window, and is asked for that only afterwards.
  await window.end()
  const { samples } = await window.observe(1600)
  expect(samples.map(({ source }) => source)).toContain('getDiagnosticData')
  expect(samples.length).toBeGreaterThan(4)
  const [first] = samples
  expect(first?.values.networkBytesOut).toBe(0)
  expect(samples.map(({ values }) => values)).toEqual(samples.map(() => first?.values))
})
