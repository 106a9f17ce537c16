import { formatQuantity, groupDigits } from '../../core/quantities.ts'
import { type Progress } from '../../load/progress.ts'
import { readableNumber } from '../../metrics/format.ts'
import { searchWords } from '../../metrics/search-words.ts'
import { readSearch, formatAnswer } from '../../report/prose/search-text.ts'
import { type DataSetResult, type PhaseResult, type VariantResult } from '../../results/schema.ts'
import { type LiveListener } from '../../run/live/live-events.ts'
import { type OnProgress, type Position, type ProgressEvent } from '../../run/run-events.ts'
import { type FaultNews } from '../../servers/faults/injection/inject-faults.ts'
import { type CliContext } from '../cli-context.ts'
import { createPhaseView } from './phase-view.ts'

const barWidth = 10
/** Rewritten lines fit a terminal of 80 columns, as far as labels can be shortened. */
const maxColumns = 79
const minName = 8

/** Events that are worth a line of their own, and those that are not shown. Others are shown until the next. */
const alwaysPrinted: ReadonlySet<ProgressEvent['kind']> = new Set(['skipped', 'fault', 'step'])
const neverShown: ReadonlySet<ProgressEvent['kind']> = new Set(['ready', 'loaded', 'setUp'])

/**
 * Shows progress: a few lines that are rewritten on a terminal, and one line per finished row.
 * @param now Monotonic time in milliseconds.
 * @param specsAfter Specs that follow in the same run.
 */
export function showProgress(
  { printStatus, rewrite }: Pick<CliContext, 'printStatus' | 'rewrite'>,
  now: () => number,
  specsAfter: number,
): { readonly onProgress: OnProgress; readonly onLive: LiveListener } {
  const timeLeft = createTimeLeft(now, specsAfter)
  const view = createPhaseView()
  let phase = ''

  const redraw = (): void => rewrite([phase, ...view.lines()].join('\n'))

  function showPhase(event: Event<'phase'>, left: string | null): void {
    const mayFollow = event.at.number < event.at.of || specsAfter > 0
    phase = phaseLine(event, left ?? (mayFollow ? '?' : null))
    // Later on, the figures of a second follow.
    if (view.lines().length === 0) redraw()
  }

  return {
    onProgress(event) {
      const left = timeLeft(event)
      const withLeft = `${describeEvent(event)}${left === null ? '' : `, ${left} left`}`
      if (event.kind === 'row') printStatus(`${withLeft}\n`)
      else if (alwaysPrinted.has(event.kind) || isNews(event)) printStatus(`${describeEvent(event)}\n`)
      else if (event.kind === 'phase') showPhase(event, left)
      else if (!neverShown.has(event.kind)) rewrite(withLeft)
    },
    onLive(event) {
      view.observe(event)
      if (event.kind === 'second') redraw()
    },
  }
}

/** "[2/6] 10 insert █████░░░░░ 5 s of ~2 min left" */
function phaseLine({ at, progress }: Event<'phase'>, left: string | null): string {
  const { fraction, etaSeconds } = progress
  const pass = etaSeconds === null ? null : durationText(etaSeconds)
  const time = [pass, left].filter((part) => part !== null).join(' of ')
  const end = `${formatBar(fraction)}${time === '' ? '' : ` ${time} left`}`
  const number = place({ ...at, label: '' })
  const room = Math.max(minName, maxColumns - number.length - end.length - 2)
  const name = [repeats(at.label, passName(progress)) ? '' : at.label, passName(progress)]
    .filter((part) => part !== '')
    .join(' ')
  return `${number} ${name.length > room ? `${name.slice(0, room - 1)}…` : name} ${end}`
}

const passName = ({ phase, pass }: Progress): string => `${phase}${pass === 'measured' ? '' : ` (${pass})`}`

function phaseFigures({ ratePerSecond, p99Ms, errors }: Progress): string {
  const p99 = p99Ms === null ? '' : `, p99 ${readableNumber(p99Ms)} ms`
  return `${Math.round(ratePerSecond)}/s${p99}, ${formatQuantity(errors, 'error')}`
}

/** Whether a load is worth a line: empty collections take no time, and insert tables begin each row with one. */
const isNews = (event: ProgressEvent): boolean => event.kind === 'loaded' && event.data.rows > 0

export function describeEvent(event: ProgressEvent): string {
  const text = (texts[event.kind] as (event: ProgressEvent) => string)(event)
  return `${place(repeats(event.at.label, text) ? { ...event.at, label: '' } : event.at)} ${text}`
}

/** Whether a text begins with the label of its row, as where rows are called like their phases. */
const repeats = (label: string, text: string): boolean =>
  text.startsWith(label) && !/^[\p{L}\p{N}]/u.test(text.slice(label.length))

const place = ({ number, of, label }: Position): string => `[${number}/${of}]${label === '' ? '' : ` ${label}`}`

type Event<Kind extends ProgressEvent['kind']> = Extract<ProgressEvent, { kind: Kind }>

const texts: { readonly [Kind in ProgressEvent['kind']]: (event: Event<Kind>) => string } = {
  target: ({ target }) => (target === 'existing' ? 'connecting to the server' : `starting ${target}`),
  ready: () => 'the server is ready',
  setUp: ({ collection }) => `${collection} is set up`,
  load: ({ collection, documents, of, ratePerSecond }) =>
    `loading ${collection} ${formatBar(documents / of)} ${groupDigits(Math.round(ratePerSecond))} documents/s`,
  loaded: ({ data }) => loadSummary(data),
  settle: () => 'letting the server settle',
  phase: ({ progress }) => `${passName(progress)} ${formatBar(progress.fraction)} ${phaseFigures(progress)}`,
  step: (event) => `${event.phase} ${stepText(event)}`,
  fault: ({ news }) => faultText(news),
  check: ({ name }) => `checking ${name}`,
  row: ({ variant }) => rowSummary(variant),
  skipped: () => 'kept from the earlier run',
}

