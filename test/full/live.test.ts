import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { type Result } from '../../src/results/schema.ts'
import { type LiveEvent, type LiveSecond } from '../../src/run/live/live-events.ts'
import { addressOf } from '../contract/support/address-of.ts'
import { workplace, type Workplace } from '../contract/support/program.ts'
import { sharedServer } from '../contract/support/shared-servers.ts'
import { threeRows } from '../contract/support/specs.ts'

const server = sharedServer()

/** Three rows of two threads: each has a warm-up, and seconds that are not whole. */
const spec = () => ({
  ...threeRows({}, { load: { kind: 'closed', workers: 2, threads: 2 } }),
  parameters: { documents: 100, warmup: 0.3, seconds: 1.4 },
})

type Received = { readonly kind: string; readonly event: LiveEvent }

/** All events of a live server, to its end. */
async function readEvents(address: string, onEvent: (event: LiveEvent) => Promise<void>): Promise<readonly Received[]> {
  const { body } = await fetch(`${address}events`)
  const received: Received[] = []
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of body ?? []) {
    const blocks = (rest + decoder.decode(bytes, { stream: true })).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const [, kind, data] = /^event: (\w+)\ndata: (.*)$/m.exec(block) ?? []
      if (kind === undefined || data === undefined) continue
      const event = JSON.parse(data) as LiveEvent
      received.push({ kind, event })
      await onEvent(event)
    }
  }
  return received
}

const secondsOf = (events: readonly LiveEvent[]): readonly LiveSecond[] =>
  events.filter((event) => event.kind === 'second').filter(({ pass }) => pass === 'measured')

const okByRow = (events: readonly LiveEvent[]): readonly number[] =>
  [1, 2, 3].map((number) =>
    secondsOf(events)
      .filter(({ row }) => row.number === number)
      .reduce((sum, { ok }) => sum + ok, 0),
  )

const okOf = ({ variants }: Result): readonly number[] =>
  variants.map(({ phases }) => phases.flatMap(({ operations }) => operations).reduce((sum, { ok }) => sum + ok, 0))

