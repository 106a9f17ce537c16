import { type StepResult } from './schema/calls.ts'

const updatesOfOne: ReadonlySet<string> = new Set(['updateOne', 'replaceOne'])

type Counts = Pick<StepResult, 'kind' | 'ok' | 'matched' | 'upserted'>

/** Calls that succeeded and found no document to update. Replies to writes with "w": 0 do not say it. */
export const matchedNothing = ({ kind, ok, matched, upserted }: Counts): number =>
  updatesOfOne.has(kind) ? Math.max(0, ok - matched - upserted) : 0
