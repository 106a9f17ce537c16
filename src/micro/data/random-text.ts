import { type Stream } from '../../random.ts'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

export function randomText(stream: Stream, length: number): string {
  let text = ''
  for (let i = 0; i < length; i++) text += alphabet.charAt(stream.below(alphabet.length))
  return text
}

/** As many digits as told, the first and the last one not 0: what they are written into keeps its length. */
export function randomDigits(stream: Stream, count: number): string {
  let digits = ''
  for (let i = 0; i < count; i++) digits += i === 0 || i === count - 1 ? 1 + stream.below(9) : stream.below(10)
  return digits
}
