import { withHints } from '../core/errors.ts'
import { withColumns as addColumns } from '../metrics/columns/own-columns.ts'
import { drawChart as draw } from '../report/charts/drawing/draw-chart.ts'
import { compareResults as compare } from '../report/comparison/compare-results.ts'
import { documentSection as renderSection } from '../report/document/document-section.ts'
import { updateDocument as update } from '../report/document/update-document.ts'
import { comparisonHtml as renderComparison, reportHtml as renderHtml } from '../report/html/html-reports.ts'
import { renderReport } from '../report/report.ts'

/**
 * Markdown, CSV and chart configurations of a result. Pure: the same result returns the same report, if the functions of own columns are pure.
 * `drawChart` makes a PNG of a chart.
 * @throws {Problem} "result-unreadable" where the report part of the result is of another version.
 */
export const report: typeof renderReport = withHints(renderReport)

/**
 * Draws a chart as a PNG of twice its logical size, with chartjs-node-canvas if it is installed. Chart.js and its canvas are loaded for the first one.
 * @throws {Problem} "no-canvas" where none of the packages can be loaded.
 */
export const drawChart: typeof draw = withHints(draw)

/**
 * The report of one or several results as one HTML file, which needs nothing else: tables, charts, time lines and the raw data.
 * @throws {Problem} as `report`.
 */
export const reportHtml: typeof renderHtml = withHints(renderHtml)

/**
 * The verdicts on B against A, and the reports of both beside each other, as one HTML file.
 * @throws {Problem} as `report`.
 */
export const comparisonHtml: typeof renderComparison = withHints(renderComparison)

/**
 * Compares two results, or those of several specs: B against A. The runs of a row are the values. Those of the two sides of `mongo-perf ab` are
 * paired by their rounds. Others were measured at different times, and nothing is paired.
 * @throws {Problem} "usage" if A and B differ in more than `differences`, have nothing in common, or lack a measure.
 */
export const compareResults: typeof compare = withHints(compare)

/**
 * Adds own columns to a result: their values in each run, in the place of earlier ones of the same name.
 * @throws {Problem} "usage" for a name that cannot be one of an own column.
 */
export const withColumns: typeof addColumns = withHints(addColumns)

/**
 * Renders the report of a result as a section of a document.
 * @throws {Problem} as `report`.
 */
export const documentSection: typeof renderSection = withHints(renderSection)

/**
 * Writes reports into a document, each part between its markers. A new section replaces its placeholder or goes to the end.
 * Text outside of markers stays the same, byte for byte.
 * @throws {Problem} "document-invalid" if the markers are ambiguous, "usage" if a section shows another result.
 */
export const updateDocument: typeof update = withHints(update)

export { Problem } from '../core/errors.ts'
export type { ColumnScope, OwnColumn, OwnColumns } from '../metrics/columns/own-column.ts'
export type { Block, ReportTree, Section, TrustBlock, TrustWarning } from '../report/blocks/block.ts'
export type { CompareOptions } from '../report/comparison/compare-results.ts'
export type { ComparedFigure, ComparedVerdict, LeftOut, ResultComparison } from '../report/comparison/comparison.ts'
export type { DifferenceName } from '../report/comparison/difference-names.ts'
export type { Difference } from '../report/comparison/differences.ts'
export type { ReportFiles } from '../report/document/document-section.ts'
export { type DocumentSection, newDocument, type UpdatedDocument } from '../report/document/update-document.ts'
export type { Compared } from '../report/html/comparison-html.ts'
export type { Report, ReportOptions } from '../report/report.ts'
export type { Table, TableColumn, TableRow } from '../report/tables/table.ts'
