import { FieldReader } from '../../protocol/bson/field-reader.ts'
import { type BsonWriter } from '../../protocol/bson/writer.ts'
import { type RecordedCall } from '../recording/recorded-call.ts'

const expiry = 'expireAfterSeconds'
const creating: ReadonlySet<string> = new Set(['create', 'createIndexes'])

/** Whether a call has the server delete documents by their age. Data that a replay loads are as old as the recording. */
export const makesExpire = ({ name, command }: Pick<RecordedCall, 'name' | 'command'>): boolean =>
  creating.has(name) && command.includes(expiry)

/** Copies the fields of such a command, and of each index in it, without the age. */
export function copyLasting(bytes: Buffer, start: number, end: number, out: BsonWriter, depth = 0): void {
  const fields = new FieldReader().open(bytes, start, end)
  while (fields.next()) {
    if (depth !== 1 && fields.is(expiry)) continue
    const isInside = depth === 1 || (depth === 0 && fields.is('indexes'))
    out.copy(bytes, fields.fieldStart, isInside ? fields.start : fields.end)
    if (!isInside) continue
    const inner = out.beginDocument()
    copyLasting(bytes, fields.start, fields.end, out, depth + 1)
    out.endDocument(inner)
  }
}
