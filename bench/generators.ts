import { Bench as Tinybench } from 'tinybench'
import { type Json } from '../src/core/json.ts'
import { placeKey, Stream } from '../src/core/random.ts'
import { createDistributionPicker, distributions } from '../src/language/generators/distributions/index.ts'
import { generators } from '../src/language/generators/index.ts'
import { createDrawContext } from '../src/language/values/draw-context.ts'
import { LatencyRecord } from '../src/load/measure/latency.ts'
import { type Bench } from './benchmark.ts'
import { compileJson } from './values.ts'

/** One draw takes no longer than reading the clock does, so many are timed at once. */
const drawsPerRound = 1000
const rounds = { iterations: 50, time: 200, warmupTime: 100 }
const rows = 1_000_000

/** Makes draw number n. */
type Draw = (n: number) => unknown

/** Measures what the hot pieces cost that a call or a document is made of: each generator by its example, each distribution, two documents, a sample. */
export const generatorsBench: Bench = async ({ print }) => {
  const tasks: readonly (readonly [string, Draw])[] = [
    ...generators.map(({ keyword, example }) => [keyword, compileDraw({ [keyword]: example })] as const),
    ...distributions.map(({ kind }) => [`${kind} of ${rows} rows`, createPick(kind)] as const),
    ['document of ten fields', compileDraw(tenFields)],
    ['document of 1 KB, @filler', compileDraw({ '@filler': { sizeKB: 1, fields: { _id: { '@row': {} } } } })],
    ['sample into a histogram', recordSample()],
  ]
  const bench = new Tinybench(rounds)
  for (const [name, draw] of tasks) bench.add(name, inRounds(draw))
  await bench.run()
  print(`${''.padEnd(28)} ${'median'.padStart(8)} ${'p99'.padStart(8)}  ns per draw`)
  for (const { name, result } of bench.tasks) {
    if (result.state !== 'completed') throw new Error(`${name}: ${result.state}`)
    const { p50, p99 } = result.latency
    print(`${name.padEnd(28)} ${nsPerDraw(p50)} ${nsPerDraw(p99)}`)
  }
}

/** Formats the milliseconds of a round as ns per draw. */
const nsPerDraw = (ms: number): string => ((ms * 1e6) / drawsPerRound).toFixed(0).padStart(8)

/** Last value made, kept so that making it cannot be optimised away. */
let last: unknown

function inRounds(draw: Draw): () => void {
  let n = 0
  return () => {
    for (const end = n + drawsPerRound; n < end; n++) last = draw(n)
    if (last === undefined) throw new Error('Nothing was drawn')
  }
}

const compileDraw = (expression: Json): Draw => compileJson(expression, { rows }).at

function createPick(kind: string): Draw {
  const pick = createDistributionPicker({ kind }, rows, new Stream(placeKey(1, kind)))
  const moment = createDrawContext()
  return (n) => {
    moment.n = n
    return pick(moment)
  }
}

function recordSample(): Draw {
  const samples = new LatencyRecord()
  // 0.1 to about 100 ms, without a random number per sample.
  return (n) => {
    samples.add(100 + ((n * 7919) % 100_000))
    return samples
  }
}

const tenFields: Json = {
  _id: { '@objectId': {} },
  customer: { '@long': { min: 1, max: 1_000_000 } },
  account: { '@businessId': {} },
  status: { '@choice': { values: ['open', 'paid', 'sent'], weights: [1, 3, 6] } },
  total: { '@decimal': { min: 1, max: 500 } },
  placed: { '@date': {} },
  score: { '@double': {} },
  items: { '@array': { size: 3, of: { '@int': { min: 1, max: 100 } } } },
  note: { '@string': { length: 20 } },
  open: true,
}
