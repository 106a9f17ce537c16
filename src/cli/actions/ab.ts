import { join, parse as parsePath } from 'node:path'
import { Problem, problems } from '../../core/errors.ts'
import { ratioText } from '../../metrics/format.ts'
import { type SideName } from '../../results/schema/pairing.ts'
import { minRounds } from '../../statistics/estimate.ts'
import { ab, type AbOptions } from '../../verdicts/ab/ab.ts'
import { type AbOutcome, type AbProgress } from '../../verdicts/ab/run-rounds.ts'
import { type SideOptions } from '../../verdicts/ab/sides.ts'
import { type CliContext } from '../cli-context.ts'
import { type AbFlags } from '../commands/ab.ts'
import { parseSetting } from '../options/arguments.ts'
import { toCompareOptions } from '../options/comparison-options.ts'
import { resultsFolder } from '../options/config-file.ts'
import { toOverrides, parseEngine } from '../options/spec-options.ts'
import { readUris, type Uris } from '../options/uris.ts'
import { printComparison } from '../results/print-comparison.ts'
import { previousKept, whatStays } from '../results/write-report.ts'
import { findSpecs } from '../specs/find-specs.ts'
import { envWith } from '../start-context.ts'
import { showFetching } from '../terminal/show-fetching.ts'
import { describeEvent, durationText } from '../terminal/show-progress.ts'
import { type AbOfReplay, isRecording, prepareAbOfReplay, refuseReplayWays } from './ab-replay.ts'

/** Default budget of rounds that are added until it is clear. */
const untilClearSeconds = 600

/** Runs both sides in turn, and prints what differs. */
export async function runAb(
  given: string | undefined,
  other: string | undefined,
  flags: AbFlags,
  cli: CliContext,
): Promise<void> {
  if (given === undefined)
    throw new Problem('usage', 'There is nothing to compare', { hint: 'Name a spec, with what --a and --b differ in.' })
  const a = parseSide(flags.a, 'A')
  const b = parseSide(flags.b, 'B')
  const uris = readUris(flags.uri, cli.env)
  const sides = { a, b: other === undefined ? b : { spec: await findSpec(other), ...b } }
  const { spec, options } = await prepareWork(given, sides, { flags, uris }, cli)
  const out = flags.out ?? defaultFolder(typeof spec === 'string' ? spec : given, cli)
  const printStatus = flags.quiet ? (): void => undefined : cli.printStatus
  warnOfFewRounds(flags, printStatus)
  const outcome = await ab(spec, {
    ...toOverrides(flags),
    ...options,
    ...toCompareOptions(flags),
    out,
    seed: flags.seed,
    allowRemote: flags.allowRemote === true,
    compact: flags.compact === true,
    env: envWith(cli.env, flags),
    signal: cli.stop,
    ...(!flags.quiet && { onProgress: showRounds(cli) }),
    ...toUriOptions(flags, uris),
    ...toBudget(flags),
    a: other === undefined ? a : { spec, ...a },
    b: sides.b,
    rounds: flags.rounds,
    functions: flags.functions,
    mongod: flags.mongod,
    onPrevious: (place) => printStatus(previousKept(place)),
    onRemark: (remark) => printStatus(`${remark}\n`),
    onFetch: showFetching(cli),
    onRounds: (because) => printStatus(`in rounds of whole runs: ${because}\n`),
  })
  printStatus(endText(outcome))
  await showOutcome(outcome, out, flags, cli)
  printStatus(whatStays(outcome.left))
}

/** Finds the spec that is run, or prepares the replay of a recording in its place. */
async function prepareWork(
  given: string,
  { a, b }: Readonly<Record<SideName, SideOptions>>,
  { flags, uris }: { readonly flags: AbFlags; readonly uris: Uris },
  cli: CliContext,
): Promise<AbOfReplay> {
  if (isRecording(given)) {
    const isOnUri = [a, b].some(({ uri, uriFrom }) => (uri ?? uriFrom) !== undefined)
    return await prepareAbOfReplay(given, flags, [a, b], isOnUri || isOnExisting(flags, uris), cli)
  }
  refuseReplayWays(flags)
  return { spec: await findSpec(given), options: {} }
}

