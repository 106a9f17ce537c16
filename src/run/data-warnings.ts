import { type DataSetResult } from '../results/schema.ts'
import { type RowWarning } from '../results/warning-weights.ts'
import { type DataSetSpec } from '../spec/schema/data-schema.ts'

/** Warnings about collections that are there and hold fewer documents than the spec draws keys of. */
export const warningsOfData = (
  specs: readonly Pick<DataSetSpec, 'existing' | 'rows'>[],
  found: readonly Pick<DataSetResult, 'rows'>[],
): readonly RowWarning[] =>
  specs.flatMap(({ existing, rows }, i) => {
    const documents = found[i]?.rows ?? 0
    if (existing === undefined || documents >= rows) return []
    return {
      code: 'documents-missing',
      message: `"${existing}" has ${documents === 1 ? '1 document' : `${documents} documents`}; the spec draws keys of ${rows}`,
      advice: 'Load the others, or set "rows" of the data to what is there; of a workload of YCSB, "recordcount".',
    }
  })
