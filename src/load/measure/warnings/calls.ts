import type { OperationResult, StepResult, Unacknowledged } from '../../../results/schema/calls.ts'
import { foundNothing, isRead, keysNotFound, matchedNothing } from '../../../results/warnings/matched-nothing.ts'
import {
  type WarningRule,
  type Wording,
  aborted,
  calls,
  failures,
  figure,
  list,
  nameCommonError,
  share,
  wording,
} from './warning.ts'

/** "12 transfer (overdraft 10, notFound 2)" */
function abortText({ name, transaction }: OperationResult): Wording {
  const reasons = Object.entries(transaction?.aborts ?? {}).map(
    ([reason, count]) => wording`${reason} ${figure(count)}`,
  )
  return wording`${figure(transaction?.aborted ?? 0)} of ${name} (${list(reasons) ?? ''})`
}

const maxNames = 5

/** " (HostUnreachable 7, NotWritablePrimary 5)": the errors of an operation, the most frequent first. */
function errorsText({ errors }: OperationResult): Wording {
  const counts = new Map<string, number>()
  for (const { name, count } of errors) counts.set(name, (counts.get(name) ?? 0) + count)
  const sorted = [...counts].toSorted(([, one], [, other]) => other - one)
  const texts = list(sorted.slice(0, maxNames).map(([name, count]) => wording`${name} ${figure(count)}`))
  const others = sorted.length - maxNames
  return texts === undefined ? [] : wording` (${texts}${others > 0 ? ` and ${others} more` : ''})`
}

/** The calls of operations: those of steps, where there are any. */
const callsIn = ({ name, steps, ...operation }: OperationResult): readonly StepResult[] =>
  steps.length === 0
    ? [{ ...operation, name, skipped: 0 }]
    : steps.map((step) => ({ ...step, name: `${name}.${step.name}` }))

/** Some of the updates found nothing. Where a step was skipped, or a transaction may abort, others may depend on that. */
const countUnmatched = (operation: OperationResult, one: StepResult): number =>
  operation.transaction === null && operation.steps.every(({ skipped }) => skipped === 0) ? matchedNothing(one) : 0

function withoutDocument(operation: OperationResult, isAnswered: (one: StepResult) => boolean): readonly Wording[] {
  return callsIn(operation)
    .filter(isAnswered)
    .flatMap((one) => {
      const count = Math.max(foundNothing(one), countUnmatched(operation, one))
      return count > 0 ? [wording`${figure(count)} of ${figure(one.ok)} ${one.name}`] : []
    })
}

/** The end of the message for unacknowledged writes: how many documents arrived. */
function arrivalText(unacknowledged: Unacknowledged | null): Wording {
  if (unacknowledged === null) return []
  const { sent, arrived, waitedMs, reason } = unacknowledged
  if (arrived === null) return wording`; it is not known how many of ${figure(sent)} documents arrived: ${reason ?? ''}`
  return wording`; of ${figure(sent)} documents ${figure(arrived)} had arrived when they were counted, ${figure(waitedMs / 1000, 's', 1)} later`
}

export const ofCalls: readonly WarningRule[] = [
  {
    code: 'errors',
    finds(phase) {
      const failed = phase.operations.filter((operation) => failures(operation) > 0)
      const names = list(
        failed.map((one) => wording`${figure(failures(one))} of ${figure(calls(one))} ${one.name}${errorsText(one)}`),
      )
      return names && wording`Operations failed: ${names}. Most often ${nameCommonError(phase)}`
    },
    advice: 'Throughput counts successful operations only. Look at the errors before you compare this row.',
  },
  {
    code: 'transactions-aborted',
    finds(phase) {
      const names = list(phase.operations.filter((operation) => aborted(operation) > 0).map(abortText))
      return names && wording`Transactions were aborted on purpose: ${names}`
    },
    advice:
      'They changed nothing, and do not count in throughput and latency. If only few should abort, fix the spec or its data.',
  },
  {
    code: 'keys-not-found',
    finds({ operations }) {
      const lost = operations.flatMap(callsIn).filter((one) => keysNotFound(one) > 0.5)
      const names = list(lost.map((one) => wording`${share(keysNotFound(one))} of ${figure(one.ok)} ${one.name}`))
      return names && wording`Most reads found nothing, though their keys come from the data: ${names}`
    },
    advice:
      'The documents are gone, or of another form. Look for a TTL index, and for operations that delete or move them.',
  },
  {
    code: 'nothing-matched',
    finds({ operations, writeConcern }) {
      const isAnswered = (one: StepResult): boolean => writeConcern['w'] !== 0 || isRead(one)
      const names = list(operations.flatMap((operation) => withoutDocument(operation, isAnswered)))
      return names && wording`Operations found no document: ${names}`
    },
    advice:
      'They count as successful operations. Look whether the documents are there, and whether the filter names their fields as they do.',
  },
  {
    code: 'clamped',
    finds(phase) {
      const clamped = phase.operations.filter(({ latency: { ok, failed, unknown } }) =>
        [ok, failed, unknown].some((latency) => latency !== null && latency.clamped > 0),
      )
      const names = list(clamped.map(({ name }) => name))
      return names && wording`Samples lay outside of 1 µs to 10 min and were counted at the end of that range: ${names}`
    },
    advice: 'Percentiles near that end are wrong; mean, minimum and maximum are exact.',
  },
  {
    code: 'unacknowledged',
    finds: ({ writeConcern, operations, unacknowledged }) =>
      writeConcern['w'] === 0 &&
      operations.some(({ ok, inserted, documents }) => inserted > 0 || (ok > 0 && documents === 0))
        ? wording`Writes were not acknowledged: only the time to send is measured, and counts are of what was sent, as far as that is known${arrivalText(unacknowledged)}`
        : undefined,
    advice: 'To measure the time until they are stored, use a write concern of 1 or more.',
  },
  {
    code: 'not-arrived',
    finds({ unacknowledged }) {
      const { sent, arrived } = unacknowledged ?? { sent: 0, arrived: null }
      return arrived !== null && arrived < sent
        ? wording`${figure(sent - arrived)} of ${figure(sent)} documents that were sent had not arrived when they were counted`
        : undefined
    },
    advice: 'The server refused them, or they were lost on the way. Ask for an acknowledgement to see which.',
  },
]
