import { defineSpec, type PhaseResult, run } from '../src/index.ts'
import { startTestMongod } from '../test/integration/start-mongod.ts'
import { type Bench, median } from './benchmark.ts'

const sides = [1, 2, 3]
const rounds = 3
const workers = 24
const operations = 40_000

type Cost = { readonly opsPerSecond: number; readonly cpuUsPerOp: number }

/**
 * What more threads of load bring and cost: `findOne` by key over 1, 2 and 3 threads, in turns against one server. CPU is that
 * of the client, main thread included. On a machine that server and client share, they also take it from each other.
 */
export const threads: Bench = async ({ mongod, print }) => {
  await using server = await startTestMongod(await mongod())
  const costs = new Map(sides.map((side): [number, Cost[]] => [side, []]))
  for (let round = 0; round < rounds; round += 1) {
    // Who goes first takes turns too.
    for (const side of round % 2 === 0 ? sides : sides.toReversed())
      costs.get(side)?.push(await measure(server.uri, side))
  }
  for (const [side, measured] of costs) {
    const opsPerSecond = median(measured.map((cost) => cost.opsPerSecond))
    const cpuUsPerOp = median(measured.map((cost) => cost.cpuUsPerOp))
    print(
      `${side} ${side === 1 ? 'thread ' : 'threads'} ${opsPerSecond.toFixed(0).padStart(8)} ops/s ${cpuUsPerOp.toFixed(1).padStart(8)} µs CPU/op`,
    )
  }
}

async function measure(uri: string, side: number): Promise<Cost> {
  const spec = defineSpec({
    name: 'threads',
    data: {
      collection: 'items',
      rows: 1000,
      document: { '@filler': { sizeKB: 1, fields: { _id: { '@row': {} } } } },
    },
    phases: [
      {
        name: 'read',
        load: { kind: 'closed', workers, threads: side },
        warmup: { operations: operations / 4 },
        stopAfter: { operations },
        operations: [{ kind: 'findOne', filter: { _id: { '@key': { distribution: 'uniform' } } } }],
      },
    ],
  })
  const { variants } = await run(spec, { uri })
  return costOf(variants[0]?.phases[0])
}

function costOf(phase: PhaseResult | undefined): Cost {
  if (!phase) throw new Error('The phase has no result')
  const { wallSeconds, client } = phase
  return {
    opsPerSecond: operations / wallSeconds,
    cpuUsPerOp: (client.cpuPercent / 100) * ((wallSeconds * 1e6) / operations),
  }
}
