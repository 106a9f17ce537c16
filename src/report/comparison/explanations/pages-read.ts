import { serverColumns } from '../../../metrics/columns/server.ts'
import { figureRule } from './rule.ts'

/** Less in the cache: more pages are read for the same operation. */
export const pagesRead = figureRule(
  { title: 'pages read into cache per operation', factor: 1.5, notable: 0.01 },
  serverColumns.pagesReadPerOperation.value,
)
