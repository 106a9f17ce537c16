import { type Scope } from '../scope.ts'
import { isNumber, ratio } from '../statistics.ts'
import { defineColumns, ofCalls } from './column.ts'
import { times } from './from-metrics.ts'
import { throughputColumns } from './throughput.ts'

const million = 1_000_000
const secondsPerHour = 3600
const ofPrice = { source: 'facts', of: ofCalls } as const

const { opsPerSecond, docsPerSecond, mbPerSecond } = throughputColumns

/** Columns for throughput per core and per dollar, to compare servers of different sizes. */
export const efficiencyColumns = defineColumns(ofPrice, {
  opsPerSecondPerCore: perCore('ops', opsPerSecond),
  docsPerSecondPerCore: perCore('docs', docsPerSecond),
  mbPerSecondPerCore: perCore('MB', mbPerSecond, 2),
  opsPerDollar: perDollar('Operations per $', 'ops/$', opsPerSecond),
  docsPerDollar: perDollar('Documents per $', 'docs/$', docsPerSecond),
  dollarsPerMillionOps: dollars('$ per Million Operations', '$/million ops', opsPerSecond),
  dollarsPerMillionDocs: dollars('$ per Million Documents', '$/million docs', docsPerSecond),
})

type Throughput = typeof opsPerSecond | typeof docsPerSecond | typeof mbPerSecond

function perCore(what: 'ops' | 'docs' | 'MB', speed: Throughput, digits = 0) {
  return {
    title: `Throughput (${what}/s per core)`,
    meaning: `${speed.title}, divided by the cores that the server may use; for a replica set the cores of the primary's host. Unknown for a sharded cluster, for which mongos replies.`,
    source: 'hostInfo' as const,
    digits,
    better: 'higher' as const,
    value: (scope: Scope): number | null => ratio(speed.value(scope), getCores(scope)),
  }
}

function perDollar(title: string, unit: string, speed: Throughput) {
  return {
    title,
    unit,
    meaning: `${speed.title} times 3600, divided by the fact pricePerHour of the target.`,
    better: 'higher' as const,
    value: (scope: Scope): number | null => ratio(perHour(speed, scope), getPricePerHour(scope)),
  }
}

function dollars(title: string, unit: string, speed: Throughput) {
  return {
    title,
    unit,
    meaning: `The fact pricePerHour of the target, divided by ${speed.title} times 3600, times a million.`,
    digits: 4,
    better: 'lower' as const,
    value: (scope: Scope): number | null => times(ratio(getPricePerHour(scope), perHour(speed, scope)), million),
  }
}

const perHour = (speed: Throughput, scope: Scope): number | null => times(speed.value(scope), secondsPerHour)

function getCores({ variant: { server } }: Scope): number | null {
  return server === null || server.topology.startsWith('sharded') ? null : server.cores
}

/** $ per hour of the whole deployment. */
function getPricePerHour({ variant: { facts } }: Scope): number | null {
  const price = facts['pricePerHour']
  return isNumber(price) ? price : null
}
