import { type CheckResult, type PhaseResult, type VariantResult } from '../results/schema.ts'
import { type ErrorCount } from '../results/schema/calls.ts'
import { type Warning } from '../results/schema/warnings.ts'
import { firstFinding } from './checks.ts'
import { slowBelowPercent, slowestPercent } from './machine-speed.ts'
import { type Row } from './rows.ts'

/** A warning about a row. Notes of one kind share a footnote with the text of the first. */
export type Note = { readonly kind: string; readonly text: string }

/** The warning about a phase of several operations concerns only those that had errors. */
const errorsKind = 'errors'

/**
 * The notes of a row, over all runs of its cells.
 * @param phases Phases that its cells show. Null: all.
 */
export function notesOf(row: Row, phases: ReadonlySet<string> | null = null): readonly Note[] {
  const isShown = ({ name }: PhaseResult): boolean => phases === null || phases.has(name)
  return firstOfEachKind([
    ...notesOfRuns(row),
    ...notesOfMachine(row, isShown),
    ...row.runs.flatMap((run) => [
      ...notesOfRun(run),
      ...run.phases.filter(isShown).flatMap((phase) => notesOfPhase(phase, row)),
    ]),
  ])
}

/** Removes notes of repeated kinds. */
export function firstOfEachKind(notes: readonly Note[]): readonly Note[] {
  return notes.filter((note, index) => notes.findIndex(({ kind }) => kind === note.kind) === index)
}

function notesOfRuns({ runs, leftOut, slowRuns, kind }: Row): readonly Note[] {
  const notes: Note[] = []
  if (slowRuns > 0) {
    const were = slowRuns === 1 ? 'was' : 'were'
    const text = `${slowRuns} of ${runs.length} runs ${were} in a slow state of the machine and ${were} run again.`
    notes.push({ kind: 'run-again', text })
  }
  for (const { excludedBecause } of runs) {
    if (excludedBecause === null) continue
    notes.push({ kind: 'excluded', text: `Excluded from the medians: ${sentence(excludedBecause)}` })
  }
  if (leftOut > 0) {
    const text = `${leftOut} of ${runs.length + leftOut} runs did not finish: excluded from the medians.`
    notes.push({ kind: `left out ${leftOut}`, text })
  }
  if (runs.some(({ startUp }) => startUp)) {
    const text = kind === 'runs' ? 'Start-up run: excluded from the medians.' : 'Only the start-up run was measured.'
    notes.push({ kind: 'start-up', text })
  }
  return notes
}

/** The warning about runs in a slow state of the machine. One phase alone does not show it. */
function notesOfMachine(
  { runs, place, fastestMachine }: Row,
  isShown: (phase: PhaseResult) => boolean,
): readonly Note[] {
  const worst = runs.map(({ phases }) => {
    const shown = phases.filter((phase) => isShown(phase) && (place === null || place.phase === phase.name))
    return slowestPercent(shown, fastestMachine) ?? Infinity
  })
  const slow = worst.filter((percent) => percent < slowBelowPercent)
  if (slow.length === 0) return []
  const slower = Math.round(100 - Math.min(...slow))
  const message = `In ${slow.length} of ${runs.length} runs the machine of the client was slow: up to ${slower} % slower around the window than in the fastest run of this result, by a fixed kernel`
  return [noteOfWarning({ code: 'slow-machine', message, advice: 'Repeat the run when the machine is quiet.' })]
}

function notesOfRun({ status, error, checks, warnings }: VariantResult): readonly Note[] {
  const reason = error ?? 'no reason was recorded'
  return [
    ...(status === 'aborted' ? [{ kind: status, text: 'Aborted: the figures are those of the measured part.' }] : []),
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

/** Warnings that follow from the figures, for results whose version did not write them. Kinds are codes of warnings. */
function signsIn({ operations, client, members }: PhaseResult): readonly Note[] {
  const errors = operations.flatMap((operation) => operation.errors)
  const restarted = members.filter((member) => member.restarted).map(({ member }) => member)
  return [
    ...(errors.length === 0
      ? []
      : [{ kind: errorsKind, text: `Operations did not succeed: ${errors.map(errorText).join('; ')}.` }]),
    ...(client.saturated
      ? [
          {
            kind: 'client-limited',
            text: 'The client was the bottleneck: throughput is a lower bound for the server.',
          },
        ]
      : []),
    ...(restarted.length === 0
      ? []
      : [{ kind: 'member-restarted', text: `A server restarted during the window: ${restarted.join(', ')}.` }]),
  ]
}

function errorText({ count, name, code, outcome }: ErrorCount): string {
  return `${count} × ${code === name ? name : `${name} (${code})`}${outcome === 'unknown' ? ', outcome unknown' : ''}`
}

/** A warning with its advice as a note. */
export function noteOfWarning({ code, message, advice }: Warning): Note {
  return { kind: code, text: sentence(message) + (advice === '' ? '' : ` ${sentence(advice)}`) }
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}
