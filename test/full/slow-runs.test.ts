import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { type Result, type VariantResult } from '../../src/results/schema.ts'
import { workplace } from '../contract/support/program.ts'
import { sharedServer } from '../contract/support/shared-servers.ts'
import { fewReads } from '../contract/support/specs.ts'
import { fail } from '../fakes/fail.ts'

const server = sharedServer()

const spec = fewReads({
  // So long that its state of the machine is judged.
  phases: [{ name: 'read', stopAfter: { seconds: 5.1 }, operations: [{ kind: 'findOne', filter: { _id: 5 } }] }],
  report: { tables: [{ title: 'Speed', columns: ['runs'] }] },
})

/** A run on a machine that is slower by far than the one here, so that chance decides nothing. */
const asOnSlowMachine = (variant: VariantResult, run: number, slower: number): VariantResult => ({
  ...variant,
  run,
  phases: variant.phases.map((phase) => ({
    ...phase,
    client: { ...phase.client, cpuPercent: phase.client.cpuPercent * 100 * slower },
    members: phase.members.map((member) => ({
      ...member,
      totals: { ...member.totals, processCpuUs: (member.totals.processCpuUs ?? fail('no CPU time')) * slower },
    })),
  })),
})

const attempts = ({ variants }: Result): readonly unknown[] =>
  variants.map(({ run, attempt, excludedBecause }) => [run, attempt, excludedBecause])

test('a run in a slow state of the machine is run again, once of three, also when the others are kept', async () => {
  await using place = await workplace(server)
  const file = await place.spec(spec)
  expect((await place.run(['run', file])).code).toBe(0)
  const once = await place.result('few-reads')
  const variants = once.variants.flatMap((variant) =>
    [1, 2, 1].map((slower, i) => asOnSlowMachine(variant, i + 1, slower)),
  )
  const stored = path.join(place.folder, 'mongo-perf-results', 'few-reads', 'result.json')
  await writeFile(stored, JSON.stringify({ ...once, variants }))

  const resumed = await place.run(['run', file, '--repeat', '3', '--resume'])
  expect(resumed.code).toBe(0)
  const result = await place.result('few-reads')
  const because = String(result.variants[1]?.excludedBecause)
  expect(because).toSay('run-slow-reason', { more: 100 })
  expect(resumed.stderr).toHaveLine('progress-again-only-row', { because })
  expect(resumed.stdout).toHaveLine('slow-runs-remark')
  expect(attempts(result)).toEqual([
    [1, 1, null],
    [2, 1, because],
    [3, 1, null],
    [2, 2, null],
  ])
  expect([result.status, result.spec.repeat]).toEqual(['done', { times: 3, startUpRuns: 0, rerunSlow: 1 }])
  const [slow, again] = [result.variants[1], result.variants[3]]
  expect(again?.phases[0]?.digest).not.toBe('')
  expect(again?.startedAt).not.toBe(slow?.startedAt)

  const report = await place.run(['report', stored])
  expect(report.stdout).toMatch(/\| .*\b3 /)
  expect(report.stdout.split(/; |\._/)).toHaveLine('run-again-fact')

  const third = await place.run(['run', file, '--repeat', '3', '--resume'])
  expect([third.code, await place.result('few-reads')]).toEqual([0, result])
})
