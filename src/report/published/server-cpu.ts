import { type Address } from '../../metrics/address.ts'
import { serverColumns } from '../../metrics/columns/server.ts'
import { times } from '../../metrics/columns/from-metrics.ts'
import { type Row, scopesOf } from '../../metrics/rows.ts'
import { isNumber, median, ratio } from '../../metrics/statistics.ts'
import { type PublishedRow } from '../../spec/published/find-table.ts'

const usPerSecondOfPercent = 10_000

/** What a rate counts: "op" for "ops/s". Null for a measure that is no rate. */
export function unitOfRate({ column }: Address): string | null {
  const [, counted] = /^(.*?)s?\/s$/.exec(column.unit) ?? []
  return counted ?? null
}

/** CPU time of the server for each unit of a rate, in µs: the median of the runs. Null in a phase of several operations, which share it. */
export function measuredCpuUs(row: Row, address: Address): number | null {
  const { column } = address
  if (!('value' in column) || unitOfRate(address) === null) return null
  const perRun = scopesOf(row, address)
    .filter(({ phase }) => phase.operations.length === 1)
    .map((scope) =>
      ratio(times(serverColumns.serverCpuPercent.value(scope), usPerSecondOfPercent), column.value(scope)),
    )
  return median(perRun.filter(isNumber))
}

/** The same from the published table: CPU usage of all cores of the server, divided by the published rate. */
export function publishedCpuUs({ figure, cpuPercent, vCpus }: PublishedRow, address: Address): number | null {
  if (cpuPercent === null || vCpus === null || unitOfRate(address) === null) return null
  return ratio(cpuPercent * vCpus * usPerSecondOfPercent, figure)
}
