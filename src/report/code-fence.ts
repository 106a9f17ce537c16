/** The line that begins a block of code with backticks or tildes. */
export type CodeFence = { readonly indent: number; readonly sign: string; readonly length: number }

/** Null for a line that begins none. A line of backticks that holds others is code in a sentence. */
export function fenceIn(line: string): CodeFence | null {
  const [, indent = '', fence] = /^( {0,3})(`{3,}(?=[^`]*$)|~{3,})/.exec(line) ?? []
  return fence === undefined ? null : { indent: indent.length, sign: fence.charAt(0), length: fence.length }
}

export function endsFence(line: string, { sign, length }: CodeFence): boolean {
  const [, fence = ''] = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(line) ?? []
  return fence.startsWith(sign) && fence.length >= length
}
