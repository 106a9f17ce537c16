import { Binary, ObjectId } from 'bson'
import { Ledger, LedgerRecord } from '../src/servers/checks/ledger.ts'
import { type Bench } from './benchmark.ts'
import { heldMB } from './collect.ts'

const ids = 1_000_000
const idsPerPart = 10_000

const kinds: Readonly<Record<string, (row: number) => unknown>> = {
  'whole numbers': (row) => row,
  ObjectIds: () => new ObjectId(),
  UUIDs: (row) => new Binary(createUuid(row), Binary.SUBTYPE_UUID),
}

/** Measures what a check costs that notes the id of every operation: time after each, and memory. Parts are taken as often as a busy second would. */
export const ledger: Bench = async ({ print }) => {
  for (const [name, idOf] of Object.entries(kinds)) print(measured(name, idOf))
}

/** In a function of its own, so that what one kind took is free when the next one begins. */
function measured(name: string, idOf: (row: number) => unknown): string {
  const made = Array.from({ length: ids }, (_, row) => idOf(row))
  const before = heldMB()
  const record = new LedgerRecord()
  const ledgerOfAll = new Ledger()
  const start = process.cpuUsage()
  for (const [i, id] of made.entries()) {
    record.note(id, 'acknowledged')
    if ((i + 1) % idsPerPart === 0) ledgerOfAll.add(record.take())
  }
  const nsPerId = (secondsSince(start) * 1e9) / ids
  const bytesPerId = ((heldMB() - before) * 1024 * 1024) / ids
  const closing = process.cpuUsage()
  const closed = ledgerOfAll.close()
  const text = `${nsPerId.toFixed(0)} ns of CPU time and ${bytesPerId.toFixed(1)} bytes for each`
  return `${closed.size} of ${made.length} ${name}: ${text}; closed in ${secondsSince(closing).toFixed(2)} s`
}

function secondsSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1e6
}

function createUuid(row: number): Buffer {
  const bytes = Buffer.alloc(16)
  bytes.writeUInt32LE(row, 4)
  return bytes
}
