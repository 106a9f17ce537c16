import { deserialize, serialize } from 'node:v8'
import { deflateRawSync, inflateRawSync } from 'node:zlib'

/** No message is longer, unpacked: what claims to be is no message of ours. */
const maxBytes = 512 * 2 ** 20

/** Packs a value so that a queue can carry it: maps, sets and typed arrays stay what they are, and nothing of it is code. */
export const pack = (value: unknown): string => deflateRawSync(serialize(value), { level: 1 }).toString('base64')

/**
 * Unpacks what `pack` packed, on the same major version of Node. Whoever reads from a queue validates it next.
 * @throws {Error} when the text was not packed so.
 */
export const unpack = (text: string): unknown =>
  deserialize(inflateRawSync(Buffer.from(text, 'base64'), { maxOutputLength: maxBytes }))
