import { readFile, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { MongoClient } from 'mongodb'
import { type Connection, openConnection } from '../../src/protocol/wire/connection.ts'
import { encodeMessage } from '../../src/protocol/wire/frame.ts'
import { plainSettings } from '../../src/protocol/wire/settings.ts'
import { type BenchContext, interleave, median } from '../benchmark.ts'
import { startTestMongod } from '../start/mongod.ts'
import { main, startProgram } from '../start/program.ts'

const sides = ['direct', 'through the proxy'] as const
const keys = 10_000

/**
 * Measures what `record` adds to a findOne of 300 bytes over one connection, in turns with the same past it: latency in the
 * median (goal 60 µs), CPU time of its process per operation (goal 15 µs), and bytes of the recording.
 */
export async function proxyCost({ mongod, print, quick }: BenchContext): Promise<void> {
  const [rounds, operations] = quick ? [2, 2000] : [7, 20_000]
  const folder = await mkdtemp(path.join(tmpdir(), 'mongo-perf-bench-'))
  await using server = await startTestMongod(await mongod())
  await using client = new MongoClient(server.uri)
  await client
    .db('bench')
    .collection<{ _id: number; text: string }>('documents')
    .insertMany(Array.from({ length: keys }, (_, _id) => ({ _id, text: 'x'.repeat(250) })))
  const file = path.join(folder, 'a.mprec')
  const args = [main, 'record', '--listen', '127.0.0.1:0', '--to', server.uri, '-o', file]
  const { child, says, ended } = startProgram(args, folder, { PATH: process.env['PATH'] ?? '', HOME: folder })
  try {
    const [, listener = ''] = /(\S+) leads to/.exec(await says('leads to')) ?? []
    const address = new URL(server.uri).host
    const connections = { direct: await open(address), 'through the proxy': await open(listener) }
    for (const side of sides) await timeFinds(connections[side], operations / 4)
    const cpuBefore = await cpuUs(child.pid)
    const timed = await interleave(sides, rounds, (side) => timeFinds(connections[side], operations))
    const cpu = ((await cpuUs(child.pid)) - cpuBefore) / (rounds * operations)
    const [direct, through] = sides.map((side) => median(timed[side].map(median)))
    for (const side of sides) connections[side].close()
    child.kill('SIGINT')
    await ended
    print(`median of a findOne: ${direct?.toFixed(1)} µs, through the proxy ${through?.toFixed(1)} µs`)
    print(
      `added: ${((through ?? 0) - (direct ?? 0)).toFixed(1)} µs; CPU of the proxy: ${cpu.toFixed(1)} µs per operation`,
    )
    print(`recording: ${((await stat(file)).size / ((rounds + 0.25) * operations)).toFixed(1)} bytes per operation`)
  } finally {
    child.kill('SIGKILL')
    await ended
    await rm(folder, { recursive: true })
  }
}

const open = (address: string): Promise<Connection> => openConnection({ ...plainSettings(address), appName: 'bench' })

/** Times of finds one after the other, in µs. */
async function timeFinds(connection: Connection, operations: number): Promise<readonly number[]> {
  const times: number[] = []
  for (let i = 0; i < operations; i++) {
    const command = { find: 'documents', filter: { _id: (i * 7919) % keys }, limit: 1, singleBatch: true, $db: 'bench' }
    const message = encodeMessage(command, i + 1)
    const startMs = performance.now()
    await new Promise<void>((resolve, reject) =>
      connection.send(message, { onReply: () => resolve(), onFailure: reject }),
    )
    times.push((performance.now() - startMs) * 1000)
  }
  return times
}

const ticksPerSecond = 100

/** CPU time of a process so far, user and system. */
async function cpuUs(pid: number | undefined): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return ((Number(fields[11]) + Number(fields[12])) / ticksPerSecond) * 1_000_000
}
