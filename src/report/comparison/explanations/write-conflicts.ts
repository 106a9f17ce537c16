import { serverColumns } from '../../../metrics/columns/server.ts'
import { callsOf } from '../../../metrics/scope.ts'
import { ratio } from '../../../metrics/statistics.ts'
import { figureRule } from './rule.ts'

/** Operations that the server made again because others changed the same documents. */
export const writeConflicts = figureRule(
  { title: 'write conflicts per operation', factor: 1.5, notable: 0.01 },
  (scope) =>
    ratio(serverColumns.writeConflicts.value(scope), callsOf({ ...scope, operations: scope.phase.operations })),
)
