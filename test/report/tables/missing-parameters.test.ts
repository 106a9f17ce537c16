import { describe, expect, test } from 'vitest'
import { createCharts } from '../../../src/report/charts/charts.ts'
import { evaluateReport } from '../../../src/report/definition/report-spec.ts'
import { createMeasuredTables } from '../../../src/report/tables/measured.ts'
import { type Table } from '../../../src/report/tables/table.ts'
import { type Result } from '../../../src/results/schema.ts'
import { fakeOperation, fakePhase, fakeResult, fakeVariant } from '../../fakes/fake-result.ts'
import { inLight } from '../../fakes/in-light.ts'

const operations = ['findOne', 'insertOne'].map((name) => fakeOperation({ name }))
const servers = [
  { value: { host: 'one' }, label: 'small', choice: 0 },
  { value: { host: 'two' }, label: 'large', choice: 1 },
]

/** Two servers, and on each of them two batches. */
function crossed(report: object): Result {
  const variants = servers.flatMap((server, block) =>
    [1, 10].map((batch, step) =>
      fakeVariant({
        row: block * 2 + step,
        label: `server ${server.label}, batch ${batch}`,
        parameters: { batch: { value: batch, choice: step }, server },
        phases: [fakePhase({ operations, wallSeconds: 1 + block * 2 + step })],
      }),
    ),
  )
  const effective = { variants: { server: ['small', 'large'], batch: [1, 10] } }
  return fakeResult({ variants, spec: { effective, varied: ['server', 'batch'], report: report as never } })
}

const linesOf = ({ columns, rows }: Table) =>
  [columns.map(({ title }) => title), ...rows.map(({ cells }) => cells)].map((cells) => cells.join())
const shownIn = (result: Result) => createMeasuredTables(evaluateReport(result)).map(linesOf)

const titled = (table: object) => ({ title: 'T', ...table })
const shown = (table: object, ...others: readonly object[]) =>
  shownIn(crossed({ tables: [table, ...others].map(titled), charts: [] }))[0]

const batch = { parameter: 'batch', title: 'Batch' }
const time = { metric: 'wallSeconds', title: 'Time', digits: 0 }
const operation = { row: 'operation', title: 'Operation' }
const letter = { row: 'letter', title: 'Row' }

describe('a table whose rows look the same', () => {
  const bothServers = ['small,1,1', 'small,10,2', 'large,1,3', 'large,10,4']
  test('gets a column first, with the labels of the parameter that varies', () =>
    expect(shown({ columns: [batch, time] })).toEqual(['server,Batch,Time', ...bothServers]))

  test('gets as many as it takes, under the headings of other tables', () =>
    expect(shown({ columns: [time] }, { columns: [batch, { parameter: 'server', title: 'Host' }] })).toEqual([
      'Host,Batch,Time',
      ...bothServers,
    ]))

  test('of operations too', () => {
    const lines = shown({ rows: 'operations', columns: [operation, batch, 'operations'] }) ?? []
    expect(lines[0]).toBe('server,Operation,Batch,Operations')
    expect(lines).toHaveLength(9)
  })

  test('of operations without their names gets those', () => {
    const lines = shown({ rows: 'operations', columns: [batch, 'operations'] }) ?? []
    expect(lines[0]).toBe('server,Operation,Batch,Operations')
  })

  test('whatever was measured: figures that differ do not distinguish rows', () => {
    const twice = { title: 'Twice', value: { '@multiply': [2, { '@var': 'time' }] } }
    const tables = [{ title: 'T', columns: [batch, twice] }]
    const result = crossed({ let: { time: { '@metric': 'wallSeconds' } }, tables, charts: [] })
    expect(shownIn(result)[0]?.[0]).toBe('server,Batch,Twice')
  })

  test('where letters alone name its rows, and no other table shows what they stand for', () =>
    expect(shown({ columns: [letter, batch, time] })?.slice(0, 2)).toEqual(['server,Row,Batch,Time', 'small,A,1,1']))

  test('where rows that differ only in "at" are merged', () => {
    const ofOne = { ...time, at: { batch: 1 }, title: 'Time of 1' }
    const ofTen = { ...time, at: { batch: 10 }, title: 'Time of 10' }
    expect(shown({ columns: [ofOne, ofTen] })).toEqual(['server,Time of 1,Time of 10', 'small,1,2', 'large,3,4'])
  })
})

describe('a table whose rows are distinguishable stays as it is', () => {
  const server = { parameter: 'server' }

  test('with columns for all that varies', () =>
    expect(shown({ columns: [batch, server, time] })?.[0]).toBe('Batch,server,Time'))

  test('with the labels of the rows', () =>
    expect(shown({ columns: [{ parameter: 'label' }, time] })?.[0]).toBe('label,Time'))

  test('with a column that is computed from the parameter', () => {
    const host = { title: 'Host', value: { '@cond': [{ '@eq': [{ '@param': 'server' }, 'small'] }, 'S', 'L'] } }
    expect(shown({ columns: [batch, host, time] })?.[0]).toBe('Batch,Host,Time')
  })

  test('with letters that another table explains', () =>
    expect(shown({ columns: [letter, time] }, { columns: [letter, server, batch] })?.[0]).toBe('Row,Time'))

  test('where its condition leaves one value of the parameter', () => {
    const where = { '@eq': [{ '@param': 'server' }, 'large'] }
    expect(shown({ where, columns: [batch, time] })).toEqual(['Batch,Time', '1,3', '10,4'])
  })

  test('where it has one row', () => expect(shown({ rows: 'once', columns: [time] })?.[0]).toBe('Time'))
})

describe('rows that are listed', () => {
  const variants = servers.flatMap((server, block) =>
    ['calm', 'busy'].map((label, step) =>
      fakeVariant({
        row: block * 2 + step,
        label,
        parameters: { server, workers: { value: step }, label: { value: label } },
        phases: [fakePhase({ operations })],
      }),
    ),
  )
  const listed = (report: Result['spec']['report']) =>
    fakeResult({ variants, spec: { effective: { variants: [] }, varied: ['server', 'workers'], report } })

  test('are distinguished by their labels, and by whatever else varies where labels are the same', () => {
    const result = listed({ tables: [{ title: 'T', columns: ['wallSeconds'] }], charts: [] })
    const names = shownIn(result)[0]?.map((line) => line.split(',').slice(0, 2).join())
    expect(names).toEqual(['Variant,server', 'calm,small', 'busy,small', 'calm,large', 'busy,large'])
  })

  test('in charts as well', () => {
    const chart = { kind: 'bar', x: { parameter: 'label' }, y: ['opsPerSecond'] }
    const drawing = inLight(createCharts(evaluateReport(listed({ tables: [], charts: [chart] })))[0])
    expect(drawing.chart.data.datasets.map(({ label }) => label)).toEqual(['small', 'large'])
  })
})

test('lists that are crossed in part are distinguished by their parameters', () => {
  const result = crossed({ tables: [{ title: 'T', columns: ['wallSeconds'] }], charts: [] })
  result.variants.splice(1, 1)
  expect(shownIn(result)[0]?.[0]).toBe('server,batch,Time Taken (s)')
})
