import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { type Bench, median } from './benchmark.ts'

const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url))
const rounds = 20

/** What `mongo-perf --help` costs beside a Node that does nothing, in turns. Needs `npm run build`. Goal: well under 2 times. */
export const startup: Bench = async ({ print }) => {
  const nothing: number[] = []
  const help: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    nothing.push(millisecondsOf(['-e', '0']))
    help.push(millisecondsOf([main, '--help']))
  }
  print(`node -e 0          ${median(nothing).toFixed(0).padStart(5)} ms`)
  print(`mongo-perf --help  ${median(help).toFixed(0).padStart(5)} ms`)
  print(`ratio              ${(median(help) / median(nothing)).toFixed(2).padStart(5)}`)
}

function millisecondsOf(args: readonly string[]): number {
  const startMs = performance.now()
  const { status } = spawnSync(process.execPath, args, { stdio: 'ignore' })
  if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}: is the program built?`)
  return performance.now() - startMs
}
