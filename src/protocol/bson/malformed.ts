/** Bytes that are no BSON: their lengths contradict each other. */
export class MalformedBson extends Error {
  override readonly name: string = 'MalformedBson'
}
