export { documentSection, type ReportFiles } from '../report/document/document-section.ts'
export {
  type DocumentSection,
  newDocument,
  updateDocument,
  type UpdatedDocument,
} from '../report/document/update-document.ts'
export { Problem } from '../core/errors.ts'
export type { ColumnScope, OwnColumn, OwnColumns } from '../metrics/columns/own-column.ts'
export { withColumns } from '../metrics/columns/own-columns.ts'
export type { Block, ReportTree, Section, TrustBlock, TrustWarning } from '../report/blocks/block.ts'
export { drawChart } from '../report/charts/drawing/draw-chart.ts'
export { compareResults, type CompareOptions } from '../report/comparison/compare-results.ts'
export type { ComparedFigure, ComparedVerdict, LeftOut, ResultComparison } from '../report/comparison/comparison.ts'
export type { DifferenceName } from '../report/comparison/difference-names.ts'
export type { Difference } from '../report/comparison/differences.ts'
export type { Table, TableColumn, TableRow } from '../report/tables/table.ts'
export type { Compared } from '../report/html/comparison-html.ts'
export { comparisonHtml, reportHtml } from '../report/html/html-reports.ts'
export { type Report, type ReportOptions, renderReport as report } from '../report/report.ts'
