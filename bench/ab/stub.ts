import { disposeAll } from '../../src/servers/targets/start/start-servers.ts'
import { type SpecInput } from '../../src/spec/spec-input.ts'
import { measureCost, interleave, computeMedian, medianRatio } from '../benchmark.ts'
import { connectPlainSockets } from '../engines/plain-sockets.ts'
import { startStubServer, type StubServer } from '../stub-server/start-stub-server.ts'
import { type Planted, type PlantedCase } from './planted-case.ts'
import { type PartContext, runCases } from './run-cases.ts'
import { type JudgedCase } from './verdicts.ts'

const serviceMs = 2
const workers = 8
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

/** Comparisons of stub servers, half of them of equal ones, and half with one with which round trips of B are 10 % longer. */
export const abOfStubs = (context: PartContext): Promise<readonly JudgedCase[]> => compareStubs([0.1], context)

/**
 * Comparisons of stub servers with the same service time on both sides, and as many for each difference, by which round trips of B are longer. What the
 * servers really do is first measured by sockets, without mongo-perf.
 */
export async function compareStubs(
  differences: readonly Exclude<Planted, 0>[],
  context: PartContext,
): Promise<readonly JudgedCase[]> {
  await using one = await startStubServer({ delayMs: serviceMs })
  await using same = await startStubServer({ delayMs: serviceMs })
  const roundTripMs = computeMedian((await roundTrips({ one, same })).one, (ms) => ms)
  const slower: { readonly planted: Planted; readonly delayMs: number; readonly server: StubServer }[] = []
  await using all = { slower, [Symbol.asyncDispose]: () => disposeAll(slower.map(({ server }) => server)) }
  for (const planted of differences) {
    const delayMs = serviceMs + planted * roundTripMs
    all.slower.push({ planted, delayMs, server: await startStubServer({ delayMs }) })
  }
  const measured = await roundTrips({
    one,
    same,
    ...Object.fromEntries(slower.map(({ planted, server }) => [planted, server])),
  })
  const roundTripRatios = Object.fromEntries(
    Object.entries(measured).map(([name, of]) => [name, medianRatio(of, measured.one, (ms) => ms)]),
  )
  context.print(
    `Service times of ${[serviceMs, ...slower.map(({ delayMs }) => delayMs)].map((ms) => ms.toFixed(3)).join(', ')} ms. By plain sockets, round trips of B are so many times those of A: ${JSON.stringify(roundTripRatios)}.`,
  )
  const cases = Array.from({ length: context.comparisons }, (_, i) => [
    // By turns, so that what differs between two equal processes is not always for the same side.
    i % 2 === 0 ? createCase(0, i, one, same) : createCase(0, i, same, one),
    ...slower.map(({ planted, server }) => createCase(planted, i, one, server)),
  ])
  return await runCases(cases.flat(), { serviceMs, roundTripRatios }, context)
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
