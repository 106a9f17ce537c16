import { type OperationResult } from '../../results/schema/calls.ts'
import { errorText } from '../error-counts.ts'
import { type Measured } from './warning.ts'

export const failures = ({ failed, unknown }: OperationResult): number => failed + unknown
export const aborted = ({ transaction }: OperationResult): number => transaction?.aborted ?? 0
export const calls = (operation: OperationResult): number => operation.ok + failures(operation) + aborted(operation)

export function mostFrequentError({ operations }: Measured): string {
  const [most] = operations.flatMap(({ errors }) => errors).toSorted((one, other) => other.count - one.count)
  return most ? errorText(most) : 'no error was kept'
}
