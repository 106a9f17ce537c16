import { groupBy, sum } from '../../metrics/statistics.ts'
import { inRow, missText, thresholdVerdicts, unforeseenFailures, unforeseenFaults } from '../../metrics/thresholds.ts'
import { firstFinding, rowChecks } from '../../results/row-checks.ts'
import { type CheckResult, type Result, type VariantResult } from '../../results/schema.ts'
import { isUnclear, isWorse, type ResultComparison } from '../comparison/comparison.ts'
import { markup, type Markup } from '../html/markup.ts'

type Outcome = 'passed' | 'failure' | 'error' | 'skipped'

/** A test case: why it did not pass, in one line, and its length in seconds, which judgements do not have. */
type JUnitCase = {
  readonly name: string
  readonly outcome: Outcome
  readonly because?: string
  readonly seconds?: number
}

/** Test cases of one spec, with its path from the root of the repository and when it began, as ISO 8601, where they are known. */
export type JUnitSuite = {
  readonly name: string
  readonly file?: string | null
  readonly startedAt?: string
  readonly cases: readonly JUnitCase[]
}

/** Suites in the XML of JUnit, as Jenkins, GitLab and others read it. */
export function junitXml(suites: readonly JUnitSuite[]): string {
  const all = suites.flatMap(({ cases }) => cases)
  const { text } = element('testsuites', { name: 'mongo-perf', ...countCases(all) }, suites.map(renderSuite))
  return `<?xml version="1.0" encoding="UTF-8"?>\n${text.replaceAll(notInXml, '\uFFFD')}`
}

/** Characters that XML 1.0 has no way to write. */
const notInXml = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu

function element(name: string, attributes: object, children: readonly Markup[] = []): Markup {
  const start = markup`${name}${Object.entries(attributes).map(([key, value]) => markup` ${key}="${String(value)}"`)}`
  return children.length === 0 ? markup`<${start}/>\n` : markup`<${start}>\n${children}</${name}>\n`
}

const renderSuite = ({ name, file, startedAt, cases }: JUnitSuite): Markup =>
  element(
    'testsuite',
    {
      name,
      ...countCases(cases),
      skipped: count(cases, 'skipped'),
      ...(startedAt && { timestamp: startedAt.slice(0, 19) }),
    },
    cases.map(({ name: ofCase, outcome, because = '', seconds = 0 }) => {
      const end = outcome === 'passed' ? [] : [element(outcome, { message: because })]
      const attributes = { classname: name, name: ofCase, ...(file && { file }), time: seconds.toFixed(3) }
      return element('testcase', attributes, end)
    }),
  )

const count = (cases: readonly JUnitCase[], outcome: Outcome): number =>
  cases.filter((one) => one.outcome === outcome).length

const countCases = (cases: readonly JUnitCase[]): object => ({
  tests: cases.length,
  failures: count(cases, 'failure'),
  errors: count(cases, 'error'),
  time: sum(cases.map(({ seconds = 0 }) => seconds)).toFixed(3),
})

/**
 * The rows, thresholds and checks of a result as test cases, and what else decides the exit code of a run.
 * @param strict Whether a threshold that was not judged is a failure.
 * @param file The spec, by its path in the repository.
 */
export function resultSuite(result: Result, strict: boolean, file: string | null = null): JUnitSuite {
  const ofThresholds = { held: 'passed', missed: 'failure', 'not judged': strict ? 'failure' : 'skipped' } as const
  const thresholds = thresholdVerdicts(result).map((verdict): JUnitCase => ({
    name: verdict.threshold,
    outcome: ofThresholds[verdict.verdict],
    because: missText(verdict),
  }))
  const checks = rowChecks(result).map(({ label, run, check }): JUnitCase => ({
    name: `check ${check.name}${inRow(label)}, run ${run}`,
    outcome: outcomes[check.status],
    because: firstFinding(check),
  }))
  const [failures, faults] = [unforeseenFailures(result), unforeseenFaults(result)]
  const cases: readonly JUnitCase[] = [
    { name: 'all rows run', outcome: rowOutcomes[result.status], because: `the run is ${result.status}` },
    ...result.variants.map(rowCase),
    ...thresholds,
    ...checks,
    { name: 'operations succeed', outcome: failures > 0 ? 'failure' : 'passed', because: `${failures} failed` },
    { name: 'faults are injected', outcome: faults > 0 ? 'failure' : 'passed', because: `${faults} were not` },
  ]
  return { name: result.spec.name, file, startedAt: result.startedAt, cases }
}

const outcomes = {
  held: 'passed',
  allowed: 'passed',
  violated: 'failure',
  'not-checked': 'skipped',
} as const satisfies Record<CheckResult['status'], Outcome>

const rowOutcomes = {
  done: 'passed',
  failed: 'error',
  aborted: 'skipped',
  running: 'skipped',
} as const satisfies Record<Result['status'], Outcome>

const rowCase = ({ label, run, status, error, seconds }: VariantResult): JUnitCase => ({
  name: `run ${run}${inRow(label)}`,
  outcome: rowOutcomes[status],
  because: error ?? status,
  seconds,
})

/** The verdicts of a comparison as test cases, in a suite for each spec: what is not clear is skipped. */
export function comparisonSuites({ work, figures, leftOut }: ResultComparison): readonly JUnitSuite[] {
  const suites = groupBy([...work, ...figures, ...leftOut], ({ spec }) => spec)
  return [...suites].map(([name, ofSpec]) => ({
    name,
    cases: ofSpec.map((one): JUnitCase => ({
      name: `B against A: ${one.title}${inRow(one.row)}`,
      outcome: 'reason' in one || isUnclear(one) ? 'skipped' : isWorse(one) ? 'failure' : 'passed',
      because: 'reason' in one ? one.reason : one.verdict.text,
    })),
  }))
}