const isOnExisting = ({ target }: AbFlags, { replacement }: Uris): boolean =>
  replacement !== undefined || target === 'existing'

const toUriOptions = (flags: AbFlags, uris: Uris): Pick<AbOptions, 'uriFrom' | 'uris' | 'givenAs'> => ({
  uriFrom: isOnExisting(flags, uris) ? 'MONGO_PERF_URI' : undefined,
  uris: {
    ...Object.fromEntries(uris.named.map((variable) => [variable, uris.get(variable) ?? ''])),
    ...(uris.replacement !== undefined && { MONGO_PERF_URI: uris.replacement }),
  },
  givenAs: uris.givenAs,
})

const toBudget = ({ untilClear, budget }: AbFlags): Pick<AbOptions, 'untilClear' | 'budgetSeconds'> =>
  untilClear ? { untilClear: { budgetSeconds: budget ?? untilClearSeconds } } : { budgetSeconds: budget }

/** The folder for a comparison of a spec or a recording. */
const defaultFolder = (file: string, { config }: CliContext): string =>
  join(config?.values.out ?? resultsFolder, `${parsePath(file).name}-ab`)

function warnOfFewRounds({ rounds = minRounds }: AbFlags, printStatus: CliContext['printStatus']): void {
  if (rounds < minRounds)
    printStatus(
      `${rounds === 1 ? '1 round is' : `${rounds} rounds are`} too few for a verdict: it takes ${minRounds}\n`,
    )
}

function endText({ a, ended }: AbOutcome): string {
  const isOfTurns = a?.pairing?.turns !== undefined
  return ended === 'clear' && isOfTurns ? 'the verdict is clear\n' : endTexts[ended]
}

const endTexts: Readonly<Record<AbOutcome['ended'], string>> = {
  rounds: '',
  clear: 'all verdicts are clear\n',
  budget: 'the budget is spent\n',
  aborted: '',
}

/** Prints a comparison, or that there is none. */
async function showOutcome(
  { a, b, comparison, ended }: Omit<AbOutcome, 'left'>,
  out: string,
  { format, strict = false, html, quiet = false }: AbFlags,
  cli: CliContext,
): Promise<void> {
  if (a !== null && b !== null && comparison !== null)
    await printComparison({ a: [a], b: [b], comparison }, { format, strict, out, html, quiet }, cli)
  else cli.printStatus('there is nothing to compare: no round was finished\n')
  if (ended === 'aborted') cli.exitWith(problems.aborted.exitCode)
}

export async function findSpec(given: string): Promise<string> {
  const [file, ...others] = await findSpecs(given)
  if (file !== undefined && others.length === 0) return file
  throw new Problem('usage', `${given} is a folder of ${others.length + 1} specs, and one is needed`, {
    hint: 'Name one spec. For several, run them apart with --out, and `mongo-perf compare` the results.',
  })
}

/** Shows where a comparison is: a line that is rewritten on a terminal, and one line per finished round. */
export const showRounds =
  ({ printStatus, rewrite }: Pick<CliContext, 'printStatus' | 'rewrite'>) =>
  (progress: AbProgress): void => {
    if (progress.kind === 'round') printStatus(`${roundText(progress)} done${leftText(progress)}\n`)
    else if (progress.kind === 'turns')
      printStatus(`${roundText(progress)}, ${progress.pairs} pairs: ${ratioSoFar(progress)}${leftText(progress)}\n`)
    else
      rewrite(
        `${roundText(progress)}, ${progress.side.toUpperCase()}${leftText(progress)}: ${describeEvent(progress.event)}`,
      )
  }

function ratioSoFar({ leading }: Extract<AbProgress, { kind: 'turns' }>): string {
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
 * Parses the settings of a side: "name=value" is a parameter or a path of the spec; the others have a kind, such as "engine:wire".
 * @throws {Problem} "usage" for what is no setting.
 */
export const parseSide = (texts: readonly string[] | undefined, side: 'A' | 'B'): SideOptions =>
  (texts ?? []).map((text) => parseOne(text, side)).reduce(merged, {})

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
  throw new Problem('usage', `--${side.toLowerCase()} ${text} is not a setting`, {
    hint: `Write name=value for a parameter or a path of the spec, or ${known.join(', ')}.`,
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
