import { formatQuantity, groupDigits } from '../../core/quantities.ts'
import { readableNumber } from '../../metrics/format.ts'
import {
  type LiveEvent,
  type LiveSecond,
  type LiveServer,
  getDisplayedTimes,
  isLongEnough,
} from '../../run/live/live-events.ts'

const secondsOfSparkline = 60

/** The figures of a running phase, as lines for a terminal. */
export type PhaseView = {
  readonly observe: (event: LiveEvent) => void
  /** Lines of at most 80 columns. None before the first second of a pass. */
  readonly lines: () => readonly string[]
}

export function createPhaseView(): PhaseView {
  let newest: LiveSecond | undefined
  let errors = 0
  let rates: readonly number[] = []

  function take(second: LiveSecond): void {
    errors += second.failed + second.unknown
    if (!isLongEnough(second) && newest !== undefined) return
    newest = second
    rates = [...rates, computeRate(second)].slice(-secondsOfSparkline)
  }

  return {
    observe(event) {
      if (event.kind === 'second') take(event)
      if (event.kind !== 'phaseBegins') return
      newest = undefined
      errors = 0
      rates = []
    },
    lines: () =>
      newest === undefined
        ? []
        : [loadLine(newest, errors), ...arrivalLines(newest), ...serverLines(newest.servers), sparklineLine(rates)].map(
            (line) => `  ${line}`,
          ),
  }
}

const computeRate = ({ ok, lengthSeconds }: LiveSecond): number => (lengthSeconds > 0 ? ok / lengthSeconds : 0)

/** "12345/s, latency p50 1.23 ms, p99 4.22 ms, 0 errors, 16 in flight" */
function loadLine(second: LiveSecond, errors: number): string {
  const { name, times } = getDisplayedTimes(second)
  return [
    `${Math.round(computeRate(second))}/s`,
    ...(times === null
      ? []
      : [`${name} p50 ${readableNumber(times.p50Ms)} ms`, `p99 ${readableNumber(times.p99Ms)} ms`]),
    formatQuantity(errors, 'error'),
    `${second.inFlight} in flight`,
  ].join(', ')
}

/** "arrivals: 7 late, 3 dropped", of an open loop. */
const arrivalLines = ({ openLoop }: LiveSecond): readonly string[] =>
  openLoop === null ? [] : [`arrivals: ${groupDigits(openLoop.late)} late, ${groupDigits(openLoop.dropped)} dropped`]

/** "server CPU 85 % of a core, cache 412 MB of 1 GB, 12 MB dirty": of the busiest of several. */
function serverLines(servers: readonly LiveServer[]): readonly string[] {
  const [busiest] = servers.toSorted((one, other) => (other.cpuPercent ?? -1) - (one.cpuPercent ?? -1))
  if (busiest === undefined) return []
  const { member, role, cpuPercent, cacheBytes, cacheMaxBytes, cacheDirtyBytes } = busiest
  const name = servers.length === 1 ? 'server' : `${member} (${role})`
  const parts = [
    cpuPercent === null ? null : `CPU ${readableNumber(Math.round(cpuPercent))} % of a core`,
    cacheBytes === null || cacheMaxBytes === null ? null : `cache ${size(cacheBytes)} of ${size(cacheMaxBytes)}`,
    cacheDirtyBytes === null ? null : `${size(cacheDirtyBytes)} dirty`,
  ].filter((part) => part !== null)
  return parts.length === 0 ? [] : [`${name} ${parts.join(', ')}`]
}

const bytesPerMB = 2 ** 20

function size(bytes: number): string {
  const megabytes = bytes / bytesPerMB
  const [value, unit] = megabytes < 1024 ? [megabytes, 'MB'] : [megabytes / 1024, 'GB']
  return `${Number(value.toFixed(value < 10 ? 1 : 0))} ${unit}`
}

const sparklineLine = (rates: readonly number[]): string =>
  `${sparkline(rates)} 0 to ${Math.round(Math.max(...rates))}/s`

const levels = '▁▂▃▄▅▆▇█'

/** Numbers as a line of bars from 0 to the largest of them, one character each. */
export function sparkline(values: readonly number[]): string {
  const max = Math.max(...values)
  return values.map((value) => levels[max > 0 ? Math.min(7, Math.floor((value / max) * 8)) : 0]).join('')
}
