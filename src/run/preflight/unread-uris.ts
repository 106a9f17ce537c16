import { Problem } from '../../core/errors.ts'
import { uriNames, uriOptions } from '../../servers/targets/existing.ts'
import { type LoadedSpec } from '../../spec/load-spec.ts'

/** The variables whose URIs the targets of these specs read. */
export const variablesRead = (specs: readonly Pick<LoadedSpec, 'rows'>[]): ReadonlySet<string> =>
  new Set(
    specs.flatMap(({ rows }) =>
      rows.flatMap(({ spec: { target } }) => (target.kind === 'existing' ? target.uriFrom : [])),
    ),
  )

/**
 * A URI that was given by name and that no target reads: other servers would be measured in the place of that one.
 * @param given The variables that the names stand for.
 * @param read See `variablesRead`, of specs with all their rows: those that --only leaves out read theirs too.
 * @throws {Problem} "usage" with the names that there are.
 */
export function refuseUnread(given: readonly string[], read: ReadonlySet<string>): void {
  const unread = given.filter((variable) => !read.has(variable))
  if (unread.length === 0) return
  const names = uriNames([...read])
  const subject = uriOptions(unread) || unread.join(', ')
  throw new Problem('usage', `No target reads ${subject}: other servers would be measured`, {
    hint: names.length > 0 ? `The names that targets read: ${names.join(', ')}.` : noNames(read),
  })
}

const noNames = (read: ReadonlySet<string>): string =>
  read.size > 0
    ? 'Only MONGO_PERF_URI is read here: give its URI without a name, as --uri mongodb://…'
    : 'No target of the spec reads a URI. A --uri without a name replaces the target: --uri mongodb://…'
