import { type StreamResult } from '../../results/schema/calls.ts'
import { type Latency } from '../../results/schema/latency.ts'
import { type Scope } from '../scope.ts'
import { ratio } from '../statistics.ts'
import { defineColumns, type PerRun, type Series, latencyStatistic } from './column.ts'
import { asRates } from './per-second.ts'

const ofStream = { source: 'client', of: ['stream'] } as const

const lag = (title: string, meaning: string) => ({ title, meaning, digits: 1, better: 'lower' }) as const

export const streamColumns = defineColumns(ofStream, {
  events: {
    title: 'Events',
    meaning: 'Events that a change stream received.',
    value: (scope) => getOnlyStream(scope)?.events ?? null,
    perSecond: eventsPerSecond,
  },
  eventsPerSecond: {
    title: 'Events (1/s)',
    meaning: 'Events that a change stream received, divided by the length of the timed window.',
    better: 'higher',
    value: (scope) => ratio(getOnlyStream(scope)?.events ?? null, scope.phase.wallSeconds),
    perSecond: eventsPerSecond,
  },
  lagMeanMs: {
    ...lag('Mean Lag (ms)', 'Mean time from the server’s timestamp of a write until its event arrived at the client.'),
    ...latencyStatistic('meanMs', getLag),
  },
  lagP50Ms: {
    ...lag('p50 Lag (ms)', 'Median time from a write until its event arrived at the client.'),
    ...lagValue('p50Ms', 'lagP50Ms'),
  },
  lagP99Ms: {
    ...lag('p99 Lag (ms)', '99th percentile of the time from a write until its event arrived at the client.'),
    ...lagValue('p99Ms', 'lagP99Ms'),
  },
  lagMaxMs: {
    ...lag(
      'Max Lag (ms)',
      'Maximum time from the server’s timestamp of a write until its event arrived at the client.',
    ),
    ...lagValue('maxMs', 'lagMaxMs'),
  },
})

function lagValue(
  whole: 'p50Ms' | 'p99Ms' | 'maxMs',
  seconds: keyof Omit<StreamResult['perSecond'], 'events'>,
): Omit<PerRun, 'metrics'> {
  return {
    ...latencyStatistic(whole, getLag),
    perSecond: (scope) => getOnlyStream(scope)?.perSecond[seconds] ?? null,
  }
}

function eventsPerSecond(scope: Scope): Series | null {
  const stream = getOnlyStream(scope)
  return stream === null ? null : asRates(stream.perSecond.events, scope.phase.wallSeconds)
}

/** The only stream of the scope. Null for several, whose lags cannot be combined. */
function getOnlyStream({ streams }: Scope): StreamResult | null {
  const [only, ...others] = streams
  return only === undefined || others.length > 0 ? null : only
}

function getLag(scope: Scope): Latency | null {
  return getOnlyStream(scope)?.lag ?? null
}
