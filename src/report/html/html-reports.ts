import { type Result } from '../../results/schema.ts'
import { type ReportOptions } from '../report.ts'
import { type Compared } from './comparison-html.ts'

/**
 * The report of one or several results as one HTML file, which needs nothing else: tables, charts, time lines and the raw data.
 * What renders it is loaded when it is first called.
 */
export async function reportHtml(results: Result | readonly Result[], options: ReportOptions = {}): Promise<string> {
  const { resultsHtml } = await import('./report-html.ts')
  return resultsHtml([results].flat(), options)
}

/** The verdicts on B against A, and the reports of both beside each other, as one HTML file. */
export async function comparisonHtml(compared: Compared): Promise<string> {
  const rendered = await import('./comparison-html.ts')
  return rendered.comparisonHtml(compared)
}
