import { join, parse as parsePath } from 'node:path'
import { Problem, problems } from '../../core/errors.ts'
import { ratioText } from '../../metrics/format.ts'
import { minRounds } from '../../statistics/estimate.ts'
import { ab } from '../../verdicts/ab/ab.ts'
import { type AbOutcome, type AbProgress } from '../../verdicts/ab/run-rounds.ts'
import { type SideOptions } from '../../verdicts/ab/sides.ts'
import { type CliContext } from '../cli-context.ts'
import { type AbFlags } from '../commands/ab.ts'
import { parseSetting } from '../options/arguments.ts'
import { toCompareOptions } from '../options/comparison-options.ts'
import { resultsFolder } from '../options/config-file.ts'
import { readUris } from '../options/servers.ts'
import { toOverrides, parseEngine } from '../options/spec-options.ts'
import { printComparison } from '../results/print-comparison.ts'
import { previousKept, whatStays } from '../results/write-report.ts'
import { findSpecs } from '../specs/find-specs.ts'
import { envWith } from '../start-context.ts'
import { showFetching } from '../terminal/show-fetching.ts'
import { describeEvent, durationText } from '../terminal/show-progress.ts'
import { type AbOfReplay, isRecording, prepareAbOfReplay, refuseReplayWays } from './ab-replay.ts'

/** Default budget of rounds that are added until it is clear. */
const defaultBudgetSeconds = 600

/** Runs both sides in turn, and prints what differs. */
export async function runAb(
  given: string | undefined,
  other: string | undefined,
  flags: AbFlags,
  cli: CliContext,
): Promise<void> {
  if (given === undefined)
    throw new Problem('usage', 'There is nothing to compare', {
      hint: 'Name a spec, with what --a and --b differ in; or an index with --index \'shop.orders {"status":1}\'.',
    })
  const ofIndex = (['query', 'sort', 'limit', 'pipeline', 'keep', 'allowIndex', 'documents'] as const).find(
    (name) => flags[name] !== undefined,
  )
  if (ofIndex !== undefined)
    throw new Problem('usage', `--${ofIndex === 'allowIndex' ? 'allow-index' : ofIndex} needs --index`, {
      hint: 'Queries of a spec are in the spec.',
    })
  const { rounds, quiet = false, format, strict = false } = flags
  const [sideA, sideB] = [parseSide(flags.a ?? [], 'A'), parseSide(flags.b ?? [], 'B')]
  const { replacement, named, get, givenAs } = readUris(flags.uri ?? [], cli.env)
  const isExisting =
    replacement !== undefined ||
    flags.target === 'existing' ||
    [sideA, sideB].some(({ uri, uriFrom }) => uri !== undefined || uriFrom !== undefined)
  const otherSpec = other === undefined ? {} : { spec: await findSpec(other) }
  if (!isRecording(given)) refuseReplayWays(flags)
  const { spec, options }: AbOfReplay = isRecording(given)
    ? await prepareAbOfReplay(given, flags, [sideA, { ...otherSpec, ...sideB }], isExisting, cli)
    : { spec: await findSpec(given), options: {} }
  const untilClear = toUntilClearOptions(flags)
  const { name } = parsePath(typeof spec === 'string' ? spec : given)
  const out = flags.out ?? join(cli.config?.values.out ?? resultsFolder, `${name}-ab`)
  const printStatus = (text: string): void => (quiet ? undefined : cli.printStatus(text))
  if (rounds !== undefined && rounds < minRounds)
    printStatus(`${rounds === 1 ? '1 round has' : `${rounds} rounds have`} no verdict: it takes ${minRounds}\n`)
  const outcome = await ab(spec, {
    ...toCompareOptions(flags),
    ...toOverrides(flags),
    ...options,
    a: { ...(other !== undefined && { spec }), ...sideA },
    b: { ...otherSpec, ...sideB },
    out,
    rounds,
    untilClear,
    budgetSeconds: untilClear === undefined ? flags.budget : undefined,
    seed: flags.seed,
    uriFrom: replacement !== undefined || flags.target === 'existing' ? 'MONGO_PERF_URI' : undefined,
    uris: {
      ...Object.fromEntries(named.map((variable) => [variable, get(variable) ?? ''])),
      ...(replacement !== undefined && { MONGO_PERF_URI: replacement }),
    },
    givenAs,
    allowRemote: flags.allowRemote === true,
    functions: flags.functions,
    mongod: flags.mongod,
    compact: flags.compact === true,
    env: envWith(cli.env, flags),
    signal: cli.stop,
    onPrevious: (place) => printStatus(previousKept(place)),
    onRemark: (remark) => printStatus(`${remark}\n`),
    onFetch: showFetching(cli),
    onRounds: (because) => printStatus(`in rounds of whole runs: ${because}\n`),
    ...(!quiet && { onProgress: showRounds(cli) }),
  })
  const isOfStretches = outcome.a?.pairing?.stretches !== undefined
  printStatus(outcome.ended === 'clear' && isOfStretches ? 'the verdict is clear\n' : endTexts[outcome.ended])
  await showOutcome(outcome, { format, strict, out, html: flags.html, quiet }, cli)
  printStatus(whatStays(outcome.left))
}

