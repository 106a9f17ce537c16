import { trustLevels, type WarningCode, warningWeights } from '../../src/results/warnings/weights.ts'
import { code, paragraphs, table } from './markdown.ts'

type Meaning = { readonly cause: string; readonly remedy: string }

/** Cause of each warning, and what to do about it; the compiler rejects missing and unknown ones. */
const meanings: Readonly<Record<WarningCode, Meaning>> = {
  failed: { cause: 'The run of the row ended with an error.', remedy: 'Fix the cause in the message.' },
  'everything-failed': {
    cause: 'The phase ended early because no operation succeeded any more.',
    remedy: 'Fix the cause in the message. The row does not show how fast the server is.',
  },
  aborted: {
    cause: 'The run was stopped, by Ctrl-C or by a signal: the row covers a part of the work.',
    remedy: 'Run it again, with `--resume` for the missing rows alone.',
  },
  'start-up': {
    cause: 'Only the start-up run of the row was measured.',
    remedy: 'Let the run finish: start-up runs do not count.',
  },
  violated: {
    cause: 'A check was violated: the server did not keep what it acknowledged.',
    remedy: 'Read the section about checks. Throughput of lost writes means nothing.',
  },
  'set-up-failed': {
    cause: 'Operations of a phase failed that prepares the measured ones.',
    remedy: 'Fix the cause in the message: what is measured after it may not be what was meant.',
  },
  'documents-missing': {
    cause:
      'An existing collection has fewer documents than `rows` of its data set, so operations draw keys that it does not have.',
    remedy: 'Load the others, or set `rows` to the number of documents; in a workload of YCSB, `recordcount`.',
  },
  'keys-not-found': {
    cause:
      'More than half of the reads of an operation found nothing, although `@key` or `@sample` draws their values from its data.',
    remedy: 'Look for a TTL index, and for operations that delete or move the documents.',
  },
  'fault-failed': {
    cause: 'A fault was not injected as the spec describes it.',
    remedy: 'Look at the times of the fault in the result. The row does not show its effect.',
  },
  'test-commands': {
    cause: 'The servers ran with test commands enabled, which fail points need.',
    remedy: 'Use the row to see how errors are handled, not to judge performance.',
  },
  errors: {
    cause: 'At least 1 % of the operations did not succeed, in a phase without faults. Below 1 % it is a remark.',
    remedy: 'Look at the errors first: throughput counts successful operations alone.',
  },
  'stream-errors': {
    cause: 'A change stream ended with an error and missed events.',
    remedy: 'Fix the cause in the message: events and lags cover only the time until then.',
  },
  'member-restarted': {
    cause: 'A server restarted inside the window. In a phase with faults it is a remark.',
    remedy: 'Find out why. Its counters began again at 0, so server columns do not cover the row.',
  },
  'not-cached': {
    cause: 'The row claims that its data is cached, but the servers read pages from disk.',
    remedy: 'Read fewer documents, warm up for longer, or give the server a larger cache.',
  },
  'not-uncached': {
    cause: 'The row claims that its data is not cached, but the servers read next to nothing from disk.',
    remedy: 'Use more documents or a smaller cache.',
  },
  'calls-dropped': {
    cause: 'An open loop could not send operations that were due, because `maxInFlight` others still waited.',
    remedy: 'If the server paused, raise `maxInFlight`; if it cannot sustain the rate, lower the rate.',
  },
  'below-target': {
    cause: 'The server fell behind the rate of an open loop: replies came after the plan had ended.',
    remedy: 'Lower the rate. Response times depend on the length of the phase here.',
  },
  'not-arrived': {
    cause: 'At least 1 % of the documents sent without acknowledgement never arrived. Below 1 % it is a remark.',
    remedy: 'Use a write concern of 1 or more to see which were refused.',
  },
  'other-load': {
    cause: 'Other programs used at least 10 % of the CPU time of a machine. At 5 % or more it is a remark.',
    remedy: 'Stop them, or measure on a machine that is otherwise idle.',
  },
  'cpu-stolen': {
    cause:
      "At least 10 % of the CPU time of a server's host went to other virtual machines. At 1 % or more it is a remark.",
    remedy: 'Repeat at another time or on another host.',
  },
  'client-stood-still': {
    cause: 'The client stood still for at least 10 % of the window, and half a second.',
    remedy: 'Run the row again: a computer that sleeps and a paused virtual machine do that.',
  },
  'server-stood-still': {
    cause:
      'In a closed loop without faults, hardly an operation was answered for at least 10 % of the window, and half a second.',
    remedy: 'Look at the log of the server and at its disk, and run the row again.',
  },
  'short-window': {
    cause:
      'The window was shorter than 1 s, or shorter than 5 s with fewer than 100 operations (a batch is one). Otherwise it is a remark.',
    remedy: 'Give the phase more operations or seconds.',
  },
  'other-load-unknown': {
    cause:
      'It is not known what other programs used: the window was shorter than 1 s, or the system or a server does not report CPU times.',
    remedy: 'Measure for a second or longer, or see to it that the machines are otherwise idle.',
  },
  'agent-limited': {
    cause: 'The machine of an agent had no CPU time left.',
    remedy: 'Use more agents, or stop what else runs on those machines.',
  },
  'agent-late': {
    cause:
      'An agent began to send more than 5 ms, and more than the error of its clock, after the others. Below 1 % of the window it is a remark.',
    remedy: 'Use a queue that is closer to the agents, and leave their machines idle before a run.',
  },
  'client-limited': {
    cause: 'The client was busy for more than 85 % of the window, so it was the bottleneck.',
    remedy:
      'Stop other programs; then use the engine `wire`, fewer workers, a lower rate, more `threads`, or a faster client.',
  },
  'threads-apart': {
    cause: 'The threads of the client ended more than 5 % of the window apart; the slowest sets the end.',
    remedy: 'Use a number of workers that the threads divide, fewer threads, or end the phase after seconds.',
  },
  'peak-at-the-end': {
    cause: 'The saturation search found its highest throughput at the maximum number of workers.',
    remedy: 'Raise `to`.',
  },
  'written-out': {
    cause:
      'The row claims that its data is cached, but the servers wrote more than 4 KB per operation from the cache, without a checkpoint.',
    remedy:
      'Change fewer documents, or give the server a larger cache: it writes pages out when 5 % of it are changed.',
  },
  'fault-late': {
    cause: 'A fault began more than 1 s late, or not at all.',
    remedy: 'Leave more time between faults, or make the phase longer.',
  },
  'calls-late': {
    cause: 'The client sent 1 % of the operations of an open loop more than 2 ms after they were due.',
    remedy: 'Lower the rate, or use an idle or faster client. Service times do not include that wait.',
  },
  'replay-late': {
    cause: 'A replay sent 1 % of the calls more than 2 ms after they were due.',
    remedy: 'See how many waited for the call before them: the others need an idle client, or a lower speed.',
  },
  'event-loop-delay': {
    cause: 'The client’s event loop was late by more than 10 ms and 10 % of a p99, and replies waited that long.',
    remedy: 'Use smaller batches, fewer workers, a lower rate or an idle client machine.',
  },
  'idle-workers': {
    cause: 'Workers of a closed loop did not wait for replies for about all of the time.',
    remedy: 'Make documents cheaper to build, or the phase longer: fewer workers were effective than the row shows.',
  },
  'row-gaps': {
    cause: 'Row numbers were left out, because threads ended at different operations.',
    remedy: 'End the phase after operations or documents, or use one thread.',
  },
  'latest-by-thread': {
    cause:
      'With several threads, `latest`, or another distribution that follows inserts, picked among the inserts of the same thread.',
    remedy: 'Use one thread if the newest documents of all threads matter.',
  },
  'transactions-aborted': {
    cause: 'Transactions were aborted on purpose, by `abortWhen`.',
    remedy: 'If only few should abort, fix the spec or its data. Aborted ones do not count as throughput.',
  },
  'nothing-matched': {
    cause:
      'Updates of one document found none to update, or another operation (a read, an update, a delete) never found a document.',
    remedy:
      'If they should match, look whether the collection has the documents that the spec draws, and how their fields are called.',
  },
  clamped: {
    cause: 'Latencies were outside of 1 µs to 10 min.',
    remedy: 'Do not use percentiles near that end. Mean, minimum and maximum are exact.',
  },
  unacknowledged: {
    cause: 'Writes had the write concern 0: only the time to send is measured.',
    remedy: 'To measure the time until writes are stored, use a write concern of 1 or more.',
  },
  drifting: {
    cause: 'The last third of the window differs from the first by more than 10 %, and more than chance explains.',
    remedy: 'Warm up for longer, repeat the row, and compare `machineSpeedPercent`.',
  },
  unsettled: {
    cause: 'Throughput went up and down slowly by more than 10 %.',
    remedy: 'Repeat the row, or measure for longer.',
  },
  checkpoint: {
    cause: 'One checkpoint fell into the window; another run of this length may have none or two.',
    remedy: 'Measure for two minutes or more.',
  },
  'chunks-moved': {
    cause: 'The balancer of a sharded cluster moved chunks inside the window, and documents with them.',
    remedy: 'Split and place the chunks beforehand (`sharding` of the data), with the balancer off.',
  },
  'not-explained': {
    cause: 'The query plan of an operation is unknown or incomplete.',
    remedy: 'Read the reason in the message. Thresholds on plans are missed here.',
  },
  'left-out': {
    cause: 'Runs of the row did not finish, and are excluded from the medians.',
    remedy: 'Run again with `--resume`.',
  },
  'slow-machine': {
    cause: "The client's machine was more than 10 % slower than in the median run of the result.",
    remedy: 'Repeat the run when the machine is quiet.',
  },
  'cores-shared': {
    cause: 'Client and servers share cores, although the spec asks for separate ones.',
    remedy: 'Run on Linux with more cores.',
  },
  'limits-not-kept': {
    cause: 'Servers ran without the limits that the spec asks for.',
    remedy:
      'Compare the row only with rows of this machine without limits. `mongo-perf doctor` shows what can be limited.',
  },
  'not-reported': {
    cause: 'The server does not report some facts, because it is not a MongoDB on a separate machine.',
    remedy: 'Nothing: columns of the client are complete; columns of the server are empty if it reports nothing.',
  },
  'column-failed': {
    cause: 'One of your own columns threw an error.',
    remedy: 'Fix its function and make the report again: you need not measure again.',
  },
  'page-cache-unlimited': {
    cause: 'Limits of the disk do not hold what the page cache of the machine absorbs.',
    remedy: 'Set `directIO`.',
  },
  'not-settled': {
    cause: 'Secondaries still lagged when the window began.',
    remedy: 'Load less data, or give the members more resources.',
  },
  'no-checkpoint': {
    cause: 'The server refused a checkpoint before the window.',
    remedy: 'Give the user the role `hostManager`. A checkpoint of the load may fall into the window otherwise.',
  },
}

const levels = [...trustLevels.filter((level) => level !== 'comparable').toReversed(), 'remark'] as const

const headings: Readonly<Record<(typeof levels)[number], string>> = {
  'do not compare': 'Warnings: do not compare',
  'lower bound': 'Warnings: lower bound',
  unchecked: 'Warnings: unchecked',
  remark: 'Remarks',
}

/** All warnings by their severity, the most important first. */
export function renderWarnings(): string {
  const codes = Object.keys(warningWeights) as readonly WarningCode[]
  return paragraphs(
    ...levels.map((level) =>
      paragraphs(
        `### ${headings[level]}`,
        table(
          ['Code', 'Cause', 'Remedy'],
          codes
            .filter((name) => warningWeights[name].level === level)
            .map((name) => [code(name), meanings[name].cause, meanings[name].remedy]),
        ),
      ),
    ),
  )
}
