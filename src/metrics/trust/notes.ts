import { groupDigits } from '../../core/quantities.ts'
import { firstFinding } from '../../results/row-checks.ts'
import { type CheckResult, type PhaseResult, type VariantResult } from '../../results/schema.ts'
import { type ErrorCount } from '../../results/schema/calls.ts'
import { type Warning, type WarningPart } from '../../results/schema/warnings.ts'
import { type TrustLevel, type WarningCode, getWarningWeight } from '../../results/warnings/weights.ts'
import { percentOfTypical, slowBelowPercent } from '../columns/machine-speed.ts'
import { type Row } from '../rows/rows.ts'

/** A warning about one run of a row. */
export type Note = {
  /** Its code among the warnings, which decides its weight. */
  readonly code: string
  /** Notes of one kind are printed once, whatever their figures. */
  readonly kind: string
  /** Trust that it leaves in its run; "comparable": it is a remark. */
  readonly level: TrustLevel
  /** Why, in at most three words. Empty for a remark. */
  readonly reason: string
  /** How much of it there is, 0 to 1. Null: unknown, or it does not matter. */
  readonly share: number | null
  /** The message, a sentence without a final period. */
  readonly parts: readonly WarningPart[]
  readonly advice: string
  /** The run that it is about. Null: the row. */
  readonly run: string | null
  /** The run and phase that it is about: equal where two rows show the same. */
  readonly about: string
}

/** Text of a note, and how much it weighs. */
type Content = Pick<Note, 'code' | 'kind' | 'level' | 'reason' | 'share' | 'parts' | 'advice'>

/** The warning about a phase of several operations concerns only those that had errors. */
const errorsKind: WarningCode = 'errors'

export const runName = ({ row, run }: VariantResult): string => `${row}/${run}`

/**
 * The notes of a row, over all runs of its cells.
 * @param phases Phases that its cells show. Null: all.
 */
export function collectTrustNotes(row: Row, phases: ReadonlySet<string> | null = null): readonly Note[] {
  const isShown = ({ name }: PhaseResult): boolean =>
    (phases === null || phases.has(name)) && (row.target === null || row.target.phase === name)
  return [...noteOfLeftOut(row), ...row.runs.flatMap((run) => notesOfRun(run, row, isShown))]
}

function notesOfRun(run: VariantResult, row: Row, isShown: (phase: PhaseResult) => boolean): readonly Note[] {
  const name = runName(run)
  const contents = [
    ...ofStartUp(run, row),
    ...ofStatus(run),
    ...run.checks.flatMap(ofCheck),
    ...run.warnings.map((warning) => ofWarning(warning)),
  ]
  return [
    ...contents.map(noteAbout(name)),
    ...run.phases.filter(isShown).flatMap((phase) => ofPhase(phase, row).map(noteAbout(name, `${name}/${phase.name}`))),
  ]
}

const noteAbout =
  (run: string, about: string = run) =>
  (content: Content): Note =>
    Object.assign({ run, about }, content)

/** @param code Its weight counts. Default: the kind. */
function createNoteContent(
  kind: string,
  parts: readonly WarningPart[],
  { advice = '', phase, code = kind }: { advice?: string; phase?: PhaseResult; code?: string } = {},
): Content {
  const weight = getWarningWeight(code)
  const shown = { code, kind, parts, advice }
  if (weight.level === 'remark' || (phase !== undefined && weight.applies?.(phase) === false))
    return { ...shown, level: 'comparable', reason: '', share: null }
  const share = phase === undefined ? null : (weight.share?.(phase) ?? null)
  return { ...shown, level: weight.level, reason: weight.reason, share }
}

const ofWarning = ({ code, message, parts = [message], advice }: Warning, phase?: PhaseResult): Content =>
  createNoteContent(code, parts, phase === undefined ? { advice } : { advice, phase })

function noteOfLeftOut(row: Row): readonly Note[] {
  const { runs, leftOut, variant } = row
  if (leftOut === 0) return []
  const count = { value: leftOut, unit: '' }
  const parts = [count, ` of ${runs.length + leftOut} runs did not finish: excluded from the medians`]
  return [{ ...createNoteContent('left-out', parts), run: null, about: String(variant.row) }]
}

function ofStartUp({ startUp }: VariantResult, { kind }: Row): readonly Content[] {
  if (!startUp) return []
  const text = kind === 'runs' ? 'Start-up run: excluded from the medians' : 'Only the start-up run was measured'
  return [createNoteContent('start-up', [text])]
}

function ofStatus({ status, error }: VariantResult): readonly Content[] {
  if (status === 'done') return []
  if (status === 'aborted') return [createNoteContent(status, ['Aborted: the figures cover only what was measured'])]
  const reason = error ?? 'no reason was recorded'
  return [createNoteContent(`failed ${reason}`, [`Failed: ${reason}`], { code: status })]
}

const ofCheck = (check: CheckResult): readonly Content[] =>
  check.status === 'violated'
    ? [
        createNoteContent(
          `violated ${check.name}`,
          [`The check "${check.name}" was violated: ${firstFinding(check)}`],
          { code: check.status },
        ),
      ]
    : []

function ofPhase(phase: PhaseResult, row: Row): readonly Content[] {
  const { target } = row
  const operations = phase.operations.filter(({ name }) => target?.kind !== 'operation' || name === target.operation)
  const shown = { ...phase, operations }
  const signs = signsIn(shown)
  const warned = phase.warnings
    .map((warning) => ofWarning(warning, shown))
    .filter(({ kind }) => kind !== errorsKind || signs.some((sign) => sign.kind === kind))
  return [
    ...ofMachine(phase, row),
    ...signs.filter(({ kind }) => !warned.some((content) => content.kind === kind)),
    ...warned,
  ]
}

/** The warning about a run in a slow state of the machine. One phase alone does not show it. */
function ofMachine(phase: PhaseResult, { typicalMachine }: Row): readonly Content[] {
  const percent = percentOfTypical(phase, typicalMachine)
  if (percent === null || percent >= slowBelowPercent) return []
  const slower = { value: Math.round(100 - percent), unit: '%' }
  const parts = [
    'The machine of the client was ',
    slower,
    ' slower around the window than in the median run of this result, by a fixed kernel',
  ]
  return [createNoteContent('slow-machine', parts, { advice: 'Repeat the run when the machine is quiet.' })]
}

/** Warnings that follow from the figures, for results whose version did not write them. Kinds are codes of warnings. */
function signsIn(phase: PhaseResult): readonly Content[] {
  const { operations, client, members } = phase
  const errors = operations.flatMap((operation) => operation.errors)
  const restarted = members.filter((member) => member.restarted).map(({ member }) => member)
  const sign = (code: WarningCode, text: string): Content => createNoteContent(code, [text], { phase })
  return [
    ...(errors.length === 0
      ? []
      : [sign(errorsKind, `Operations did not succeed: ${errors.map(errorText).join('; ')}`)]),
    ...(client.saturated
      ? [sign('client-limited', 'The client was the bottleneck: throughput is a lower bound for the server')]
      : []),
    ...(restarted.length === 0
      ? []
      : [sign('member-restarted', `A server restarted during the window: ${restarted.join(', ')}`)]),
  ]
}

function errorText({ count, name, code, outcome }: ErrorCount): string {
  return `${groupDigits(count)} × ${code === name ? name : `${name} (${code})`}${outcome === 'unknown' ? ', outcome unknown' : ''}`
}

export const warningText = ({ message, advice }: Pick<Warning, 'message' | 'advice'>): string =>
  sentence(message) + (advice === '' ? '' : ` ${sentence(advice)}`)

export function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}
