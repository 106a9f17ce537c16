import { type BSONSerializeOptions } from 'mongodb'
import { type Options } from '../intent.ts'

/** Decodes a BSON document. */
export type Deserialize = (bson: Uint8Array, options: object) => unknown

/** How to read with given options. */
export type Reading = {
  /** The options to send the read with. */
  readonly options: Options
  /** Decodes a document as the driver would have done. Null where none is wanted. */
  readonly decode: (document: Uint8Array) => unknown
}

/**
 * The driver decodes a reply without telling how long it was. So reads ask for raw documents and decode each here, inside
 * of the timed call, with the driver's own deserialiser and options: the same work in another place, and the exact bytes
 * for nothing. An operation that asks for raw documents itself gets no decoding.
 */
export function createReader(
  defaults: BSONSerializeOptions,
  deserialize: Deserialize,
): (own: Options | undefined) => Reading {
  const readingWith = (own: BSONSerializeOptions): Reading => {
    const { enableUtf8Validation, raw, ...decoding } = { ...defaults, ...own }
    const options = { ...decoding, raw: false, validation: { utf8: enableUtf8Validation !== false } }
    return {
      options: { ...own, raw: true },
      decode: (document) => (raw === true ? null : deserialize(document, options)),
    }
  }

  // Most operations use one options object for all of their calls.
  const plain = readingWith({})
  let last: { readonly own: Options | undefined; readonly reading: Reading } = { own: undefined, reading: plain }
  return (own) => {
    if (own === undefined) return plain
    if (own !== last.own) last = { own, reading: readingWith(own) }
    return last.reading
  }
}
