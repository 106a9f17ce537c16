import { codeOperators, isInternal } from '../../language/values/keys.ts'
import { FieldReader } from '../../protocol/bson/field-reader.ts'
import { bsonType } from '../../protocol/bson/types.ts'
import { type RecordedCall } from '../recording/recorded-call.ts'

/** Every key that runs code contains one of them. Other commands, which are nearly all, are not read. */
const marks = [...codeOperators, '$_internal'].map((key) => Buffer.from(key))
const codeKeys: ReadonlySet<string> = new Set(codeOperators)

/** Whether a server would run JavaScript of a command: in a filter, an expression, a view or a validator. */
export const runsJavaScript = ({ command }: Pick<RecordedCall, 'command'>): boolean =>
  marks.some((mark) => command.includes(mark)) && hasCode(command, 0, command.length)

const readers: FieldReader[] = []

function hasCode(bytes: Buffer, start: number, end: number, depth = 0): boolean {
  const reader = (readers[depth] ??= new FieldReader()).open(bytes, start, end)
  while (reader.next()) {
    const key = reader.key()
    if (codeKeys.has(key) || isInternal(key)) return true
    const isNested = reader.type === bsonType.document || reader.type === bsonType.array
    if (isNested && hasCode(bytes, reader.start, reader.end, depth + 1)) return true
  }
  return false
}
