import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Bench, interleave, computeMedian } from './benchmark.ts'
import { runNode } from './run-node.ts'

const pathInPackage = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url))

const main = pathInPackage('dist/cli/main.js')
const result = pathInPackage('fixtures/results/quickstart/result.json')
const rounds = 9

/** Prints, after everything else, the CPU time of the process. */
const printCpu = `data:text/javascript,process.on('exit',()=>{const{user,system}=process.cpuUsage();console.log('\\n'+(user+system))})`

/**
 * Measures what the starts of commands that need no server cost beside a Node that does nothing, in turns: seconds of CPU and of the clock.
 * Needs `npm run build`. Goals in CPU seconds on a machine where nothing takes 0.04: help 0.10, check 0.34, report 1.16.
 */
export const startup: Bench = async ({ print }) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'mongo-perf-bench-'))
  const commands: Readonly<Record<string, readonly string[]>> = {
    nothing: ['-e', '0'],
    help: [main, '--help'],
    check: [main, 'check', 'quickstart'],
    report: [main, 'report', result, '--out', folder],
  }
  try {
    const measured = await interleave(Object.keys(commands), rounds, async (name) => measureStart(commands[name] ?? []))
    for (const [name, costs] of Object.entries(measured)) {
      const cpu = computeMedian(costs, ({ cpuSeconds }) => cpuSeconds)
      const wall = computeMedian(costs, ({ wallSeconds }) => wallSeconds)
      print(`${name.padEnd(8)} ${cpu.toFixed(2).padStart(6)} s CPU ${wall.toFixed(2).padStart(6)} s`)
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function measureStart(args: readonly string[]): { readonly cpuSeconds: number; readonly wallSeconds: number } {
  const { ms, stdout } = runNode(['--import', printCpu, ...args])
  const cpuUs = stdout.trimEnd().split('\n').at(-1)
  return { cpuSeconds: Number(cpuUs) / 1e6, wallSeconds: ms / 1000 }
}
