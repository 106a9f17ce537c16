import { MalformedMessage } from './wire-error.ts'

/**
 * Decompresses a block of Snappy, the format that servers and drivers send.
 * @param length Of what it becomes, in bytes.
 * @throws {MalformedMessage} where it is something else.
 */
export function unpackSnappy(packed: Buffer, length: number): Buffer {
  const out = Buffer.allocUnsafe(length)
  let [at, written] = [0, 0]
  const byte = (): number => packed[at++] ?? fail()

  /** A number of so many bytes. */
  function number(bytes: number): number {
    let value = 0
    for (let i = 0; i < bytes; i++) value += byte() * 2 ** (8 * i)
    return value
  }

  // The length itself, seven bits a byte.
  while (byte() >= 128);
  while (at < packed.length) {
    const tag = byte()
    const kind = tag & 3
    const short = tag >> 2
    if (kind === 0) {
      const bytes = (short < 60 ? short : number(short - 59)) + 1
      if (bytes > packed.length - at || bytes > length - written) fail()
      packed.copy(out, written, at, at + bytes)
      at += bytes
      written += bytes
    } else {
      const bytes = kind === 1 ? (short & 7) + 4 : short + 1
      const back = kind === 1 ? ((tag >> 5) << 8) | byte() : number(kind === 2 ? 2 : 4)
      if (back === 0 || back > written || bytes > length - written) fail()
      // Byte by byte: what is copied may be what is written here.
      for (let i = 0; i < bytes; i++, written++) out[written] = out[written - back] as number
    }
  }
  return written === length ? out : fail()
}

function fail(): never {
  throw new MalformedMessage('a compressed message that is not Snappy')
}
