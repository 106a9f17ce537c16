import { decompress } from '../../protocol/wire/decompress.ts'
import { MalformedMessage } from '../../protocol/wire/wire-error.ts'

/** Codes of the operations that are read. */
export const operations = { reply: 1, query: 2004, compressed: 2012, message: 2013 } as const

/** OP_UPDATE, OP_INSERT, OP_GET_MORE, OP_DELETE, OP_KILL_CURSORS and OP_COMMAND with its reply: servers from 6.0 on take none of them. */
const olderCodes: ReadonlySet<number> = new Set([2001, 2002, 2005, 2006, 2007, 2010, 2011])
/** Messages of protocols before OP_MSG, as they are counted. */
export const olderMessages = 'messages of older protocols'

export const messageFlags = { checksumPresent: 1, moreToCome: 2 } as const

const headerBytes = 16
const checksumBytes = 4

/** A decompressed message. Its offsets are into `bytes`, which may be overwritten later. */
export type WireMessage = {
  readonly operation: number
  readonly requestId: number
  readonly respondsTo: number
  readonly flags: number
  readonly bytes: Buffer
  /** Offset of the header. */
  readonly start: number
  /** Start and end of its document, the first one if there are several. */
  readonly document: number
  readonly end: number
  /** Documents sent beside it, each list of them an array of the command. */
  readonly sequences: readonly Sequence[]
}

/** A document sequence: an array of the command, by its name. */
export type Sequence = { readonly name: string; readonly start: number; readonly end: number }

/**
 * Reads the message between `start` and `end`. Its documents are not checked.
 * @throws {MalformedMessage} where it is not a message, or one of another operation.
 */
export function readMessage(bytes: Buffer, start: number, end: number): WireMessage {
  const operation = bytes.readInt32LE(start + 12)
  if (operation === operations.compressed) {
    const whole = decompress(bytes, start, end)
    if (whole.length < headerBytes + 10) throw new MalformedMessage('a compressed message of nothing')
    return readPlain(whole, 0, whole.length, whole.readInt32LE(12))
  }
  return readPlain(bytes, start, end, operation)
}

function readPlain(bytes: Buffer, start: number, end: number, operation: number): WireMessage {
  const header = {
    operation,
    requestId: bytes.readInt32LE(start + 4),
    respondsTo: bytes.readInt32LE(start + 8),
    flags: bytes.readUInt32LE(start + headerBytes),
    bytes,
    start,
  }
  switch (operation) {
    case operations.message:
      return { ...header, ...readSections(bytes, start + headerBytes + 4, end - checksum(header.flags)) }
    case operations.query: {
      // After the name of the collection, two numbers that commands do not use.
      const document = bytes.indexOf(0, start + headerBytes + 4) + 1 + 8
      return { ...header, document, end, sequences: [] }
    }
    case operations.reply:
      return { ...header, document: start + headerBytes + 20, end, sequences: [] }
    default:
      throw new MalformedMessage(`operation code ${operation}`, olderCodes.has(operation) ? olderMessages : undefined)
  }
}

const checksum = (flags: number): number => ((flags & messageFlags.checksumPresent) === 0 ? 0 : checksumBytes)

function readSections(bytes: Buffer, start: number, end: number): Pick<WireMessage, 'document' | 'end' | 'sequences'> {
  let document = -1
  let documentEnd = -1
  const sequences: Sequence[] = []
  for (let at = start; at < end;) {
    const kind = bytes[at]
    const length = end - at >= 5 ? bytes.readInt32LE(at + 1) : 0
    const next = at + 1 + length
    if (length < 5 || next > end) throw new MalformedMessage(`a section of ${length} bytes`)
    if (kind === 0) {
      document = at + 1
      documentEnd = next
    } else if (kind === 1) {
      const nameEnd = bytes.indexOf(0, at + 5)
      if (nameEnd < 0 || nameEnd >= next) throw new MalformedMessage('a section without a name')
      sequences.push({ name: bytes.toString('utf8', at + 5, nameEnd), start: nameEnd + 1, end: next })
    } else throw new MalformedMessage(`a section of kind ${kind}`)
    at = next
  }
  if (document < 0) throw new MalformedMessage('a message without a document')
  return { document, end: documentEnd, sequences }
}
