import { Problem, Unmatched, type UnmatchedOption } from '../../core/errors.ts'
import { didYouMean } from '../../core/nearest.ts'
import { suggestion } from '../../language/issues.ts'
import { groupBy } from '../../metrics/statistics.ts'
import { type LoadedSpec, loadSpecFile, type Overrides } from '../../spec/load-spec.ts'
import { shortName } from './find-specs.ts'

/** The outcome of loading one file: a spec, a spec of which `--only` selects no row, or an error. */
export type Loading =
  | { readonly kind: 'loaded'; readonly spec: LoadedSpec }
  | { readonly kind: 'noRows' }
  | { readonly kind: 'failed'; readonly error: unknown }

type Attempt = { readonly file: string; readonly loading: Loading; readonly unmatched: readonly UnmatchedOption[] }

/**
 * Loads specs with the options of one command line. Of several specs, each uses the options that apply to it.
 * @returns The outcome for each file, and notes: on files of other tools, and for each option that does not apply to all of them.
 * @throws {Problem} "usage" for an option that applies to none of them.
 */
export async function loadSpecs(
  files: readonly string[],
  overrides: Overrides,
): Promise<{ readonly loadings: readonly Loading[]; readonly notes: readonly string[] }> {
  const load = files.length > 1 ? loadWithItsOwn : loadStrictly
  const attempts = await Promise.all(files.map((file) => load(file, overrides)))
  const unmatched = attempts.flatMap((attempt) => attempt.unmatched.map((one) => ({ ...one, file: attempt.file })))
  const groups = [...groupBy(unmatched, optionText).values()]
  const notes = groups.map((mismatches) => {
    if (attempts.every((attempt) => leavesOut(attempt, mismatches))) throw takenByNone(mismatches)
    return formatUnmatchedNote(mismatches)
  })
  const remarks = attempts.flatMap(({ loading }) =>
    loading.kind === 'loaded' ? loading.spec.remarks.map((remark) => `${remark}\n`) : [],
  )
  return { loadings: attempts.map(({ loading }) => loading), notes: [...remarks, ...notes] }
}

async function loadStrictly(file: string, overrides: Overrides): Promise<Attempt> {
  try {
    return { file, loading: { kind: 'loaded', spec: await loadSpecFile(file, overrides) }, unmatched: [] }
  } catch (error) {
    return { file, loading: { kind: 'failed', error }, unmatched: [] }
  }
}

/** Loads a spec without the options that do not apply to it. */
async function loadWithItsOwn(file: string, overrides: Overrides): Promise<Attempt> {
  const attempt = await loadStrictly(file, overrides)
  const { loading } = attempt
  if (loading.kind !== 'failed' || !(loading.error instanceof Unmatched)) return attempt
  const { unmatched } = loading.error
  // Without the option all rows would run, and none was requested.
  if (unmatched.some(({ option }) => option === 'only')) return { file, loading: { kind: 'noRows' }, unmatched }
  const next = await loadWithItsOwn(file, unmatched.reduce(without, overrides))
  return { ...next, unmatched: [...unmatched, ...next.unmatched] }
}

function without(overrides: Overrides, { option, given }: UnmatchedOption): Overrides {
  const { set = {}, thresholds = [] } = overrides
  if (option === 'threshold') return { ...overrides, thresholds: thresholds.filter((text) => text !== given) }
  return { ...overrides, set: Object.fromEntries(Object.entries(set).filter(([name]) => name !== given)) }
}

type OptionMismatch = UnmatchedOption & { readonly file: string }

/** Thresholds are not validated for a spec that does not run. */
const leavesOut = ({ file, loading }: Attempt, mismatches: readonly OptionMismatch[]): boolean =>
  mismatches.some(
    (mismatch) => mismatch.file === file || (mismatch.option === 'threshold' && loading.kind === 'noRows'),
  )

function formatUnmatchedNote(mismatches: readonly OptionMismatch[]): string {
  const parts = [...groupBy(mismatches, ({ reason }) => reason)].map(
    ([reason, of]) => `${of.map(({ file }) => shortName(file)).join(', ')} (${reason})`,
  )
  return `${formatSubject(mismatches)} does not apply to ${parts.join('; ')}${isOnly(mismatches) ? ', which will not run' : ''}\n`
}

function takenByNone(mismatches: readonly OptionMismatch[]): Problem {
  const reasons = [...new Set(mismatches.map(({ reason }) => reason))].join(', or ')
  const known = new Set(mismatches.flatMap((mismatch) => mismatch.known))
  const [first] = mismatches
  // Of a threshold, its address alone is like a name; the nearest was found already.
  const [meant = null] = first?.option === 'threshold' ? known : []
  const near = meant === null ? suggestion(first?.given ?? '', known) : didYouMean(meant)
  return new Problem('usage', `${formatSubject(mismatches)} applies to none of these specs: ${reasons}${near}`, {
    hint: 'Of several specs, each uses the options that apply to it; an option must apply to at least one.',
  })
}

const isOnly = (mismatches: readonly OptionMismatch[]): boolean => mismatches.some(({ option }) => option === 'only')
const formatSubject = (mismatches: readonly OptionMismatch[]): string => mismatches.slice(0, 1).map(optionText).join('')
const optionText = ({ option, given }: UnmatchedOption): string => `--${option} "${given}"`