const endTexts: Readonly<Record<AbOutcome['ended'], string>> = {
  rounds: '',
  clear: 'all verdicts are clear\n',
  budget: 'the budget is spent\n',
  aborted: '',
}

/** Prints a comparison, or that there is none. */
export async function showOutcome(
  { a, b, comparison, ended }: Omit<AbOutcome, 'left'>,
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

function toUntilClearOptions({ untilClear, budget }: AbFlags): { readonly budgetSeconds: number } | undefined {
  return untilClear === true ? { budgetSeconds: budget ?? defaultBudgetSeconds } : undefined
}

/** Shows where a comparison is: a line that is rewritten on a terminal, and one line per finished round. */
export const showRounds =
  ({ printStatus, rewrite }: Pick<CliContext, 'printStatus' | 'rewrite'>) =>
  (progress: AbProgress): void => {
    if (progress.kind === 'round') printStatus(`${roundText(progress)} done${leftText(progress)}\n`)
    else if (progress.kind === 'stretches')
      printStatus(`${roundText(progress)}, ${progress.pairs} pairs: ${ratioSoFar(progress)}${leftText(progress)}\n`)
    else
      rewrite(
        `${roundText(progress)}, ${progress.side.toUpperCase()}${leftText(progress)}: ${describeEvent(progress.event)}`,
      )
  }

function ratioSoFar({ leading }: Extract<AbProgress, { kind: 'stretches' }>): string {
  if (leading?.ratio == null) return 'no ratio yet'
  const { title, ratio, interval } = leading
  const [of, from, to] = [ratio, interval?.low, interval?.high].map((figure) =>
    figure === undefined ? '' : ratioText(figure),
  )
  return `${title} B / A ${of}${interval === null ? '' : ` (${from} to ${to})`}`
}

const roundText = ({ round, of }: AbProgress): string => `round ${round}${of === null ? '' : ` of ${of}`}`

function leftText({ secondsLeft, of }: AbProgress): string {
  if (secondsLeft === null || secondsLeft === 0) return ''
  return `, ${of === null ? 'at most' : 'about'} ${durationText(secondsLeft)} left`
}

/**
 * Parses the settings of a side: "name=value" is a parameter of the spec; the others have a kind, such as "engine:wire".
 * @throws {Problem} "usage" for what is no setting.
 */
export const parseSide = (texts: readonly string[], side: 'A' | 'B'): SideOptions =>
  texts.map((text) => parseOne(text, side)).reduce(merged, {})

function merged(all: SideOptions, one: SideOptions): SideOptions {
  const set = { ...all.set, ...one.set }
  return { ...all, ...one, ...(Object.keys(set).length > 0 && { set }) }
}

function parseOne(text: string, side: 'A' | 'B'): SideOptions {
  const [, kind = '', value = ''] = /^(\w+):(.+)$/s.exec(text) ?? []
  const parse = kinds.get(kind)
  if (parse !== undefined) return parse(value)
  if (text.indexOf('=') > 0) return { set: Object.fromEntries([parseSetting(text)]) }
  const known = [...kinds.keys()].map((name) => `${name}:…`)
  throw new Problem('usage', `--${side.toLowerCase()} ${text} is no setting`, {
    hint: `Write name=value for a parameter of the spec, or ${known.join(', ')}.`,
  })
}

const kinds = new Map<string, (value: string) => SideOptions>([
  ['engine', (value) => ({ engine: parseEngine(value) })],
  ['driver', (driver) => ({ driver })],
  ['functions', (functions) => ({ functions })],
  ['mongod', (mongod) => ({ mongod })],
  ['uri', parseUri],
])

function parseUri(value: string): SideOptions {
  if (/^mongodb(?:\+srv)?:\/\//.test(value)) return { uri: value }
  if (!/^\w+$/.test(value))
    throw new Problem('usage', 'The URI of a side is neither a MongoDB URI nor a name', {
      hint: 'Write uri:small for the server of MONGO_PERF_URI_SMALL, or uri:mongodb://host:27017/.',
    })
  return { uriFrom: value.startsWith('MONGO_PERF_URI') ? value : `MONGO_PERF_URI_${value.toUpperCase()}` }
}
