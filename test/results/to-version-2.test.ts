import { expect, test } from 'vitest'
import { toVersion2 } from '../../src/results/to-version-2.ts'

test('columns of the spread show the interval, and other places use the measure that came in its place', () => {
  const spec = {
    name: 'a',
    thresholds: ['mix.spreadPercent < 10', 'errors == 0'],
    report: {
      let: { wide: { '@gt': [{ '@metric': 'mix.spreadPercent' }, 5] } },
      tables: [
        {
          title: 'T',
          columns: [
            'spreadPercent',
            { metric: 'mix.spreadPercent', title: 'Spread', digits: 0, at: { batch: 1 } },
            'serverCpuSpreadPercent',
            { parameter: 'spreadPercentage' },
          ],
        },
        { title: 'U', columns: [{ metric: 'docsPerSecond', title: 'Speed' }, 'spreadPercent'] },
      ],
      charts: [{ kind: 'bar', x: { parameter: 'batch' }, y: ['clientCpuSpreadPercent'] }],
    },
  }
  expect(toVersion2({ spec })).toEqual({
    spec: {
      name: 'a',
      thresholds: ['mix.intervalPercent < 10', 'errors == 0'],
      report: {
        let: { wide: { '@gt': [{ '@metric': 'mix.intervalPercent' }, 5] } },
        tables: [
          {
            title: 'T',
            columns: [
              { metric: 'opsPerSecond', show: 'interval' },
              { metric: 'mix.opsPerSecond', show: 'interval', at: { batch: 1 } },
              { metric: 'serverCpuUsPerOperation', show: 'interval' },
              { parameter: 'spreadPercentage' },
            ],
          },
          {
            title: 'U',
            columns: [
              { metric: 'docsPerSecond', title: 'Speed' },
              { metric: 'docsPerSecond', show: 'interval', title: 'Speed over Runs' },
            ],
          },
        ],
        charts: [{ kind: 'bar', x: { parameter: 'batch' }, y: ['clientCpuIntervalPercent'] }],
      },
    },
  })
})

test('the warning about few samples goes', () => {
  const [few, other] = [{ code: 'few-samples' }, { code: 'errors' }]
  expect(toVersion2({ variants: [{ row: 0, phases: [{ warnings: [few, other] }] }] })).toEqual({
    variants: [{ row: 0, phases: [{ warnings: [other] }] }],
  })
})

test('what is no result is left for the schema to refuse', () => {
  expect(toVersion2({ spec: 1, variants: 'none' })).toEqual({ spec: 1, variants: 'none' })
})
