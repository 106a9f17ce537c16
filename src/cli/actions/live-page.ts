import { renderedHtml } from '../../report/html/report-html.ts'
import { renderReport } from '../../report/report.ts'
import { packResult } from '../../results/files/pack-result.ts'
import { type Result } from '../../results/schema.ts'
import { type LivePage } from '../../run/live/live-server.ts'

/** Creates the page that `--live` shows of a result: its report so far, which listens to the run. */
export const livePage = (result: Result): LivePage => ({
  html: () => renderedHtml([{ result, report: renderReport(result) }], 'live'),
  data: () => JSON.stringify(packResult(result)),
})
