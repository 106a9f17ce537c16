import { expect, test } from 'vitest'
import { describeEvent, showProgress } from '../../src/cli/terminal/show-progress.ts'
import { createStatusWriter } from '../../src/cli/terminal/status-writer.ts'
import { type OnProgress, type ProgressEvent } from '../../src/run/run-events.ts'
import { fail } from '../fakes/fail.ts'
import { fakeClock } from '../fakes/fake-clock.ts'
import { storedResult } from '../fakes/stored-results.ts'

const at = { label: '10', number: 2, of: 6 }
const half: Extract<ProgressEvent, { kind: 'phase' }> = {
  kind: 'phase',
  at,
  progress: {
    phase: 'insert',
    pass: 'measured',
    operations: 500,
    documents: 5000,
    elapsedMs: 5000,
    fraction: 0.5,
    ratePerSecond: 1234.5,
    p99Ms: 4.217,
    errors: 1,
    etaSeconds: 4.2,
  },
}
/** What clears a line of a terminal. */
const clear = '\r\u001B[2K'
const load: ProgressEvent = { kind: 'load', at, collection: 'docs', documents: 25, of: 100, ratePerSecond: 999.9 }

const terminal = (write: (text: string) => void, columns = 80, isTerminal = true) =>
  createStatusWriter({ write, isTerminal, columns: () => columns, rows: () => 24 })

/** What a terminal (or a file) gets to hear of some events. */
function outputOf(
  isTerminal: boolean,
  columns: number,
  act: (onProgress: OnProgress, clock: ReturnType<typeof fakeClock>) => void,
  specsAfter = 0,
): string {
  let text = ''
  const clock = fakeClock()
  const status = terminal((more) => void (text += more), columns, isTerminal)
  act(showProgress(status, clock.now, specsAfter).onProgress, clock)
  return text
}

function rowEvent(): ProgressEvent {
  const variant = storedResult('aborted-two-phases').variants.find(({ phases }) => phases.length > 0)
  return { kind: 'row', at, variant: variant ?? fail('no phase') }
}

test('before the first second, a terminal sees one line with bar and time left, rewritten each time', () => {
  const text = outputOf(true, 120, (onProgress) => [load, half].forEach(onProgress))
  expect(text).toBe(
    `${clear}[2/6] 10 loading docs ███░░░░░░░ 1000 documents/s${clear}[2/6] 10 insert █████░░░░░ 5 s of ? left`,
  )
})

test('the time left of the whole run is estimated by the rows that have ended', () => {
  const text = outputOf(true, 120, (onProgress, clock) => {
    clock.advance(30_000)
    onProgress({ ...rowEvent(), at: { ...at, number: 1 } })
    clock.advance(10_000)
    onProgress(half)
    clock.advance(30_000)
    onProgress(half)
    clock.advance(20_000)
    onProgress({ ...rowEvent(), at })
    onProgress({ ...load, at: { ...at, number: 6 } })
  })
  const lefts = [...text.matchAll(/(?:, |░ )([^,░]+) left/g)].map(([, left]) => left)
  // Five rows of 30 s; 20 s and four of 30 s; 4.2 s and four of 30 s; four of (30 + 60) / 2 s; the last one.
  expect(lefts).toEqual(['~3 min', '5 s of ~2 min', '5 s of ~2 min', '~3 min', '~45 s'])
})

test.each([
  [0, 1, '5 s left'],
  [0, 6, '5 s of ? left'],
  [2, 1, '5 s of ? left'],
])('of a run with %i specs and %i rows to come, nothing is made up', (specsAfter, of, left) => {
  const event: ProgressEvent = { ...half, at: { label: '', number: 1, of } }
  const text = outputOf(true, 120, (onProgress) => onProgress(event), specsAfter)
  expect(text).toBe(`${clear}[1/${of}] insert █████░░░░░ ${left}`)
})

const endSlowRows: Parameters<typeof outputOf>[2] = (onProgress, clock) => {
  clock.advance(1_500_000)
  onProgress({ ...rowEvent(), at })
  onProgress({ ...rowEvent(), at: { ...at, number: 6 } })
}

test('where specs follow, what is known is less than what is left', () => {
  const text = outputOf(false, 80, endSlowRows, 1)
  const [second, last] = text.split('\n')
  expect(second).toMatch(/ s in all\), >1\.7 h left$/)
  expect(last).toMatch(/ s in all\)$/)
})

test('before any operation has ended there is no time left', () => {
  const begun = { ...half.progress, etaSeconds: null, fraction: 0, pass: 'warm-up' } as const
  const text = outputOf(true, 120, (onProgress) => onProgress({ ...half, at: { ...at, of: 2 }, progress: begun }))
  expect(text).toBe(`${clear}[2/2] 10 insert (warm-up) ░░░░░░░░░░`)
})

test('a line of progress fits 80 columns: the label is shortened, and not the rest', () => {
  const label = 'a label that is longer than the whole of the line in which it stands should be'
  const text = outputOf(true, 80, (onProgress) => onProgress({ ...half, at: { ...at, label } }))
  const [, line = ''] = text.split(clear)
  expect(line).toSay('progress-label-shortened')
  expect(line.length).toBeLessThan(80)
})