/** "at 400 ops/s: held (responseP99Ms 3.2, errors 0)", "at 8 workers: 12,300 ops/s" */
function stepText({ load, step: { at, opsPerSecond, held, endedEarly, limits } }: Event<'step'>): string {
  const step = `at ${searchWords[load].formatPlace(at)}`
  if (limits.length === 0) return `${step}: ${searchWords.findRate.formatPlace(opsPerSecond)}`
  const figures = limits.map(({ limit, measured }) => {
    const [metric = limit] = limit.split(/[<>=]/)
    return `${metric.trim()} ${measured === null ? 'not known' : readableNumber(measured)}`
  })
  return `${step}: ${held ? 'held' : endedEarly ? 'missed early' : 'missed'} (${figures.join(', ')})`
}

/** "insert: kill of member0 at 10.0 s" */
function faultText(news: FaultNews): string {
  const { phase, name, kind, servers, atSeconds } = news
  const named = name === kind ? kind : `${name} (${kind})`
  const where = servers.length === 0 ? '' : ` of ${servers.join(', ')}`
  return `${phase}: ${named}${where}${faultEnd(news)} at ${atSeconds.toFixed(1)} s`
}

function faultEnd(news: FaultNews): string {
  switch (news.what) {
    case 'done':
      return ''
    case 'undone':
      return ' is undone'
    case 'failed':
      return ` failed (${news.error ?? 'no reason given'})`
  }
}

const loadVerbs: Readonly<Record<DataSetResult['source'], string>> = {
  generated: 'loaded',
  file: 'loaded',
  copied: 'copied',
  kept: 'kept',
  changed: 'kept as they are',
  existing: 'found',
}

function loadSummary(data: DataSetResult): string {
  const { collection, rows, source, loadSeconds, documentsPerSecond } = data
  const rate =
    documentsPerSecond === null
      ? ''
      : ` in ${loadSeconds.toFixed(1)} s, ${groupDigits(Math.round(documentsPerSecond))} documents/s`
  return `${collection}: ${groupDigits(rows)} documents ${loadVerbs[source]}${rate}${indexSummary(data)}`
}

/** The time of index builds. Indexes that existed before the documents cost time in the load instead. */
function indexSummary({ indexes, indexSeconds }: DataSetResult): string {
  const built = indexes.length === 1 ? 'its index' : `its ${indexes.length} indexes`
  return indexSeconds < 0.05 ? '' : `; ${built} in ${indexSeconds.toFixed(1)} s`
}

/** A bar of ten places. */
export function formatBar(fraction: number): string {
  const full = Math.round(Math.min(1, Math.max(0, fraction)) * barWidth)
  return `${'█'.repeat(full)}${'░'.repeat(barWidth - full)}`
}

function rowSummary({ status, phases, seconds }: VariantResult): string {
  const parts = [...phases.map(phaseSummary), ...(status === 'done' ? [] : [status])]
  return `${parts.join('; ')} (${seconds.toFixed(0)} s in all)`
}

function phaseSummary(phase: PhaseResult): string {
  const { name, operations, wallSeconds } = phase
  const found = readSearch(phase)
  if (found !== null) return `${name}: ${formatAnswer(found)}`
  // A phase that was aborted before its first call has no length.
  if (wallSeconds === 0) return `${name}: nothing was measured`
  const total = (outcome: 'ok' | 'failed' | 'unknown'): number =>
    operations.reduce((sum, operation) => sum + operation[outcome], 0)
  const rate = `${groupDigits(Math.round(total('ok') / wallSeconds))} operations/s in ${wallSeconds.toFixed(1)} s`
  const others = (
    [
      ['failed', 'failed'],
      ['unknown', 'of unknown outcome'],
    ] as const
  ).filter(([outcome]) => total(outcome) > 0)
  return [`${name}: ${rate}`, ...others.map(([outcome, text]) => `${total(outcome)} ${text}`)].join(', ')
}

/** The time left for a line of progress: "~2 min", or ">2 min" if other specs follow. */
type TimeLeft = (event: ProgressEvent) => string | null

/**
 * Estimates how long the rest of a run takes, by the mean of the rows that have ended, server starts and loads included.
 * Null while none has ended.
 * @param specsAfter Specs that follow in the same run.
 */
function createTimeLeft(now: () => number, specsAfter: number): TimeLeft {
  let rowBeganMs = now()
  let ended = 0
  let endedMs = 0
  return (event) => {
    const { number, of } = event.at
    const nowMs = now()
    const isOver = event.kind === 'row' || event.kind === 'skipped'
    if (event.kind === 'row') {
      ended += 1
      endedMs += nowMs - rowBeganMs
    }
    if (isOver) rowBeganMs = nowMs
    if (ended === 0) return null
    const meanMs = endedMs / ended
    const thisRowMs = isOver ? 0 : Math.max(passLeftMs(event), meanMs - (nowMs - rowBeganMs))
    const seconds = (thisRowMs + meanMs * (of - number)) / 1000
    return seconds === 0 ? null : `${specsAfter > 0 ? '>' : '~'}${durationText(seconds)}`
  }
}

const passLeftMs = (event: ProgressEvent): number =>
  event.kind === 'phase' ? (event.progress.etaSeconds ?? 0) * 1000 : 0

/** A duration as text, in the unit that needs at most three digits. */
export function durationText(seconds: number): string {
  if (seconds < 100) return `${Math.ceil(seconds)} s`
  return seconds < 6000 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`
}
