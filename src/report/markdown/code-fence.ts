/** The opening line of a fenced code block. */
export type CodeFence = { readonly indent: number; readonly sign: string; readonly length: number }

/** The fence that a line opens, or null. Backticks with further backticks in the line are inline code. */
export function fenceIn(line: string): CodeFence | null {
  const [, indent = '', fence] = /^( {0,3})(`{3,}(?=[^`]*$)|~{3,})/.exec(line) ?? []
  return fence === undefined ? null : { indent: indent.length, sign: fence.charAt(0), length: fence.length }
}

export function endsFence(line: string, { sign, length }: CodeFence): boolean {
  const [, fence = ''] = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(line) ?? []
  return fence.startsWith(sign) && fence.length >= length
}
