import { type Steadiness } from '../../results/schema/warnings.ts'
import { halfWidthPercent } from '../format.ts'
import { countCallsOfWindow, type Scope } from '../scope.ts'
import { isNumber, ratio } from '../statistics.ts'
import { defineColumns, ofCalls } from './column.ts'
import { total } from './from-metrics.ts'
import { percentOfTypical } from './machine-speed.ts'
import { serverColumns } from './server.ts'
import { throughputColumns } from './throughput.ts'

const bySteadiness = ['steady', 'drifting', 'unsettled', 'too short'] as const satisfies readonly Steadiness['label'][]

const ofTheMean = 'divided by that mean (of logarithms, with Student’s t). Empty for fewer than six runs.'
const sameWork = 'Runs do the same work: a wide interval means that they ran under different conditions.'

const ofPhase = { source: 'client', of: ['phase'] } as const

/** Columns for the reliability of the others: client, repeats and steadiness. */
export const trustColumns = defineColumns(ofPhase, {
  clientCpuPercent: {
    title: 'Client CPU (% of a core)',
    meaning: 'CPU time of the client divided by the length of the timed window; 100 is one core.',
    value: ({ phase }) => phase.client.cpuPercent,
  },
  clientCpuUsPerOperation: {
    title: 'Client CPU (µs/op)',
    meaning: 'CPU time of the client divided by all operations of the phase.',
    better: 'lower',
    value: clientCpuUsPerOperation,
  },
  eventLoopPercent: {
    title: 'Client Event Loop (%)',
    meaning:
      'Share of the timed window in which the event loop of the client was busy; near 100 the client is the bottleneck.',
    value: ({ phase }) => phase.client.eventLoopUtilization * 100,
  },
  otherCpuPercent: {
    title: 'Other CPU (%)',
    meaning:
      'CPU time of processes other than the client and the measured servers, divided by all CPU time of the cores of the machine; with several machines the maximum. Empty for windows under a second, and if the CPU time of a server is unknown (through a mongos, after a restart, on macOS and Windows). A server in a container with a separate IP address counts as another program.',
    value: ({ phase: { otherLoad }, member }) => {
      const machines = otherLoad.filter(({ runs }) => member === undefined || runs.includes(member))
      return machines.length === 0 ? null : Math.max(...machines.map(({ cpuPercent }) => cpuPercent))
    },
  },
  machineSpeedPercent: {
    title: 'Machine Speed (%)',
    meaning:
      'Speed of the client’s machine before and after the timed window, in percent of the median over all runs of the result: a fixed piece of work (integer arithmetic and memory reads). Below 90 the machine itself was slow.',
    value: ({ phase, typicalMachine = null }) => percentOfTypical(phase, typicalMachine),
  },
  littlesLaw: {
    title: "Little's Law",
    meaning:
      'Mean latency times operations per second, divided by the number of workers; about 1 if the workers were always busy.',
    digits: 2,
    value: ({ phase }) => phase.littlesLaw,
  },
  checkpoints: {
    title: 'Checkpoints',
    meaning: 'Checkpoints that ended within the timed window.',
    source: 'serverStatus',
    value: (scope) => (scope.member === undefined ? scope.phase.steadiness.checkpoints : total(scope, ['checkpoints'])),
    metrics: ['checkpoints'],
  },
  steadiness: {
    title: 'Steadiness',
    isText: true,
    meaning:
      'Whether throughput was steady over the timed window, by batch means: "drifting" if its last third differs from the first by more than 10 % and more than chance explains, "unsettled" if it went up and down slowly by more than 10 %, "too short" for windows of fewer than ten batches of 100 completions. With several runs, the most frequent value.',
    overRuns: (scopes) => frequentLabel(scopes.map(({ phase }) => phase.steadiness.label)),
  },
  precisionPercent: {
    title: 'Precision (±%)',
    meaning:
      'Half the width of the 95 % interval of mean throughput within the timed window, in percent of the mean, by batch means. It does not contain what differs from run to run. Empty for open loops, and for windows of fewer than ten batches of 100 completions.',
    digits: 1,
    value: ({ phase: { load, steadiness } }) => (load === 'closed' ? steadiness.precisionPercent : null),
  },
  sent: {
    title: 'Sent',
    meaning: 'Documents that were inserted without an acknowledgement ("w": 0).',
    value: ({ phase }) => phase.unacknowledged?.sent ?? null,
  },
  arrived: {
    title: 'Arrived',
    meaning:
      'Documents inserted without an acknowledgement that existed afterwards: the number of documents after the phase minus that before it. Empty if that is inconclusive, as in a capped collection.',
    value: ({ phase }) => phase.unacknowledged?.arrived ?? null,
  },
  arrivedPercent: {
    title: 'Arrived (%)',
    meaning: 'Arrived divided by Sent, in percent; with several runs the minimum.',
    digits: 1,
    overRuns: (scopes) => {
      const shares = scopes.map(({ phase: { unacknowledged } }) =>
        ratio(unacknowledged?.arrived ?? null, unacknowledged?.sent ?? null),
      )
      const known = shares.filter(isNumber)
      return known.length === 0 ? null : Math.min(...known) * 100
    },
  },
  intervalPercent: {
    title: '95 % Interval (±%)',
    meaning: `Half the width of the 95 % interval of the mean of Throughput (ops/s) over the runs, ${ofTheMean}`,
    digits: 1,
    of: ofCalls,
    overRuns: (scopes) => intervalPercent(scopes.map(throughputColumns.opsPerSecond.value)),
  },
  clientCpuIntervalPercent: {
    title: '95 % Interval of Client CPU (±%)',
    meaning: `Half the width of the 95 % interval of the mean of Client CPU (µs/op) over the runs, ${ofTheMean} ${sameWork}`,
    digits: 1,
    overRuns: (scopes) => intervalPercent(scopes.map(clientCpuUsPerOperation)),
  },
  serverCpuIntervalPercent: {
    title: '95 % Interval of Server CPU (±%)',
    meaning: `Half the width of the 95 % interval of the mean of Server CPU (µs/op) over the runs, ${ofTheMean} ${sameWork}`,
    source: 'serverStatus',
    digits: 1,
    overRuns: (scopes) => intervalPercent(scopes.map(serverColumns.serverCpuUsPerOperation.value)),
  },
  runs: {
    title: 'Runs',
    meaning: 'Number of runs that the cells show together.',
    of: ofCalls,
    overRuns: (scopes) => (scopes.length === 0 ? null : scopes.length),
  },
})

/** Finds the most frequent label, of equally frequent ones the worse. Null: there are none. */
function frequentLabel(labels: readonly Steadiness['label'][]): Steadiness['label'] | null {
  const countOf = (label: Steadiness['label']): number => labels.filter((other) => other === label).length
  const max = Math.max(...bySteadiness.map(countOf))
  return max === 0 ? null : (bySteadiness.findLast((label) => countOf(label) === max) ?? null)
}

function clientCpuUsPerOperation(scope: Scope): number | null {
  const { client, wallSeconds } = scope.phase
  return ratio(client.cpuPercent * 10_000 * wallSeconds, countCallsOfWindow(scope))
}

const intervalPercent = (values: readonly (number | null)[]): number | null => halfWidthPercent(values.filter(isNumber))
