import { Binary, ObjectId } from 'bson'
import { Ledger } from '../src/checks/ledger.ts'
import { type Bench } from './benchmark.ts'

const ids = 1_000_000

const kinds: Readonly<Record<string, (row: number) => unknown>> = {
  'whole numbers': (row) => row,
  ObjectIds: () => new ObjectId(),
  UUIDs: (row) => new Binary(uuidOf(row), Binary.SUBTYPE_UUID),
}

/** What a check costs that notes the id of every call: time after each call, and memory. Run with `--expose-gc`. */
export const ledger: Bench = async ({ print }) => {
  for (const [name, idOf] of Object.entries(kinds)) print(measured(name, idOf))
}

/** In a function of its own, so that what one kind took is free when the next one begins. */
function measured(name: string, idOf: (row: number) => unknown): string {
  const made = Array.from({ length: ids }, (_, row) => idOf(row))
  const before = bytesHeld()
  const noted = new Ledger()
  const start = process.cpuUsage()
  for (const id of made) noted.note(id, 'acknowledged')
  const nsPerId = (secondsSince(start) * 1e9) / ids
  const bytesPerId = (bytesHeld() - before) / ids
  const closing = process.cpuUsage()
  const closed = noted.close()
  const text = `${nsPerId.toFixed(0)} ns of CPU time and ${bytesPerId.toFixed(1)} bytes for each`
  return `${closed.size} of ${made.length} ${name}: ${text}; closed in ${secondsSince(closing).toFixed(2)} s`
}

function secondsSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1e6
}

function bytesHeld(): number {
  globalThis.gc?.()
  return process.memoryUsage().arrayBuffers
}

function uuidOf(row: number): Buffer {
  const bytes = Buffer.alloc(16)
  bytes.writeUInt32LE(row, 4)
  return bytes
}
