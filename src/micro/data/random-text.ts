import { type Stream } from '../../core/random.ts'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Random letters and digits. */
export function randomText(stream: Stream, length: number): string {
  let text = ''
  for (let i = 0; i < length; i++) text += alphabet.charAt(stream.below(alphabet.length))
  return text
}

/** A number of random digits. The first and the last are not 0, so that numbers keep their length. */
export function randomDigits(stream: Stream, count: number): string {
  let digits = ''
  for (let i = 0; i < count; i++) digits += i === 0 || i === count - 1 ? 1 + stream.below(9) : stream.below(10)
  return digits
}
