import { type Path } from '../../core/json.ts'
import { bsonType } from '../../protocol/bson/types.ts'
import { BsonWriter } from '../../protocol/bson/writer.ts'
import { keepWithin, createDrawContext, type Write } from './draw-context.ts'

/** A field of a document whose keys are known, or an element of a list. */
type FieldToWrite = { readonly key: string; readonly write: Write; readonly isConstant: boolean }

/** Drawn value, and the bytes in front of it: constant fields, and its own key behind a place for its type. */
type DocumentPart = { readonly bytes: Uint8Array; readonly typeAt: number; readonly write: Write }

type Layout = { readonly parts: readonly DocumentPart[]; readonly end: Uint8Array }

/** Writes documents (or lists) of these fields: all that is the same in every document is encoded once, at the first one. */
export function writeFields(fields: readonly FieldToWrite[], type: number, path: Path): Write {
  let layout: Layout | undefined
  return (drawContext, out) => {
    layout ??= layOut(fields)
    const start = out.beginDocument()
    const { parts } = layout
    for (let i = 0; i < parts.length; i++) {
      const { bytes, typeAt, write } = parts[i] as DocumentPart
      const at = out.at
      out.copy(bytes)
      const typeOfField = write(drawContext, out)
      out.bytes[at + typeAt] = typeOfField
      keepWithin(out.at - start, path)
    }
    out.copy(layout.end)
    out.endDocument(start)
    return type
  }
}

function layOut(fields: readonly FieldToWrite[]): Layout {
  const parts: DocumentPart[] = []
  const gathered = new BsonWriter()
  const taken = (): Uint8Array => {
    const bytes = Uint8Array.prototype.slice.call(gathered.bytes, 0, gathered.at)
    gathered.at = 0
    return bytes
  }
  for (const { key, write, isConstant } of fields) {
    const typeAt = gathered.beginElement(key)
    if (isConstant) {
      const type = write(createDrawContext(), gathered)
      gathered.bytes[typeAt] = type
    } else parts.push({ typeAt, write, bytes: taken() })
  }
  return { parts, end: taken() }
}

/**
 * Writes a list, element by element.
 * @param keep Stops a list that grows too large.
 * @param item Writes the next element, and returns its type.
 */
export function writeItems(
  out: BsonWriter,
  length: number,
  keep: (bytes: number) => void,
  item: (i: number) => number,
): number {
  const start = out.beginDocument()
  for (let i = 0; i < length; i++) {
    const typeAt = out.beginItem(i)
    const type = item(i)
    out.bytes[typeAt] = type
    keep(out.at - start)
  }
  out.endDocument(start)
  return bsonType.array
}

/** V8 makes longer literals slow dictionaries from the start, like objects that are built key by key. */
const maxKeysOfLiteral = 1000

type MakeObject = (values: readonly unknown[]) => Record<string, unknown>

/**
 * Returns a function that makes objects with these keys from values in the same order. It is compiled from an object literal:
 * adding keys one by one turns an object with more than a few into a slow dictionary. This is most of the cost of building a
 * document: see `bench/documents.ts`.
 */
export function objectMaker(keys: readonly string[]): MakeObject {
  if (keys.length > maxKeysOfLiteral) return (values) => keyByKey(keys, values)
  const fields = keys.map((key, i) => `${JSON.stringify(key)}:values[${i}]`)
  // The code holds only quoted keys and numbers. `__proto__`, which would set the prototype, is refused in specs.
  return new Function('values', `return {${fields.join(',')}}`) as MakeObject
}

function keyByKey(keys: readonly string[], values: readonly unknown[]): Record<string, unknown> {
  const made: Record<string, unknown> = {}
  for (let i = 0; i < keys.length; i++) made[keys[i] as string] = values[i]
  return made
}
