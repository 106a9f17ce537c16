const places = 1024
const known = Array.from({ length: places }, () => '')

/** A text in UTF-8. Names of commands and databases repeat: to find one again costs less than to make it, and it is the same string. */
export function repeatedText(bytes: Buffer, start: number, end: number): string {
  let hash = 0
  let all = 0
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number
    hash = Math.imul(hash, 31) + byte
    all |= byte
  }
  // Of others, letters and bytes are not the same.
  const isAscii = all < 128
  const place = hash & (places - 1)
  const text = known[place] as string
  if (isAscii && hasLetters(bytes, start, end, text)) return text
  const made = bytes.toString('utf8', start, end)
  if (isAscii) known[place] = made
  return made
}

function hasLetters(bytes: Buffer, start: number, end: number, text: string): boolean {
  if (text.length !== end - start) return false
  for (let i = 0; i < text.length; i++) if (bytes[start + i] !== text.charCodeAt(i)) return false
  return true
}
