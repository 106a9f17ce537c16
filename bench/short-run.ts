import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { thisMachine } from '../src/servers/machine.ts'
import { startTarget, targetSpec } from '../src/servers/targets/index.ts'
import { createStartContext } from '../src/servers/targets/start/start-context.ts'
import { type SpecInput } from '../src/spec/spec-input.ts'
import { type Bench, interleave, computeMedian } from './benchmark.ts'
import { runNode } from './run-node.ts'

const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url))

const spec: SpecInput = {
  name: 'short-run',
  target: { kind: 'standalone' },
  data: { collection: 'items', rows: 100, document: { _id: { '@row': {} } } },
  phases: [
    {
      name: 'find',
      operations: [{ kind: 'findOne', filter: { _id: { '@key': {} } } }],
      stopAfter: { operations: 100 },
    },
  ],
}

type RunCost = { readonly wallMs: number; readonly cpuMs: number }

/** CPU time of all processes that this one has waited for, with those that they have waited for. Linux alone reports it. */
function childrenCpuMs(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return (Number(fields[13]) + Number(fields[14])) * 10
}

/** Measures what a run takes besides its hundred operations, on a server of its own and on one that is there. Needs `npm run build`. Goals: 1.5 s and 0.8 s. */
export const shortRun: Bench = async ({ mongod, print, quick }) => {
  const folder = mkdtempSync(join(tmpdir(), 'mongo-perf-short-run-'))
  const file = join(folder, 'spec.json')
  writeFileSync(file, JSON.stringify(spec))
  const binary = await mongod()
  await using context = createStartContext({
    machine: thisMachine(process.env),
    mongod: binary,
    uri: () => undefined,
    allowRemote: false,
    signal: new AbortController().signal,
    log: () => {},
  })
  try {
    await using there = await startTarget(targetSpec.parse({ kind: 'standalone' }), context)
    const settings = { own: ['--mongod', binary], existing: ['--uri', there.uri] } as const
    const servers = ['own', 'existing'] as const
    const measured = await interleave(servers, quick ? 1 : 11, async (server): Promise<RunCost> => {
      const cpuMs = childrenCpuMs()
      const { ms } = runNode([main, 'run', file, '--out', join(folder, server), '--quiet', ...settings[server]])
      return { wallMs: ms, cpuMs: childrenCpuMs() - cpuMs }
    })
    for (const server of servers) {
      const wall = computeMedian(measured[server], ({ wallMs }) => wallMs).toFixed(0)
      const cpu = computeMedian(measured[server], ({ cpuMs }) => cpuMs).toFixed(0)
      print(`${server.padEnd(10)} ${wall.padStart(6)} ms wall ${cpu.padStart(6)} ms CPU`)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
