import { type LoadedSpec } from '../../spec/load-spec.ts'
import { chooseDatabase, type OfDatabase } from '../run-environment.ts'
import { needsDatabase } from './prepare-data.ts'

/** The database in which runs of a spec leave data on a server that they did not start: for the next run, and for inspection. Empty: none. */
export function databaseLeft({ name, rows }: LoadedSpec, load: OfDatabase): readonly string[] {
  const leaves = rows.some(({ spec }) => spec.target.kind === 'existing' && needsDatabase(spec))
  return leaves ? [chooseDatabase(name, load)] : []
}
