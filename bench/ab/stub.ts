import { type SpecInput } from '../../src/spec/spec-input.ts'
import { measureCost, interleave, computeMedian, medianRatio } from '../benchmark.ts'
import { connectPlainSockets } from '../engines/plain-sockets.ts'
import { startStubServer, type StubServer } from '../stub-server/start-stub-server.ts'
import { type Planted, type PlantedCase } from './planted-case.ts'
import { type PartContext, runCases } from './run-cases.ts'

const serviceMs = 2
const workers = 8
const comparisonsOfSize = 20
/** Operations in a round of a direct measurement. */
const operationsOfRound = 2000

const spec: SpecInput = {
  name: 'stub',
  engine: 'wire',
  target: { kind: 'existing' },
  data: { collection: 'documents', existing: 'stub.documents' },
  phases: [
    {
      name: 'read',
      load: { kind: 'closed', workers },
      warmup: { seconds: 0.1 },
      stopAfter: { seconds: 0.5 },
      operations: [{ kind: 'findOne', filter: { _id: 1 } }],
    },
  ],
}

/**
 * Comparisons of stub servers: half of them have the same service time on both sides, and half have one with which round trips of B are 10 % longer. What the
 * servers really do is first measured by sockets, without mongo-perf.
 */
export async function abOfStubs(context: PartContext): Promise<void> {
  await using one = await startStubServer({ delayMs: serviceMs })
  await using same = await startStubServer({ delayMs: serviceMs })
  const slowerMs = serviceMs + 0.1 * computeMedian((await roundTrips({ one, same })).one, (ms) => ms)
  await using slower = await startStubServer({ delayMs: slowerMs })
  const measured = await roundTrips({ one, same, slower })
  const ratioTo = (of: readonly number[]): number => medianRatio(of, measured.one, (ms) => ms)
  const roundTripRatios = { same: ratioTo(measured.same), slower: ratioTo(measured.slower) }
  context.print(
    `Service times of ${serviceMs} and ${slowerMs.toFixed(3)} ms. By plain sockets, round trips of B are ${roundTripRatios.same.toFixed(3)} (0 %) and ${roundTripRatios.slower.toFixed(3)} (10 %) times those of A.`,
  )
  const cases = Array.from({ length: context.quick ? 1 : comparisonsOfSize }, (_, i) => [
    // By turns, so that what differs between two equal processes is not always for the same side.
    i % 2 === 0 ? createCase(0, i, one, same) : createCase(0, i, same, one),
    createCase(0.1, i, one, slower),
  ])
  await runCases(cases.flat(), { serviceMs, slowerMs, roundTripRatios }, context)
}

const createCase = (planted: Planted, seed: number, a: StubServer, b: StubServer): PlantedCase => ({
  name: 'service time',
  planted,
  spec,
  options: {
    a: { uriFrom: 'MONGO_PERF_URI_A' },
    b: { uriFrom: 'MONGO_PERF_URI_B' },
    uris: { MONGO_PERF_URI_A: a.uri, MONGO_PERF_URI_B: b.uri },
    seed,
  },
})

/** Mean round trips in milliseconds, of several rounds, with as many workers as in the comparisons. */
async function roundTrips<Name extends string>(
  servers: Readonly<Record<Name, StubServer>>,
): Promise<Readonly<Record<Name, readonly number[]>>> {
  const names = Object.keys(servers) as Name[]
  const connected = await Promise.all(
    names.map(
      async (name) => [name, await connectPlainSockets({ uri: servers[name].uri, spec, workers, keys: 1 })] as const,
    ),
  )
  const measure = new Map(connected)
  return interleave(names, 6, async (name) => {
    const { wallUs } = await measureCost(
      () => measure.get(name)?.(operationsOfRound) ?? Promise.resolve(),
      operationsOfRound,
    )
    return (workers * wallUs) / 1000
  })
}
