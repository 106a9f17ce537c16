import { errorText } from '../../../results/error-text.ts'
import { type OperationResult } from '../../../results/schema/calls.ts'
import { type Measured } from './warning.ts'

/** Calls that failed, or whose outcome is unknown. */
export const failures = ({ failed, unknown }: OperationResult): number => failed + unknown
/** Transactions that were aborted on purpose. */
export const aborted = ({ transaction }: OperationResult): number => transaction?.aborted ?? 0
export const calls = (operation: OperationResult): number => operation.ok + failures(operation) + aborted(operation)

/** The text of the error that occurred most often. */
export function nameCommonError({ operations }: Measured): string {
  const [most] = operations.flatMap(({ errors }) => errors).toSorted((one, other) => other.count - one.count)
  return most ? errorText(most) : 'no error was kept'
}
