import { FieldReader } from '../../protocol/bson/field-reader.ts'
import { type RecordedCall } from '../recording/recorded-call.ts'

const reader = new FieldReader()

/** Finds the collection that a call names. Empty: it names none. */
export function findCollection({ command }: Pick<RecordedCall, 'command'>): string {
  reader.open(command, 0, command.length)
  for (let isFirst = true; reader.next(); isFirst = false) {
    const text = isFirst || reader.is('collection') ? reader.text() : ''
    if (text !== '') return text
  }
  return ''
}
