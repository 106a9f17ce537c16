import { type Document } from 'bson'
import { type ReportedState } from './primary-strip.ts'

/** The state that a server reports in its answer to `hello`. */
export function readState(reply: Document): ReportedState {
  if (typeof reply['setName'] !== 'string')
    return { role: reply['isWritablePrimary'] === true ? 'standalone' : 'other', term: null }
  if (reply['isWritablePrimary'] === true) return { role: 'primary', term: termIn(reply['electionId']) }
  if (reply['secondary'] === true) return { role: 'secondary', term: null }
  return { role: reply['arbiterOnly'] === true ? 'arbiter' : 'other', term: null }
}

/** The id of an election is 0x7fffffff and the term, as 8 bytes. By its text: the driver's class of ids is not always ours. */
function termIn(electionId: unknown): number | null {
  const [, term] = /^7fffffff([0-9a-f]{16})$/.exec(String(electionId)) ?? []
  return term === undefined ? null : Number.parseInt(term, 16)
}
