import { expect, test } from 'vitest'
import { run } from '../../../src/entries/index.ts'
import { type PhaseResult } from '../../../src/results/schema.ts'
import { fail } from '../../fakes/fail.ts'
import { sharedServer } from '../support/shared-servers.ts'

const server = sharedServer()

async function pausing(engine: 'driver' | 'wire', threads: number): Promise<PhaseResult> {
  const { variants } = await run(
    {
      name: `pauses-${engine}-${threads}`,
      engine,
      data: { collection: 'things', rows: 100, document: { _id: { '@row': {} } } },
      phases: [
        {
          name: 'read',
          load: { kind: 'closed', workers: 4, threads },
          stopAfter: { operations: 12 },
          operations: [{ kind: 'findOne', filter: { _id: { '@key': {} } }, pause: 0.4 }],
        },
      ],
    },
    { uri: server.uri },
  )
  return variants[0]?.phases[0] ?? fail('no phase')
}

test('workers of both engines and of threads pause after their calls, which are the same', async () => {
  const phases = [await pausing('driver', 1), await pausing('wire', 1), await pausing('wire', 2)]
  for (const { operations, pauses, littlesLaw, wallSeconds, warnings } of phases) {
    expect([operations[0]?.ok, pauses, littlesLaw]).toEqual([12, true, null])
    // Three calls of each worker, the first of them in the course of a pause, and two pauses between them.
    expect(wallSeconds).toBeGreaterThan(0.8)
    expect(operations[0]?.latency.ok?.p50Ms).toBeLessThan(400)
    expect(warnings.map(({ code }) => code)).not.toContain('idle-workers')
  }
  expect(new Set(phases.map(({ digest }) => digest)).size).toBe(1)
})
