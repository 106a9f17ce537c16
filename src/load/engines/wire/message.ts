import { BsonWriter } from '../../../protocol/bson/writer.ts'
import { bodyOffset, writeHeader } from '../../../protocol/wire/frame.ts'

/** Most messages are short. */
const firstBytes = 512
/** A longer buffer is not kept where messages have all sizes. */
const maxKeptBytes = 1024 * 1024

/** Fields that commands of a session carry besides their own. */
export type SessionFields = { readonly write: (out: BsonWriter) => void }

/** Bytes in front of a message that do not change from call to call. */
export type Template = { readonly bytes: Buffer }

/** Encodes the fields of a command that are the same for every call. The name of the command is the first of them. */
export function createTemplate(fields: object): Template {
  const out = new BsonWriter(firstBytes)
  out.at = bodyOffset + 4
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) out.element(name, value)
  return { bytes: Buffer.from(out.bytes.subarray(0, out.at)) }
}

/**
 * The message that a connection sends: its body, and documents behind it. Its buffer is used again for every message; where
 * the template of the last one is that of the next, it is left where it is.
 */
export class Message {
  readonly out = new BsonWriter(firstBytes)
  session: SessionFields | undefined
  /** The whole message, once it has been finished. */
  ready: Buffer = Buffer.alloc(0)
  #template: Template | undefined
  #sequenceAt = 0
  #requestId = 0
  /** Documents that are sent where they were written, and the buffer that holds them. */
  #documents: Buffer | undefined

  /** Begins a message. What changes from call to call is written behind its template. */
  begin(template: Template): BsonWriter {
    const { out } = this
    if (template !== this.#template) {
      this.#template = template
      out.at = 0
      out.copy(template.bytes)
    } else out.at = template.bytes.length
    return out
  }

  endBody(): void {
    const { out } = this
    this.session?.write(out)
    out.byte(0)
    out.int32At(bodyOffset, out.at - bodyOffset)
  }

  /** Begins a list of documents behind the body. @param name That of the field that they are the value of. */
  beginSequence(name: string): BsonWriter {
    const { out } = this
    out.byte(1)
    this.#sequenceAt = out.beginDocument()
    out.zeroEnded(name)
    return out
  }

  endSequence(): void {
    const { out } = this
    out.int32At(this.#sequenceAt, out.at - this.#sequenceAt)
  }

  /** @param acknowledged Whether the server replies. */
  finish(acknowledged = true): void {
    const { out } = this
    writeHeader(out.bytes, 0, out.at, this.#nextRequestId(), acknowledged)
    // A view costs more than all that is written for a short call, so it is kept as long as it fits.
    if (this.ready.buffer !== out.bytes.buffer || this.ready.length !== out.at)
      this.ready = out.bytes.subarray(0, out.at)
  }

  /**
   * Finishes a message whose list of documents has been begun: they lie between `start` and `end` of a buffer that has room
   * in front of them, and what has been written goes there.
   */
  finishInFrontOf(bytes: Buffer, start: number, end: number, acknowledged = true): void {
    const { out } = this
    if (out.at > start) {
      // Options may be longer than the room.
      out.copy(bytes, start, end)
      this.endSequence()
      this.finish(acknowledged)
      return
    }
    out.int32At(this.#sequenceAt, out.at - this.#sequenceAt + end - start)
    const from = start - out.at
    out.bytes.copy(bytes, from, 0, out.at)
    writeHeader(bytes, from, end - from, this.#nextRequestId(), acknowledged)
    this.ready = bytes.subarray(from, end)
  }

  /** Gives up the buffer that a long message has made large. Once it has been sent. */
  shrink(): void {
    if (this.out.bytes.length <= maxKeptBytes) return
    this.out.replaceBuffer(Buffer.allocUnsafeSlow(firstBytes))
    this.ready = Buffer.alloc(0)
    this.#template = undefined
  }

  /** Takes over a buffer, and gives back the one that it took before: neither is copied. */
  exchangeBuffers(writer: BsonWriter): Buffer {
    const taken = writer.replaceBuffer(this.#documents)
    this.#documents = taken
    return taken
  }

  #nextRequestId(): number {
    this.#requestId = (this.#requestId + 1) | 0
    return this.#requestId
  }
}
