import { type OnProgress, type Position, type RunEvent } from '../run/progress.ts'
import { type VariantResult } from '../results/schema.ts'
import { type World } from './world.ts'

const barWidth = 20
/** Returns to the start of the line and clears it. */
const rewriteLine = '\r\u001B[2K'

/** Progress for people: one line that rewrites itself on a terminal, one line per finished row anywhere. */
export function showProgress({ tell, isTerminal, columns }: Pick<World, 'tell' | 'isTerminal' | 'columns'>): OnProgress {
  let lineIsOpen = false

  function rewrite(text: string): void {
    if (!isTerminal) return
    tell(`${rewriteLine}${text.slice(0, columns - 1)}`)
    lineIsOpen = true
  }

  function line(text: string): void {
    tell(`${lineIsOpen ? rewriteLine : ''}${text}\n`)
    lineIsOpen = false
  }

  return (event) => {
    if (event.kind === 'row') line(rowLine(event.at, event.variant))
    else if (event.kind === 'skipped') line(`${place(event.at)} kept from the earlier run`)
    else rewrite(`${place(event.at)} ${stateOf(event)}`)
  }
}

const place = ({ number, of, label }: Position): string => `[${number}/${of}]${label === '' ? '' : ` ${label}`}`

function stateOf(event: Exclude<RunEvent, { kind: 'row' | 'skipped' }>): string {
  switch (event.kind) {
    case 'target':
      return event.message
    case 'load':
      return `loading ${event.collection} ${bar(event.documents / event.of)} ${Math.round(event.ratePerSecond)} documents/s`
    case 'settle':
      return 'letting the server settle'
    case 'phase': {
      const { phase, pass, fraction, ratePerSecond, etaSeconds } = event.progress
      const left = etaSeconds === null ? '' : `, ${Math.ceil(etaSeconds)} s left`
      return `${phase}${pass === 'warm-up' ? ' (warm-up)' : ''} ${bar(fraction)} ${Math.round(ratePerSecond)} operations/s${left}`
    }
  }
}

function bar(fraction: number): string {
  const full = Math.round(Math.min(1, Math.max(0, fraction)) * barWidth)
  return `${'█'.repeat(full)}${'░'.repeat(barWidth - full)}`
}

function rowLine(at: Position, { status, phases, seconds }: VariantResult): string {
  const parts = phases.map(({ name, operations, wallSeconds }) => {
    const ok = operations.reduce((sum, operation) => sum + operation.ok, 0)
    const bad = operations.reduce((sum, operation) => sum + operation.failed + operation.unknown, 0)
    return `${name}: ${Math.round(ok / wallSeconds)} operations/s in ${wallSeconds.toFixed(1)} s${bad > 0 ? `, ${bad} failed` : ''}`
  })
  return `${place(at)} ${[...parts, ...(status === 'done' ? [] : [status])].join('; ')} (${seconds.toFixed(0)} s in all)`
}
