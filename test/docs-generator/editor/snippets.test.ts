import { describe, expect, test } from 'vitest'
import { createSnippets, type Snippet, thresholdSnippets } from '../../../docs/generator/editor/snippets.ts'
import { checks } from '../../../src/servers/checks/index.ts'
import { faultKinds } from '../../../src/servers/faults/index.ts'
import { operationKinds } from '../../../src/spec/operations/index.ts'
import { aPhase, aSpec, load } from '../../fakes/a-spec.ts'
import { validate } from './editor-validator.ts'

/** What a snippet writes when nothing is filled in. */
const written = ({ text }: Snippet): unknown =>
  JSON.parse(
    text
      .replaceAll(/(?<!\\)\$\{\d+:([^}]*)\}/g, '$1')
      .replaceAll('$0', '')
      .replaceAll(/\\([$\\])/g, '$1'),
  )

const snippets = createSnippets()

/** The parts of a spec in which a snippet stands, by the part that it is for. */
const around: Readonly<Record<string, (part: unknown) => { readonly [key: string]: unknown }>> = {
  SpecInput: (part) => part as { readonly [key: string]: unknown },
  Target: (target) => ({ target }),
  Index: (index) => ({ data: { collection: 'things', rows: 10, document: { _id: { '@row': {} } }, indexes: [index] } }),
  StopAfter: (stopAfter) => ({ phases: [aPhase({ stopAfter })] }),
  Warmup: (warmup) => ({ phases: [aPhase({ warmup })] }),
  Repeat: (repeat) => ({ repeat }),
  Column: (column) => ({
    parameters: { size: 1 },
    report: { tables: [{ title: 't', columns: [{ parameter: 'size' }, column] }] },
  }),
  SingleDataSet: (data) => ({ data }),
  DataSet: (data) => ({ data: [data] }),
  Phase: (part) => ({ phases: [part] }),
  Load: (part) => ({ phases: [aPhase({ load: part, ...(endsByItself(part) && { stopAfter: undefined }) })] }),
  Operation: (part) => ({ phases: [aPhase({ operations: [part] })] }),
  Fault: (part) => ({ phases: [aPhase({ faults: [part] })] }),
  Check: (part) => ({ checks: [part] }),
  Table: (part) => ({ report: { tables: [part] } }),
  Chart: (part) => ({ report: { charts: [part] } }),
}

const endsByItself = (part: unknown): boolean => !/"closed"|"open","rate/.test(JSON.stringify(part))

const all = Object.entries(snippets).flatMap(([title, list]) => list.map((each) => ({ title, ...each })))

test.each(all)('editors take the snippet "$label" of $title', ({ title, ...each }) => {
  validate(aSpec(around[title]?.(written(each))))
  expect(validate.errors).toBeNull()
})

/** What needs other parts of a spec: operations other data, checks operations, charts of searches a search. */
const needsMore = new Set(['Operation', 'Fault', 'Check', 'Chart', 'SingleDataSet', 'DataSet'])

describe('what is written by hand can be run as it stands', () => {
  test.each(
    Object.keys(snippets)
      .filter((title) => !needsMore.has(title))
      .flatMap((title) => all.filter((each) => each.title === title)),
  )('$title: $label', ({ title, ...each }) => {
    expect(load(around[title]?.(written(each))).rows).toHaveLength(1)
  })

  test.each(thresholdSnippets)('threshold: $label', (each) => {
    expect(load({ thresholds: [written(each)] }).rows).toHaveLength(1)
  })
})

const labels = (title: string): readonly string[] => (snippets[title] ?? []).map(({ label }) => label)

test('every kind has a snippet', () => {
  expect(labels('Operation')).toEqual(operationKinds.map(({ kind }) => kind))
  expect(labels('Fault')).toEqual(faultKinds.map(({ kind }) => kind))
  expect(labels('Check')).toEqual(checks.map(({ kind }) => kind))
})
