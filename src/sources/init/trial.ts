import { Problem } from '../../core/errors.ts'
import { type JsonObject } from '../../core/json.ts'
import { runBenchmark } from '../../run/benchmark.ts'
import { createRunEnvironment } from '../../run/run-environment.ts'
import { type StartContext } from '../../servers/targets/target.ts'
import { loadSpecText } from '../../spec/load-spec.ts'
import { printSpec } from '../../spec/parse/print-spec.ts'
import { type MadeSpec } from './draft.ts'

/** An operation of a spec, and how many documents its calls had each in the profile. */
export type Expected = { readonly operation: JsonObject; readonly perCall: number }

const callsEach = 100
const maxSeconds = 30
/** Difference that is no note. */
const tolerance = 0.2
/** Fewer calls say nothing about their mean. */
const minCalls = 10

/** Runs the operations on a server of our own with the data of the spec, and says which find more or fewer documents. */
export async function tryOperations(
  { spec }: MadeSpec,
  expected: readonly Expected[],
  start: StartContext,
): Promise<readonly string[]> {
  if (expected.length === 0) return []
  try {
    const operations = await run(spec, expected, start)
    const different = expected.flatMap(({ operation: { name }, perCall }) => {
      const found = operations.find((one) => one.name === name)
      if (!found || found.ok + found.failed < minCalls) return [`${String(name)} (too slow to be tried)`]
      const here = Math.max(found.documents ?? 0, found.matched) / Math.max(1, found.ok)
      if (found.failed > 0) return [`${String(name)} (fails here: ${found.errors[0]?.message ?? 'no reason'})`]
      // The mean of so few calls is not exact.
      const chance = 2 * Math.sqrt(perCall / found.ok)
      return Math.abs(here - perCall) <= Math.max(tolerance * perCall, chance)
        ? []
        : [`${String(name)} (${shown(here)} per call here, ${shown(perCall)} in the profile)`]
    })
    return different.length === 0
      ? [
          `Each of the ${expected.length} operations that find documents was tried: as many as in the profile, within 20 %.`,
        ]
      : [`Operations that find more or fewer documents than in the profile: ${different.join(', ')}.`]
  } catch (error) {
    if (!(error instanceof Problem) || start.signal.aborted) throw error
    return [`The operations were not tried on the made-up data: ${error.message}.`]
  }
}

const shown = (number: number): string => String(Number(number.toPrecision(3)))

async function run(spec: JsonObject, expected: readonly Expected[], start: StartContext) {
  const { name = '', parameters, data = null } = spec
  const { workers: _, seconds: __, warmupSeconds: ___, ...documents } = parameters as JsonObject
  const phase = {
    name: 'trial',
    load: { kind: 'closed', workers: 1 },
    stopAfter: { operations: callsEach * expected.length, seconds: maxSeconds },
    operations: expected.map(({ operation }) => ({ ...operation, weight: 1 })),
  }
  const loaded = loadSpecText(
    printSpec({ name, target: { kind: 'standalone' }, parameters: documents, data, phases: [phase] }),
    'trial',
  )
  const result = await runBenchmark(loaded, createRunEnvironment(start), { start })
  if (start.signal.aborted) throw new Problem('aborted', 'Stopped before a spec was written', { hint: 'Run it again.' })
  return result.variants[0]?.phases[0]?.operations ?? []
}
