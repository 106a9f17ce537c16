import { expect, test } from 'vitest'
import { report, run, type SpecInput } from '../../../src/entries/index.ts'
import { fail } from '../../fakes/fail.ts'
import { workplace } from '../support/program.ts'
import { sharedServer } from '../support/shared-servers.ts'

const server = sharedServer()

const limit = 'responseMeanMs < 20000'

const spec = (name: string, load: object = {}) =>
  ({
    name,
    data: { collection: 'items', document: { _id: { '@row': {} } } },
    phases: [
      {
        name: 'write',
        load: {
          kind: 'findRate',
          holds: [limit, 'errors == 0'],
          from: 20,
          to: 30,
          secondsPerStep: 0.4,
          maxInFlight: 30,
          ...load,
        },
        warmup: { seconds: 0.2 },
        operations: [{ kind: 'insertOne' }],
      },
    ],
  }) as const

test('a search sends each step at its rate, every call once, and shows its last step', async () => {
  const steps: string[] = []
  const result = await run(spec('found-rate', { threads: 2 }) as SpecInput, {
    uri: server.uri,
    onProgress: (event) => {
      if (event.kind === 'step') steps.push(`${event.step.at} ${event.step.purpose}`)
    },
  })
  // A machine that pauses misses a rate, which is tried again.
  expect(steps.filter((step) => !step.endsWith('again'))).toEqual(['20 step', '30 step', '30 confirm'])
  const [variant = fail('no row')] = result.variants
  const [phase = fail('no phase')] = variant.phases
  expect(variant.status).toBe('done')
  expect(phase).toMatchObject({ name: 'write', load: 'findRate', threads: 2, endedBecause: 'seconds' })
  expect(phase.outcome).toEqual({ holds: [limit, 'errors == 0'], found: 30, low: 20, high: null, confirmed: true })
  expect(phase.openLoop?.ratePerSecond).toBe(30)
  expect(phase.operations[0]?.ok).toBe(phase.windows.at(-1)?.ok)
  // Rows go on from step to step, so no insert was a duplicate; each step had a warm-up too.
  const inSteps = phase.windows.reduce((sum, { ok }) => sum + ok, 0)
  expect(await server.client.db('mongoperf_found_rate').collection('items').countDocuments()).toBeGreaterThan(inSteps)
  expect(report(result).markdown).toContain('**At least 30 operations per second keep')
})

test('the command prints the answer alone, and nothing else to standard output', async () => {
  await using place = await workplace()
  const file = await place.spec({ ...spec('sized'), thresholds: ['opsPerSecond > 1000000'] })
  const flags = ['--holds', 'responseMeanMs < 0.000001', '--from', '20', '--to', '30', '--uri', server.uri]
  const { code, stdout, stderr } = await place.run(['size', file, ...flags])
  expect(code).toBe(5)
  const measured = String(/measured ([\d.]+)/.exec(stdout)?.[1])
  expect(stdout.replaceAll('\n', ' ').split('. ')).toHaveLine('size-below-lowest-rate', { rate: 20, measured })
  expect(stderr).toMatch(/write at 20 ops\/s: missed \(responseMeanMs [\d.]+\)/)
  const [phase] = (await place.result('sized-size')).variants[0]?.phases ?? []
  expect(phase?.windows.map(({ purpose }) => purpose)).toEqual(['step', 'again'])
})

test('Ctrl-C in a search keeps its steps, and says how far it came', async () => {
  await using place = await workplace()
  const file = await place.spec(spec('broken-off', { secondsPerStep: 1, to: 100_000 }))
  const running = place.begin(['run', file, '--uri', server.uri])
  await running.says('write at 20 ops/s: held')
  running.stop()
  const { code } = await running.ended
  expect(code).toBe(130)
  const result = await place.result('broken-off')
  expect(result.status).toBe('aborted')
  expect(result.variants[0]?.phases[0]?.outcome).toMatchObject({ found: null, low: 20, confirmed: false })
})
