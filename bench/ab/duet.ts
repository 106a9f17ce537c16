import { tableOfCells } from '../../src/report/markdown/table.ts'
import { median } from '../benchmark.ts'
import { type PartContext } from './run-cases.ts'
import { readsOnServer } from './server.ts'
import { compareStubs } from './stub.ts'
import { isFalse, isFound, type JudgedCase } from './verdicts.ts'

/** The two ways of a comparison, by its rounds of whole runs. */
const ways = [
  { way: 'turns', rounds: undefined },
  { way: 'whole runs', rounds: 10 },
] as const

const servers = [
  { on: 'stub', compare: (context: PartContext) => compareStubs([0.1, 0.05], context) },
  { on: 'mongod', compare: (context: PartContext) => readsOnServer([0, 0.1, 0.05], context) },
] as const

type Done = { readonly on: string; readonly way: string; readonly cases: readonly JudgedCase[] }

/** The same comparisons in turns and in rounds of whole runs: how often each way is right, and how long it takes. */
export async function abBothWays(context: PartContext): Promise<void> {
  const done: Done[] = []
  for (const { on, compare } of servers)
    for (const { way, rounds } of ways) {
      const part = `${context.part}-${on}-${way.replace(' ', '-')}`
      context.print(`\n${on}, ${way}`)
      done.push({ on, way, cases: await compare({ ...context, part, rounds: rounds && (context.rounds ?? rounds) }) })
    }
  context.print(`\n${formatWays(done)}`)
}

/** A table of what both ways found, with the seconds that a comparison took, all that was started included. */
export function formatWays(done: readonly Done[]): string {
  const lines = done.flatMap(({ on, way, cases }) =>
    [...new Set(cases.map(({ planted }) => planted))]
      .toSorted((one, other) => one - other)
      .map((planted) => {
        const those = cases.filter((one) => one.planted === planted)
        const seconds = those.map((one) => one.seconds)
        return [
          on,
          `${Math.round(100 * planted)} %`,
          way,
          String(those.length),
          String(those.filter(isFalse).length),
          planted === 0 ? '' : String(those.filter(isFound).length),
          median(seconds).toFixed(1),
          Math.max(...seconds).toFixed(1),
        ]
      }),
  )
  const head = ['Server', 'Planted', 'Way', 'Comparisons', 'False', 'Found', 'Seconds (median)', 'Seconds (maximum)']
  return tableOfCells([head, ...lines.toSorted(byServerAndSize)])
}

const byServerAndSize = (
  [on = '', planted = '']: readonly string[],
  [other = '', size = '']: readonly string[],
): number => other.localeCompare(on) || Number.parseInt(planted, 10) - Number.parseInt(size, 10)
