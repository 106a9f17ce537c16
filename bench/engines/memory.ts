import { findByKey } from '../compiled.ts'
import { startStubServer } from '../stub-server/start-stub-server.ts'
import { verdict } from './goals.ts'
import { type NodeSide, startNodeSide } from './node-side.ts'
import { type Row } from './report.ts'

const keys = 1000
/** Ten million take minutes. */
const powers = [5, 6, 7] as const
/** Factor that a heap that does not grow may differ by. */
const flatWithin = 1.1
const manyConnections = 1000
const operationsOfMany = 50_000
/** Limit on what they take. The whole process has 150 more before it connects, because tsx starts it; the built program has 92. */
const maxMB = 150

/** Memory of the client's process, after a collection, against a server that answers at once. */
export async function memoryRows(): Promise<readonly Row[]> {
  await using server = await startStubServer()
  return [await afterMany(server.uri), await withConnections(server.uri)]
}

async function afterMany(uri: string): Promise<Row> {
  await using side = await start(uri, 32)
  const measured: { readonly power: number; readonly rssMB: number }[] = []
  // What the first run leaves behind for good is its compiled code.
  await side.measure(10 ** powers[0])
  for (const power of powers) {
    await side.measure(10 ** power)
    measured.push({ power, rssMB: await side.rssMB() })
  }
  const growth = (measured.at(-1)?.rssMB ?? 0) / (measured[0]?.rssMB ?? 1)
  return {
    work: `memory after many operations`,
    goal: 'flat',
    measured: `${growth.toFixed(2)} ×, ${verdict(growth <= flatWithin)}`,
    sides: { wire: measured.map(({ power, rssMB }) => `10^${power}: ${rssMB.toFixed(0)} MB`).join('; ') },
  }
}

async function withConnections(uri: string): Promise<Row> {
  await using few = await start(uri, 1)
  await few.measure(operationsOfMany)
  const fewMB = await few.rssMB()
  await using many = await start(uri, manyConnections)
  await many.measure(operationsOfMany)
  const manyMB = await many.rssMB()
  const addedMB = manyMB - fewMB
  return {
    work: `memory of ${manyConnections} connections`,
    goal: `≤ ${maxMB} MB`,
    measured: `${addedMB.toFixed(0)} MB, ${verdict(addedMB <= maxMB)}`,
    sides: { wire: `process with 1: ${fewMB.toFixed(0)} MB; with ${manyConnections}: ${manyMB.toFixed(0)} MB` },
  }
}

const start = (uri: string, workers: number): Promise<NodeSide> =>
  startNodeSide('wire', { uri, spec: findByKey(keys, { kind: 'closed', workers }), workers, keys })
