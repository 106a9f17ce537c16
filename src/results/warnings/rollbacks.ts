import { listOccurrences } from '../occurrences.ts'
import { type PhaseResult } from '../schema.ts'

const crashes: ReadonlySet<string> = new Set(['kill', 'fileSizeLimit'])

/**
 * Names of the members that rolled back writes, by their rollback ids. A rollback raises a member's id by one. So does every
 * start after a crash (seen on 6.0), which rolls nothing back and does not count.
 */
export function rolledBack({ elections, faults }: Pick<PhaseResult, 'elections' | 'faults'>): readonly string[] {
  const occurrences = listOccurrences(faults)
  const starts = (member: string): number =>
    occurrences.filter(
      ({ kind, targets, undoneAtSeconds }) => crashes.has(kind) && targets.includes(member) && undoneAtSeconds !== null,
    ).length
  return (elections?.rollbackIds ?? []).flatMap(({ member, before, after }) =>
    before !== null && after !== null && after - before > starts(member) ? member : [],
  )
}
