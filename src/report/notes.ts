import { type CheckResult, type PhaseResult, type VariantResult } from '../results/schema.ts'
import { type ErrorCount } from '../results/schema/calls.ts'
import { type Warning } from '../results/schema/warnings.ts'
import { firstFinding } from './checks.ts'
import { type Row } from './rows.ts'

/** A doubt about a row. Notes of one kind share a footnote; the text of the first stands for all. */
export type Note = { readonly kind: string; readonly text: string }

/** The warning about a phase of several operations concerns only those that had errors. */
const errorsKind = 'errors'

/**
 * What a reader has to know before trusting a row, over all runs that its cells come from.
 * @param phases Those that its cells tell of. Null: any.
 */
export function notesOf(row: Row, phases: ReadonlySet<string> | null = null): readonly Note[] {
  const isShown = ({ name }: PhaseResult): boolean => phases === null || phases.has(name)
  return firstOfEachKind([
    ...notesOfRuns(row),
    ...row.runs.flatMap((run) => [
      ...notesOfRun(run),
      ...run.phases.filter(isShown).flatMap((phase) => notesOfPhase(phase, row)),
    ]),
  ])
}

export function firstOfEachKind(notes: readonly Note[]): readonly Note[] {
  return notes.filter((note, index) => notes.findIndex(({ kind }) => kind === note.kind) === index)
}

function notesOfRuns({ runs, leftOut, kind }: Row): readonly Note[] {
  const notes: Note[] = []
  if (leftOut > 0) {
    const text = `${leftOut} of ${runs.length + leftOut} runs did not finish: left out of the medians.`
    notes.push({ kind: `left out ${leftOut}`, text })
  }
  if (runs.some(({ startUp }) => startUp)) {
    const text = kind === 'runs' ? 'Start-up run: left out of the medians.' : 'Only the start-up run was measured.'
    notes.push({ kind: 'start-up', text })
  }
  return notes
}

function notesOfRun({ status, error, checks, warnings }: VariantResult): readonly Note[] {
  const reason = error ?? 'no reason was recorded'
  return [
    ...(status === 'aborted'
      ? [{ kind: status, text: 'Aborted: the figures are those of the part that was measured.' }]
      : []),
    ...(status === 'failed' ? [{ kind: `failed ${reason}`, text: `Failed: ${sentence(reason)}` }] : []),
    ...checks.flatMap(noteOfCheck),
    ...warnings.map(noteOfWarning),
  ]
}

const noteOfCheck = (check: CheckResult): readonly Note[] =>
  check.status === 'violated'
    ? [
        {
          kind: `violated ${check.name}`,
          text: `The check "${check.name}" was violated: ${sentence(firstFinding(check))}`,
        },
      ]
    : []

function notesOfPhase(phase: PhaseResult, { place }: Row): readonly Note[] {
  if (place !== null && place.phase !== phase.name) return []
  const operations = phase.operations.filter(({ name }) => place?.kind !== 'operation' || name === place.operation)
  const signs = signsIn({ ...phase, operations })
  const warned = phase.warnings
    .map(noteOfWarning)
    .filter(({ kind }) => kind !== errorsKind || signs.some((sign) => sign.kind === kind))
  return [...signs.filter(({ kind }) => !warned.some((note) => note.kind === kind)), ...warned]
}

/** What the figures themselves give away, for a result whose writer did not warn of it. Kinds are codes of warnings. */
function signsIn({ operations, client, members }: PhaseResult): readonly Note[] {
  const errors = operations.flatMap((operation) => operation.errors)
  const restarted = members.filter((member) => member.restarted).map(({ member }) => member)
  return [
    ...(errors.length === 0
      ? []
      : [{ kind: errorsKind, text: `Calls did not succeed: ${errors.map(errorText).join('; ')}.` }]),
    ...(client.saturated
      ? [{ kind: 'client-limited', text: 'This client, not the server, may have set the pace.' }]
      : []),
    ...(restarted.length === 0
      ? []
      : [{ kind: 'member-restarted', text: `A server restarted inside the window: ${restarted.join(', ')}.` }]),
  ]
}

function errorText({ count, name, code, outcome }: ErrorCount): string {
  return `${count} × ${code === name ? name : `${name} (${code})`}${outcome === 'unknown' ? ', outcome unknown' : ''}`
}

export function noteOfWarning({ code, message, advice }: Warning): Note {
  return { kind: code, text: sentence(message) + (advice === '' ? '' : ` ${sentence(advice)}`) }
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}
