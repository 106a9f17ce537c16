import { BsonWriter } from './writer.ts'

export function encodeValue(value: unknown): { readonly type: number; readonly bytes: Uint8Array } {
  const out = new BsonWriter()
  const type = out.value(value)
  return { type, bytes: Uint8Array.prototype.slice.call(out.bytes, 0, out.at) }
}
