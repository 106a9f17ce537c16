import { type ErrorCount, type PhaseResult, type VariantResult, type Warning } from '../results/schema.ts'
import { type Row } from './rows.ts'

/** A doubt about a row. Notes of one kind share a footnote; the text of the first stands for all. */
export type Note = { readonly kind: string; readonly text: string }

/** The warning by which a run says that the client set the pace. */
const clientLimited = 'client-limited'

/** What a reader has to know before trusting a row, over all runs that its cells come from. */
export function notesOf(row: Row): readonly Note[] {
  return firstOfEachKind([
    ...notesOfRuns(row),
    ...row.runs.flatMap((run) => [...notesOfRun(run), ...run.phases.flatMap((phase) => notesOfPhase(phase, row))]),
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

function notesOfRun({ status, error, warnings }: VariantResult): readonly Note[] {
  const reason = error ?? 'no reason was recorded'
  return [
    ...(status === 'aborted'
      ? [{ kind: status, text: 'Aborted: the figures are those of the part that was measured.' }]
      : []),
    ...(status === 'failed' ? [{ kind: `failed ${reason}`, text: `Failed: ${sentence(reason)}` }] : []),
    ...warnings.map(noteOfWarning),
  ]
}

function notesOfPhase(phase: PhaseResult, { place }: Row): readonly Note[] {
  if (place !== null && place.phase !== phase.name) return []
  const operations = phase.operations.filter(
    ({ name }) => place === null || place.operation === null || place.operation === name,
  )
  const errors = operations.flatMap((operation) => operation.errors)
  const saidSo = phase.warnings.some(({ code }) => code === clientLimited)
  return [
    ...(errors.length === 0 ? [] : [errorNote(errors)]),
    ...(phase.client.saturated && !saidSo ? [saturationNote] : []),
    ...phase.members.filter(({ restarted }) => restarted).map(({ member }) => restartNote(member)),
    ...phase.warnings.map(noteOfWarning),
  ]
}

const saturationNote: Note = {
  kind: clientLimited,
  text: 'Client-limited: this client, not the server, may have set the pace. Use fewer workers or a faster client.',
}

function restartNote(member: string): Note {
  return { kind: `restarted ${member}`, text: `${member} restarted within the window, so its totals are not shown.` }
}

function errorNote(errors: readonly ErrorCount[]): Note {
  const parts = errors
    .toSorted((a, b) => b.count - a.count)
    .map(
      ({ count, name, code, outcome }) =>
        `${count} × ${code === name ? name : `${name} (${code})`}${outcome === 'unknown' ? ', outcome unknown' : ''}`,
    )
  return { kind: `errors ${parts.join()}`, text: `Calls without success: ${parts.join('; ')}.` }
}

export function noteOfWarning({ code, message, advice }: Warning): Note {
  return { kind: code, text: sentence(message) + (advice === '' ? '' : ` ${sentence(advice)}`) }
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}
