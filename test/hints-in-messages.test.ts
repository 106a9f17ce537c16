import { expect, test } from 'vitest'
import { ab, compareResults, loadSpec, readResult, report, run, updateDocument, valueOf } from '../src/entries/index.ts'
import { reportHtml, withColumns } from '../src/entries/report.ts'
import { measure, Problem } from '../src/entries/testing.ts'
import { resultWith } from './fakes/compared-results.ts'
import { fakeResult } from './fakes/fake-result.ts'

const result = fakeResult()
const ofOtherVersion = fakeResult({ spec: { report: { tables: 1 } } })
const incomplete = { name: 'incomplete' } as never

test.each<readonly [name: string, call: () => unknown]>([
  ['run', () => run(incomplete)],
  ['run', () => run('nowhere.json')],
  ['ab', () => ab('nowhere.json', { a: {}, b: {}, out: 'nowhere' })],
  ['loadSpec', () => loadSpec(incomplete)],
  ['readResult', () => readResult('nowhere.json')],
  ['valueOf', () => valueOf(result, 'nothing')],
  ['compareResults', () => compareResults(result, resultWith({ '': [1] }, { spec: { name: 'other' } }))],
  ['withColumns', () => withColumns(result, { p99Ms: { title: 'p99', cell: () => 1 } as never })],
  ['report', () => report(ofOtherVersion)],
  ['reportHtml', () => reportHtml(ofOtherVersion)],
  ['updateDocument', () => updateDocument('<!-- mongo-perf contents -->', [])],
  ['measure', () => measure(() => 1, { rounds: 0 })],
])('a problem of %s has its hint in the message, because test runners show nothing else', async (_, call) => {
  const error: unknown = await Promise.resolve()
    .then(call)
    .catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(Problem)
  const { message, hint } = error as Problem
  expect(message.split(hint)).toEqual([expect.stringMatching(/.\n$/), ''])
})
