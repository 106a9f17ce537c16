import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { type Json } from '../../src/core/json.ts'
import { type ab as runBoth } from '../../src/entries/index.ts'
import { type Result } from '../../src/results/schema.ts'
import { interleave, median, medianRatio } from '../benchmark.ts'
import { built, type PartContext } from './run-cases.ts'
import { specFile } from './server.ts'

/** A writes little, and is followed by itself or by a side that writes much: 50 documents a call with four more indexes. */
const [little, much]: readonly Readonly<Record<string, Json>>[] = [
  { indexes: 1, documentsPerCall: 10 },
  { indexes: 5, documentsPerCall: 50 },
]
const followers = { little, much }

/** Whether what a side writes is a burden of the other one: throughput of A beside a side that writes much, by that beside a side like itself. */
export async function abCoupling({ part, out, comparisons, mongod, print }: PartContext): Promise<void> {
  const { ab }: { readonly ab: typeof runBoth } = await import(built.href)
  const binary = await mongod()
  let seed = 0
  const measured = await interleave(['little', 'much'], comparisons, async (follower) => {
    const folder = path.join(out, part, String(++seed))
    await mkdir(folder, { recursive: true })
    const sides = { a: { set: { ...little } }, b: { set: { ...followers[follower] } } }
    const { a } = await ab(specFile('index'), { ...sides, seed, budgetSeconds: 30, mongod: binary, out: folder })
    if (!a) throw new Error('A comparison that was not aborted has a result')
    const rate = median(listRates(a))
    print(`A beside a side that writes ${follower}: ${rate.toFixed(0)} calls/s`)
    return rate
  })
  const ratio = medianRatio(measured.much, measured.little, (rate) => rate)
  print(
    `Throughput of A beside one that writes much, by that beside one that writes little: ${ratio.toFixed(3)} (median)`,
  )
}

/** Calls per second in each turn. */
const listRates = ({ variants }: Result): readonly number[] =>
  variants.flatMap(({ phases }) =>
    phases.map(({ operations, wallSeconds }) => operations.reduce((sum, { ok }) => sum + ok, 0) / wallSeconds),
  )
