import { basename, join } from 'node:path'
import { ab } from '../verdicts/ab/ab.ts'
import { type AbOutcome } from '../verdicts/ab/run-rounds.ts'
import { minRounds } from '../statistics/estimate.ts'
import { Problem, problems } from '../core/errors.ts'
import { type CliContext } from './cli-context.ts'
import { type AbFlags } from './commands/ab.ts'
import { compareOptionsOf } from './options/comparison-options.ts'
import { parseSide } from './options/parse-side.ts'
import { overridesOf } from './options/spec-options.ts'
import { readUris } from './options/uris.ts'
import { previousKept } from './results/previous-kept.ts'
import { printComparison } from './results/print-comparison.ts'
import { findSpecs } from './specs/find-specs.ts'
import { showRounds } from './terminal/show-rounds.ts'

const defaultBudgetSeconds = 600

/** Runs both sides in turn, and prints what differs. */
export async function runAb(given: string, other: string | undefined, flags: AbFlags, cli: CliContext): Promise<void> {
  const { rounds, quiet = false, format, strict = false } = flags
  const [sideA, sideB] = [parseSide(flags.a ?? [], 'A'), parseSide(flags.b ?? [], 'B')]
  const { replacement, named, get } = readUris(flags.uri ?? [], cli.env)
  const spec = await findSpec(given)
  const otherSpec = other === undefined ? {} : { spec: await findSpec(other) }
  const untilClear = untilClearOf(flags)
  const out = flags.out ?? join('mongo-perf-results', `${basename(spec, '.json')}-ab`)
  const printStatus = (text: string): void => (quiet ? undefined : cli.printStatus(text))
  if (rounds !== undefined && rounds < minRounds)
    printStatus(`${rounds === 1 ? '1 round has' : `${rounds} rounds have`} no verdict: it takes ${minRounds}\n`)
  const outcome = await ab(spec, {
    ...compareOptionsOf(flags),
    ...overridesOf(flags),
    a: { ...(other !== undefined && { spec }), ...sideA.options },
    b: { ...otherSpec, ...sideB.options },
    out,
    rounds,
    untilClear,
    seed: flags.seed,
    uriFrom: replacement !== undefined || flags.target === 'existing' ? 'MONGO_PERF_URI' : undefined,
    uris: {
      ...Object.fromEntries(named.map((variable) => [variable, get(variable) ?? ''])),
      ...(replacement !== undefined && { MONGO_PERF_URI: replacement }),
      ...sideA.uris,
      ...sideB.uris,
    },
    allowRemote: flags.allowRemote === true,
    functions: flags.functions,
    mongod: flags.mongod,
    compact: flags.compact === true,
    env: cli.env,
    signal: cli.stop,
    onPrevious: (place) => printStatus(previousKept(place)),
    ...(!quiet && { onProgress: showRounds(cli) }),
  })
  printStatus(endTexts[outcome.ended])
  await show(outcome, { format, strict, out, html: flags.html, quiet }, cli)
}

const endTexts: Readonly<Record<AbOutcome['ended'], string>> = {
  rounds: '',
  clear: 'all verdicts are clear\n',
  budget: 'the budget is spent\n',
  aborted: '',
}

async function show(
  { a, b, comparison, ended }: AbOutcome,
  options: Parameters<typeof printComparison>[1],
  cli: CliContext,
): Promise<void> {
  if (a !== null && b !== null && comparison !== null)
    await printComparison({ a: [a], b: [b], comparison }, options, cli)
  else cli.printStatus('there is nothing to compare: no round was finished\n')
  if (ended === 'aborted') cli.exitWith(problems.aborted.exitCode)
}

async function findSpec(given: string): Promise<string> {
  const [file, ...others] = await findSpecs(given)
  if (file !== undefined && others.length === 0) return file
  throw new Problem('usage', `${given} is a folder of ${others.length + 1} specs, and each side runs one`, {
    hint: 'Name one spec. For several, run them apart with --out, and `mongo-perf compare` the results.',
  })
}

function untilClearOf({ untilClear, budget }: AbFlags): { readonly budgetSeconds: number } | undefined {
  if (untilClear === true) return { budgetSeconds: budget ?? defaultBudgetSeconds }
  if (budget === undefined) return undefined
  throw new Problem('usage', '--budget is the time of --until-clear', {
    hint: 'Add --until-clear, or fix the number of rounds with --rounds.',
  })
}
