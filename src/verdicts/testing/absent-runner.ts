import { Problem } from '../../core/errors.ts'

const names = { vitest: 'Vitest', jest: 'Jest' } as const

/** Explains the failed import of a test runner by an entry of the package that works with that runner alone. */
export function refuseWithoutRunner(entry: keyof typeof names, cause: Error & { readonly code?: string }): never {
  if (cause.code?.endsWith('MODULE_NOT_FOUND') !== true) throw cause
  const hint = "Did you mean 'mongo-perf/testing'?"
  throw new Problem('usage', `mongo-perf/${entry} works in ${names[entry]}, which is not installed here. ${hint}`, {
    hint,
    cause,
  })
}