const linesOf = async (place: Workplace, file: string): Promise<readonly LiveEvent[]> =>
  (await readFile(path.join(place.folder, file), 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as LiveEvent)

test('browsers, Prometheus and the file get what the result has', async () => {
  await using place = await workplace()
  const file = await place.spec(spec())
  const outputs = ['--live', '--metrics', '0', '--stream', 'run.ndjson']
  const program = place.begin(['run', file, '--uri', server.uri, ...outputs])
  const [live, metrics] = await Promise.all([addressOf(program, 'live'), addressOf(program, 'metrics')])
  const partial: Result[] = []
  let scraped = ''
  const received = await readEvents(live, async ({ kind }) => {
    if (kind === 'row') partial.push((await (await fetch(`${live}data.json`)).json()) as Result)
    if (kind === 'row') scraped = await (await fetch(metrics)).text()
  })
  expect((await program.ended).code).toBe(0)

  const result = await place.result('three-rows')
  const events = received.map(({ event }) => event)
  expect(received.map(({ kind, event }) => kind === event.kind)).not.toContain(false)
  expect(events.at(-1)?.kind).toBe('end')
  expect(okByRow(events)).toEqual(okOf(result))
  // Who comes after the first events has missed none of them.
  expect(events[0]).toMatchObject({ kind: 'specBegins', spec: 'three-rows', version: 1 })
  expect(partial.map(({ variants }) => variants.length).at(-1)).toBe(3)

  const lines = await linesOf(place, 'run.ndjson')
  expect(okByRow(lines)).toEqual(okOf(result))
  expect(lines.filter(({ kind }) => kind === 'row')).toHaveLength(3)
  expect(lines.slice(-2)).toMatchObject([{ kind: 'specEnds', status: 'done' }, { kind: 'end' }])
  for (const { lengthSeconds, inFlight, latency, servers } of secondsOf(lines)) {
    expect(lengthSeconds).toBeLessThanOrEqual(1)
    expect(inFlight).toBeLessThanOrEqual(2)
    expect(latency?.p50Ms ?? 0).toBeLessThanOrEqual(latency?.p99Ms ?? 0)
    expect(servers).toMatchObject([{ role: 'standalone', cacheMaxBytes: 2 ** 28 }])
  }

  const [first = 0] = okOf(result)
  const labels = 'spec="three-rows",row="1 first",phase="read",pass="measured",operation="findOne"'
  expect(scraped).toContain(`mongo_perf_operations_total{${labels},outcome="ok"} ${first}\n`)
  expect(scraped).toContain(`mongo_perf_operation_duration_seconds_count{${labels}} ${first}\n`)
})

test('an open loop, and a search for the best number of workers, add up too', async () => {
  await using place = await workplace()
  const operations = [{ kind: 'findOne', filter: { _id: 5 } }]
  const phases = [
    {
      name: 'rate',
      load: { kind: 'open', ratePerSecond: 300, maxInFlight: 8 },
      stopAfter: { seconds: 1.5 },
      operations,
    },
    { name: 'peak', load: { kind: 'findPeak', from: 1, to: 2, secondsPerStep: 1.2 }, operations },
  ]
  const file = await place.spec({ ...spec(), parameters: { documents: 100 }, variants: [{ label: 'all' }], phases })
  const { code, stderr } = await place.run(['run', file, '--uri', server.uri, '--stream', 'run.ndjson'])
  expect([code, stderr]).toEqual([0, expect.not.stringContaining('live: ')])
  const [row] = (await place.result('three-rows')).variants
  const seconds = secondsOf(await linesOf(place, 'run.ndjson'))
  const sum = (prefix: string, of: (second: LiveSecond) => number): number =>
    seconds.filter(({ phase }) => phase.startsWith(prefix)).reduce((total, second) => total + of(second), 0)
  expect(sum('rate', ({ ok }) => ok)).toBe(row?.phases[0]?.operations[0]?.ok)
  expect(sum('rate', ({ openLoop }) => openLoop?.dropped ?? NaN)).toBe(row?.phases[0]?.openLoop?.dropped)
  expect(sum('rate', ({ openLoop }) => openLoop?.late ?? NaN)).toBe(row?.phases[0]?.openLoop?.late)
  const ofSteps = row?.phases[1]?.windows.reduce((total, { ok }) => total + ok, 0)
  expect(sum('peak', ({ ok }) => ok)).toBe(ofSteps)
  expect(new Set(seconds.map(({ phase }) => phase))).toEqual(
    new Set([
      'rate',
      'peak at 1 worker',
      'peak at 2 workers',
      expect.stringMatching(/^peak at . workers? to confirm$/),
    ]),
  )
})

test('Ctrl-C ends the servers and the file with the run, and a resumed run adds to the file', async () => {
  await using place = await workplace()
  const file = await place.spec({ ...spec(), parameters: { documents: 100, warmup: 0.1, seconds: 1 } })
  const args = ['run', file, '--uri', server.uri, '--live', '--stream', 'run.ndjson']
  const program = place.begin(args)
  const live = await addressOf(program, 'live')
  const received = await readEvents(live, async ({ kind }) => {
    if (kind === 'row') program.stop()
  })
  expect((await program.ended).code).toBe(130)
  expect(received.slice(-2).map(({ event }) => event)).toMatchObject([
    { kind: 'specEnds', status: 'aborted' },
    { kind: 'end' },
  ])
  await expect(fetch(live)).rejects.toThrow('fetch failed')
  expect((await place.run([...args, '--resume'])).code).toBe(0)
  const lines = await linesOf(place, 'run.ndjson')
  expect(lines.filter(({ kind }) => kind === 'specBegins')).toMatchObject([{ resumed: false }, { resumed: true }])
  expect(
    lines
      .filter((event) => event.kind === 'row')
      .map(({ row }) => row.label)
      .toSorted(),
  ).toEqual(expect.arrayContaining(['first', 'second', 'third']))
})

test('what cannot be opened is a problem before anything runs, and leaves nothing open', async () => {
  await using place = await workplace()
  const file = await place.spec(spec())
  const { port } = new URL(server.uri.replace('mongodb:', 'http:'))
  const taken = await place.run(['run', file, '--uri', server.uri, '--live', '--metrics', port])
  expect(taken).toMatchObject({ code: 2, stderr: expect.toHaveLine('metrics-port-in-use', { port }) })
  const toStdout = await place.run(['run', file, '--uri', server.uri, '--stream', '-'])
  expect(toStdout).toMatchObject({ code: 2, stderr: expect.stringContaining('--stream run.ndjson') })
  const noFolder = await place.run(['run', file, '--uri', server.uri, '--stream', 'none/run.ndjson'])
  expect(noFolder).toMatchObject({ code: 2, stderr: expect.stringContaining('(ENOENT)') })
})
