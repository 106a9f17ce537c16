import { readFileSync } from 'node:fs'
import { type Bench, interleave, computeMedian } from './benchmark.ts'
import { runNode } from './run-node.ts'

const rounds = 15

const root = new URL('../', import.meta.url)

const { exports: subpaths } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as {
  readonly exports: Readonly<Record<string, string | { readonly default: string }>>
}

/** They work in their test runners alone, which have loaded the rest of what they import. */
const leftOut: ReadonlySet<string> = new Set(['./vitest', './jest'])

const nothing = 'nothing'

/** The modules that the package exports, by the name that they are imported by. */
const modules = new Map(
  Object.entries(subpaths).flatMap(([subpath, target]) =>
    typeof target === 'string' || leftOut.has(subpath)
      ? []
      : [[subpath.replace('.', 'mongo-perf'), new URL(target.default, root).href] as const],
  ),
)

type ImportCost = { readonly ms: number; readonly mb: number }

/**
 * Measures what importing each part of the package costs beside a Node that imports nothing, in turns: time until the process has ended, and its memory then.
 * Needs `npm run build`. Goal for `mongo-perf/testing`: less than 150 ms and 40 MB.
 */
export const imports: Bench = async ({ print }) => {
  const measured = await interleave([nothing, ...modules.keys()], rounds, async (name) =>
    measureImport(modules.get(name)),
  )
  const ofNothing = measured[nothing] ?? []
  const bare = { ms: computeMedian(ofNothing, ({ ms }) => ms), mb: computeMedian(ofNothing, ({ mb }) => mb) }
  print(`${nothing.padEnd(20)} ${bare.ms.toFixed(0).padStart(6)} ms ${bare.mb.toFixed(1).padStart(6)} MB`)
  for (const name of modules.keys()) {
    const ms = computeMedian(measured[name] ?? [], (cost) => cost.ms) - bare.ms
    const mb = computeMedian(measured[name] ?? [], (cost) => cost.mb) - bare.mb
    print(`${name.padEnd(20)} ${`+${ms.toFixed(0)}`.padStart(6)} ms ${`+${mb.toFixed(1)}`.padStart(6)} MB`)
  }
}

function measureImport(module: string | undefined): ImportCost {
  const load = module === undefined ? '' : `await import(${JSON.stringify(module)});`
  const { ms, stdout } = runNode(['--input-type=module', '-e', `${load}console.log(process.memoryUsage.rss())`])
  return { ms, mb: Number(stdout) / 1024 ** 2 }
}
