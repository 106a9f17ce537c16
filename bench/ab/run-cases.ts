import { mkdir, writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import path from 'node:path'
import { type ab as runBoth } from '../../src/entries/index.ts'
import { type Planted, type PlantedCase } from './planted-case.ts'
import { computeRates, ratesText } from './rates.ts'
import { judgedFigure, type JudgedCase } from './verdicts.ts'

/** The built package: from their sources, the processes of both sides take 1.4 s of CPU more to start. Needs `npm run build`. */
export const built = new URL('../../dist/entries/index.js', import.meta.url)

/** Seconds within which a difference is to be found in turns, all that is started included. */
const budgetSeconds: Readonly<Record<Planted, number>> = { 0: 30, 0.02: 150, 0.05: 45, 0.1: 30, 0.5: 30 }

/** Context that a part of the bench is handed. */
export type PartContext = {
  readonly part: string
  /** The folder for results. */
  readonly out: string
  /** Undefined: turns. */
  readonly rounds: number | undefined
  /** Whether it only shows that the bench works. */
  readonly quick: boolean
  /** How many of each difference, where a part does not need a certain number. */
  readonly comparisons: number
  readonly mongod: () => Promise<string>
  readonly print: (line: string) => void
}

/**
 * Runs comparisons with planted differences one after the other, prints how often they were right, and writes all verdicts to a file.
 * @param facts What else is known about what was planted.
 */
export async function runCases(
  cases: readonly PlantedCase[],
  facts: Readonly<Record<string, unknown>>,
  { part, out, rounds, print }: PartContext,
): Promise<readonly JudgedCase[]> {
  const startedAt = new Date().toISOString()
  const done: JudgedCase[] = []
  for (const [index, one] of cases.entries()) {
    const judged = await runCase(one, path.join(out, part, String(index + 1).padStart(2, '0')), rounds)
    done.push(judged)
    print(formatProgress(done, cases.length))
  }
  const rates = computeRates(done)
  const text = ratesText(rates)
  print(`\n${text}`)
  const result = {
    part,
    startedAt,
    node: process.version,
    cores: cpus().length,
    rounds: rounds ?? 'turns',
    ...facts,
    rates,
    comparisons: done,
  }
  await writeFile(path.join(out, `${part}.json`), `${JSON.stringify(result, null, 2)}\n`)
  await writeFile(path.join(out, `${part}.md`), `${text}\n`)
  print(`\nWritten to ${path.join(out, part)}.json and .md`)
  return done
}

async function runCase(
  { name, planted, spec, options }: PlantedCase,
  out: string,
  rounds: number | undefined,
): Promise<JudgedCase> {
  await mkdir(out, { recursive: true })
  const startMs = performance.now()
  const { ab }: { readonly ab: typeof runBoth } = await import(built.href)
  const ends = rounds === undefined ? { budgetSeconds: budgetSeconds[planted] } : { rounds }
  const { comparison } = await ab(spec, { ...options, ...ends, out, compact: true })
  const seconds = (performance.now() - startMs) / 1000
  return { name, planted, seconds, figures: (comparison?.figures ?? []).map(judgedFigure) }
}

function formatProgress(done: readonly JudgedCase[], of: number): string {
  const last = done.at(-1) as JudgedCase
  const secondsLeft = (done.reduce((sum, { seconds }) => sum + seconds, 0) / done.length) * (of - done.length)
  const verdicts = last.figures.map(
    ({ title, verdict, ratio }) => `${title} ${verdict} (${ratio === null ? 'no ratio' : ratio.toFixed(3)})`,
  )
  return `${done.length} of ${of}: ${last.name}, ${Math.round(100 * last.planted)} %: ${verdicts.join('; ')}; ${Math.ceil(secondsLeft / 60)} min left`
}
