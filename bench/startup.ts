import { fileURLToPath } from 'node:url'
import { type Bench, median } from './benchmark.ts'
import { runNode } from './run-node.ts'

const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url))
const rounds = 20

/** What `mongo-perf --help` costs beside a Node that does nothing, in turns. Needs `npm run build`. Goal: well under 2 times. */
export const startup: Bench = async ({ print }) => {
  const nothing: number[] = []
  const help: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    nothing.push(runNode(['-e', '0']).ms)
    help.push(runNode([main, '--help']).ms)
  }
  print(`node -e 0          ${median(nothing).toFixed(0).padStart(5)} ms`)
  print(`mongo-perf --help  ${median(help).toFixed(0).padStart(5)} ms`)
  print(`ratio              ${(median(help) / median(nothing)).toFixed(2).padStart(5)}`)
}
