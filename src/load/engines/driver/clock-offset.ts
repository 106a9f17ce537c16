/** An answer that carries the server's time, cut to whole milliseconds, and when it was asked and answered by our clock. */
export type TimeAnswer = { readonly askedMs: number; readonly answeredMs: number; readonly serverMs: number }

/**
 * What to add to our clock to get the server's. The server read its clock between question and answer, so every answer
 * bounds the offset from both sides; the bounds of several together are narrower than those of the quickest alone, and
 * often narrower than the millisecond to which the server's time is cut.
 */
export function clockOffset(answers: readonly TimeAnswer[]): number {
  const least = Math.max(...answers.map(({ serverMs, answeredMs }) => serverMs - answeredMs))
  const most = Math.min(...answers.map(({ serverMs, askedMs }) => serverMs + 1 - askedMs))
  return (least + most) / 2
}
