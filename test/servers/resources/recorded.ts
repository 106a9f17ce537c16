import { readFileSync } from 'node:fs'
import { EJSON } from 'bson'
import { type Fields } from '../../../src/servers/resources/sample.ts'

/** Replies of a real server around a window with a few hundred inserts and finds, cut down to what we read. */
export type Recording = {
  /** `serverStatus` at the edges of the window. */
  readonly start: Fields
  readonly end: Fields
  /** `getDiagnosticData` before, twice within, and after the window. */
  readonly diagnosticData: readonly Fields[]
}

export function recorded(name: '6.0.5-standalone' | '6.0.5-primary'): Recording {
  const file = new URL(`../../../fixtures/server-samples/${name}.json`, import.meta.url)
  return EJSON.parse(readFileSync(file, 'utf8')) as Recording
}