test.each([
  [{ what: 'done' }, 'progress-fault-done'],
  [{ what: 'undone', kind: 'pause' }, 'progress-fault-undone'],
  [{ what: 'failed', servers: [], error: 'no server was primary' }, 'progress-fault-failed'],
] as const)('a fault is shown in a line that stays, %j', (parts, code) => {
  const of = { phase: 'write', name: 'kill', kind: 'kill', servers: ['member0'] }
  const news = { ...of, atSeconds: 10.21, error: null, ...parts }
  const text = outputOf(true, 120, (onProgress) => onProgress({ kind: 'fault', at, news }))
  expect(text).toSay(code, { seconds: 10.2 })
  expect(text).toMatch(/[^\n]\n$/)
})

test('a line is cut to the width of the terminal, for a longer one could not be rewritten', () => {
  const text = outputOf(true, 20, (onProgress) => onProgress(half))
  expect(text).toBe(`${clear}[2/6] 10 insert ███`)
})

test('a finished row takes the place of the progress', () => {
  const row = rowEvent()
  const text = outputOf(true, 120, (onProgress) => [half, row].forEach(onProgress))
  const [, progress, line] = text.split(clear)
  expect(progress).toMatch(/5 s of \? left$/)
  expect(line).toMatch(/^\[2\/6\] 10 \w+: \d+ operations\/s in [\d.]+ s.*\(\d+ s in all\)\n$/)
})

test.each([
  [{ failed: 0, unknown: 0 }, /\d s \(/],
  [{ failed: 2, unknown: 0 }, /\d s, 2 failed \(/],
  [{ failed: 0, unknown: 3 }, /\d s, 3 of unknown outcome \(/],
  [{ failed: 2, unknown: 3 }, /\d s, 2 failed, 3 of unknown outcome \(/],
])('a finished row shows failed calls and calls of unknown outcome separately: %j', (counts, expected) => {
  const { variants } = storedResult('insert-batch-size')
  const variant = variants[0] ?? fail('no row')
  for (const { operations } of variant.phases) for (const operation of operations) Object.assign(operation, counts)
  const done: ProgressEvent = { kind: 'row', at, variant }
  expect(outputOf(false, 120, (onProgress) => onProgress(done))).toMatch(expected)
})

test('where lines cannot be rewritten, there is one line per finished row and no code for terminals', () => {
  const row = rowEvent()
  const skipped: ProgressEvent = { kind: 'skipped', at: { label: '', number: 1, of: 6 } }
  const text = outputOf(false, 80, (onProgress) => [skipped, load, half, row].forEach(onProgress))
  expect(text).not.toContain('\u001B')
  expect(text.split('\n')).toEqual([expect.toSay('progress-kept'), expect.stringMatching(/^\[2\/6\] 10 /), ''])
})

test('a text for people closes a line of progress', () => {
  let text = ''
  const status = terminal((more) => void (text += more))
  status.rewrite('half way')
  status.printStatus('SIGINT\n')
  status.printStatus('done\n')
  expect(text).toBe(`${clear}half way${clear}SIGINT\ndone\n`)
})

const loaded = (data: object): ProgressEvent => ({
  kind: 'loaded',
  at,
  data: {
    collection: 'docs',
    source: 'generated',
    rows: 100,
    loadSeconds: 2,
    documentsPerSecond: 50,
    meanDocumentBytes: 100,
    indexes: [],
    indexSeconds: 0,
    samples: [],
    ...data,
  },
})

test.each([
  ['existing', 'progress-connecting'],
  ['replicaSet', 'progress-starting'],
])('shows what happens to the target %s', (target, code) => {
  const shown = outputOf(true, 80, (onProgress) => onProgress({ kind: 'target', at, target }))
  expect(shown.replace(clear, '')).toSay(code)
})

test('what was loaded is shown with its rate, also where lines cannot be rewritten', () => {
  const text = outputOf(false, 120, (onProgress) => {
    onProgress(loaded({}))
    onProgress(loaded({ source: 'kept', documentsPerSecond: null, indexes: ['{"a":1}'], indexSeconds: 0.01 }))
    onProgress(loaded({ source: 'copied', indexes: ['{"a":1}', '{"b":1}'], indexSeconds: 1.26 }))
    onProgress(loaded({ rows: 0, documentsPerSecond: null }))
  })
  expect(text).toSay('progress-loaded', { documents: 100, seconds: '2.0', rate: 50 })
  expect(text).toMatch(/[^\n]\n$/)
})

const labelled = (label: string) => ({ label, number: 2, of: 6 })

test('a row that is called like its phase is named once', () => {
  const phase = { ...half, at: labelled('insert') }
  expect(describeEvent({ kind: 'check', at: labelled('w:1'), name: 'w:1' })).toBe('[2/6] w:1 checking w:1')
  const named = { ...phase, progress: { ...phase.progress, phase: 'insert' } }
  expect(describeEvent(named)).toMatch(/^\[2\/6\] insert █/)
  expect(describeEvent({ ...named, at: labelled('ins') })).toMatch(/^\[2\/6\] ins insert █/)
  expect(outputOf(true, 80, (onProgress) => onProgress(named))).toContain('[2/6] insert █')
})
