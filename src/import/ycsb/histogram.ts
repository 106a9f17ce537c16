import { type Json } from '../../json.ts'

/**
 * Values whose lengths follow a histogram file of YCSB: "BlockSize", a tab and the size in bytes; then lines of a bucket, a
 * tab and its count. Bucket i has values of i + 1 blocks. As YCSB's `HistogramGenerator` draws them: it compares with a sum
 * that includes its end, so the first bucket has one more and the last length is that of the bucket before the last.
 * @returns undefined where the text is no such file.
 */
export function histogramValues(text: string): Json | undefined {
  const [first = '', ...lines] = text.split(/\r\n|\r|\n/).filter((line) => line.trim() !== '')
  const blockSize = Number(/^BlockSize\t(\d+)\s*$/.exec(first)?.[1])
  const counts = lines.map((line, i) => Number(new RegExp(`^${i}\\t(\\d+)\\s*$`).exec(line)?.[1]))
  if (![blockSize, ...counts].every(Number.isSafeInteger) || counts.length === 0) return undefined
  const [last = 0, ...before] = counts.toReversed()
  const weights = before.toReversed()
  if (weights.length === 0) return { '@binary': { size: 0 } }
  weights[0] = (weights[0] ?? 0) + 1
  weights[weights.length - 1] = (weights.at(-1) ?? 0) + last - 1
  return {
    '@choice': {
      values: weights.map((_, i) => ({ '@binary': { size: (i + 1) * blockSize } })),
      weights,
    },
  }
}
