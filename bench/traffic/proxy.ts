import { readFile, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { MongoClient } from 'mongodb'
import { type Connection, openConnection } from '../../src/protocol/wire/connection.ts'
import { encodeMessage } from '../../src/protocol/wire/frame.ts'
import { plainSettings } from '../../src/protocol/wire/settings.ts'
import { type BenchContext, interleave, median } from '../benchmark.ts'
import { startTestMongod } from '../start/mongod.ts'
import { main, type RunningProgram, startProgram } from '../start/program.ts'

const sides = ['direct', 'bare proxy', 'record'] as const
const keys = 10_000

/** Passes bytes and does nothing else: what any proxy costs in Node on this machine. */
const bareProxy = `
  const net = require('node:net')
  const server = net.createServer({ noDelay: true }, (near) => {
    const far = net.connect({ port: Number(process.argv[1]), host: '127.0.0.1', noDelay: true })
    near.on('data', (bytes) => far.write(bytes)).on('close', () => far.destroy()).on('error', () => {})
    far.on('data', (bytes) => near.write(bytes)).on('close', () => near.destroy()).on('error', () => {})
  })
  server.listen(0, '127.0.0.1', () => process.stderr.write('127.0.0.1:' + server.address().port + ' leads to it\\n'))
`

/**
 * Measures what `record` adds to a findOne of 300 bytes over one connection, in turns with the same past it and through a bare
 * proxy: latency in the median (goal 60 µs), CPU time of its process per operation (goal 15 µs beyond a bare proxy), and bytes of
 * the recording.
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
  const address = new URL(server.uri).host
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder }
  const bare = startProgram(['-e', bareProxy, address.split(':')[1] ?? ''], folder, env)
  const record = startProgram([main, 'record', '--listen', '127.0.0.1:0', '--to', server.uri, '-o', file], folder, env)
  try {
    const connections = {
      direct: await open(address),
      'bare proxy': await open(await findListener(bare)),
      record: await open(await findListener(record)),
    }
    for (const side of sides) await timeFinds(connections[side], operations / 4)
    const before = [await cpuUs(bare), await cpuUs(record)] as const
    const timed = await interleave(sides, rounds, (side) => timeFinds(connections[side], operations))
    const perOperation = (us: number): number => us / (rounds * operations)
    const cpu = {
      bare: perOperation((await cpuUs(bare)) - before[0]),
      record: perOperation((await cpuUs(record)) - before[1]),
    }
    const medians = sides.map((side) => median(timed[side].map(median)))
    const [direct = 0, throughBare = 0, through = 0] = medians
    for (const side of sides) connections[side].close()
    record.child.kill('SIGINT')
    await record.ended
    print(
      `median of a findOne: ${direct.toFixed(1)} µs; a bare proxy adds ${(throughBare - direct).toFixed(1)} µs, record ${(through - direct).toFixed(1)} µs`,
    )
    print(`CPU per operation: bare proxy ${cpu.bare.toFixed(1)} µs, record ${cpu.record.toFixed(1)} µs`)
    print(`recording: ${((await stat(file)).size / ((rounds + 0.25) * operations)).toFixed(1)} bytes per operation`)
  } finally {
    for (const { child, ended } of [bare, record]) {
      child.kill('SIGKILL')
      await ended
    }
    await rm(folder, { recursive: true })
  }
}

async function findListener({ says }: RunningProgram): Promise<string> {
  const [, listener = ''] = /(\S+) leads to/.exec(await says('leads to')) ?? []
  return listener
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
async function cpuUs({ child }: RunningProgram): Promise<number> {
  const text = await readFile(`/proc/${child.pid}/stat`, 'utf8')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return ((Number(fields[11]) + Number(fields[12])) / ticksPerSecond) * 1_000_000
}
