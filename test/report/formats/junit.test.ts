import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { compareResults } from '../../../src/report/comparison/compare-results.ts'
import { comparisonSuites, junitXml, type JUnitSuite, resultSuite } from '../../../src/report/formats/junit.ts'
import { type CheckResult } from '../../../src/results/schema.ts'
import { around, exampleAfter, exampleBefore, phaseWith, resultWith } from '../../fakes/compared-results.ts'
import { fakeOperation, fakeResult, fakeVariant } from '../../fakes/fake-result.ts'
import { forAll } from '../../fakes/for-all.ts'
import { type Element, parseXml } from '../../fakes/parse-xml.ts'

/** The children and the attributes that the schema of Jenkins has for each element. */
const structure: Readonly<Record<string, readonly [children: readonly string[], attributes: readonly string[]]>> = {
  testsuites: [['testsuite'], ['name', 'tests', 'failures', 'errors', 'time']],
  testsuite: [['testcase'], ['name', 'tests', 'failures', 'errors', 'time', 'skipped', 'timestamp']],
  testcase: [
    ['skipped', 'error', 'failure'],
    ['classname', 'name', 'file', 'time'],
  ],
  skipped: [[], ['message']],
  error: [[], ['message']],
  failure: [[], ['message']],
}

function misplacedIn({ name, attributes, children }: Element): readonly string[] {
  const [ofChildren, ofAttributes] = structure[name] ?? [[], []]
  return [
    ...Object.keys(attributes).filter((attribute) => !ofAttributes.includes(attribute)),
    ...children.map((child) => child.name).filter((child) => !ofChildren.includes(child)),
    ...children.flatMap(misplacedIn),
  ]
}

/** The cases of suites that were read back, each with what it ended with. */
function readCases(suites: readonly JUnitSuite[]): Readonly<Record<string, string>> {
  const root = parseXml(junitXml(suites))
  expect([root.name, ...misplacedIn(root)]).toEqual(['testsuites'])
  for (const element of [root, ...root.children]) {
    const cases = element === root ? root.children.flatMap(({ children }) => children) : element.children
    const count = (kind: string): string => String(cases.filter(({ children: [one] }) => one?.name === kind).length)
    const { tests, failures, errors } = element.attributes
    expect({ tests, failures, errors }).toEqual({
      tests: String(cases.length),
      failures: count('failure'),
      errors: count('error'),
    })
  }
  return Object.fromEntries(
    root.children.flatMap(({ children }) =>
      children.map(({ attributes, children: [end] }) => [
        attributes['name'] ?? '',
        end === undefined ? 'passed' : `${end.name}: ${end.attributes['message']}`,
      ]),
    ),
  )
}

const check = (name: string, status: CheckResult['status'], reason: string | null): CheckResult => ({
  name,
  kind: 'countMatches',
  status,
  reason,
  measures: {},
  evidence: [],
})

test('rows, thresholds, checks and failed operations of a result are test cases', () => {
  const failing = phaseWith(1000, { operations: [fakeOperation({ ok: 4000, failed: 3 })] })
  const checks = [
    check('lost', 'violated', '2 documents <are> "missing" & gone'),
    check('count', 'not-checked', 'the row was aborted'),
    check('sum', 'held', null),
  ]
  const variants = [
    fakeVariant({ label: 'batch 1', phases: [failing], checks, seconds: 4.5 }),
    fakeVariant({ row: 1, label: 'batch 2', phases: [], status: 'failed', error: 'no primary' }),
  ]
  const { spec } = fakeResult()
  const thresholds = ['opsPerSecond > 1', 'opsPerSecond > 1000000']
  const result = fakeResult({ variants, spec: { ...spec, thresholds }, status: 'failed' })
  const suite = resultSuite(result, false)
  expect(suite).toMatchObject({ name: spec.name, startedAt: result.startedAt })
  expect(readCases([suite])).toEqual({
    'all rows run': 'error: the run is failed',
    'run 1 in row "batch 1"': 'passed',
    'run 1 in row "batch 2"': 'error: no primary',
    'opsPerSecond > 1': expect.stringMatching(/^failure: opsPerSecond > 1 in row "batch 2": nothing was measured/),
    'opsPerSecond > 1000000': expect.stringMatching(/^failure: opsPerSecond > 1000000 in row "batch/),
    'check lost in row "batch 1", run 1': 'failure: 2 documents <are> "missing" & gone',
    'check count in row "batch 1", run 1': 'skipped: the row was aborted',
    'check sum in row "batch 1", run 1': 'passed',
    'operations succeed': 'failure: 3 failed',
    'faults are injected': 'passed',
  })
})

test('a threshold that was not judged is skipped, and with --strict a failure', () => {
  const disturbed = phaseWith(1000, {
    otherLoad: [{ runs: ['client'], cpuPercent: 83, usedPercent: 83 }],
    warnings: [{ code: 'other-load', message: 'Others', advice: '' }],
  })
  const variants = [fakeVariant({ phases: [disturbed] })]
  const result = fakeResult({ variants, spec: { thresholds: ['opsPerSecond > 1000000'] } })
  const because = /: opsPerSecond > 1000000: other programs used 83 % of the CPU; measured 1000$/
  const caseOf = (strict: boolean) => readCases([resultSuite(result, strict)])['opsPerSecond > 1000000']
  expect([false, true].map(caseOf)).toEqual([
    expect.stringMatching(`^skipped${because.source}`),
    expect.stringMatching(`^failure${because.source}`),
  ])
})

test('verdicts are test cases: worse is a failure, and what is not clear is skipped', () => {
  const cases = readCases(comparisonSuites(compareResults(exampleBefore, exampleAfter)))
  expect(cases['B against A: read: Throughput (ops/s) in row "batch 10"']).toMatch(/^failure: /)
  expect(cases['B against A: read: Throughput (ops/s) in row "batch 1"']).toBe('passed')
  const noisy = readCases(comparisonSuites(compareResults(resultWith({ '': around(1000, 0.4) }), exampleLike(990))))
  expect(noisy['B against A: read: Throughput (ops/s)']).toMatch(/^skipped: /)
})

const exampleLike = (speed: number) => resultWith({ '': around(speed, 0.4).toReversed() })

test('any text is written so that XML has it back, but for characters that XML does not have', () =>
  forAll(fc.string({ unit: 'binary' }), (text) => {
    const [[name, because] = ['', '']] = Object.entries(
      readCases([{ name: text, cases: [{ name: text, outcome: 'failure', because: text }] }]),
    )
    // An attribute has spaces for ends of lines where a parser reads it.
    const kept = text.replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
    expect([name, because]).toEqual([kept, `failure: ${kept}`])
  }))
