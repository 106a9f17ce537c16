import { type Json } from '../../core/json.ts'

/**
 * Values whose lengths follow a histogram file of YCSB: "BlockSize", a tab and the size in bytes; then lines of a bucket, a
 * tab and its count. Bucket i has values of i + 1 blocks. As YCSB's `HistogramGenerator` draws them, numbers below the sum of
 * all counts: a bucket takes those up to the sum of the counts that it ends, itself included, and what is left has the length
 * of the bucket before the last.
 * @returns undefined where the text is no such file, or has nothing to draw.
 */
export function histogramValues(text: string): Json | undefined {
  const [first = '', ...lines] = text.split(/\r\n|\r|\n/).filter((line) => line.trim() !== '')
  const blockSize = Number(/^BlockSize\t(\d+)\s*$/.exec(first)?.[1])
  const counts = lines.map((line, i) => Number(new RegExp(`^${i}\\t(\\d+)\\s*$`).exec(line)?.[1]))
  const area = counts.reduce((sum, count) => sum + count, 0)
  if (![blockSize, ...counts].every(Number.isSafeInteger) || area === 0) return undefined
  const weights: number[] = []
  let taken = 0
  let sum = 0
  for (const count of counts.slice(0, -1)) {
    sum += count
    const end = Math.min(sum + 1, area)
    weights.push(end - taken)
    taken = end
  }
  if (weights.length === 0) return { '@binary': { size: 0 } }
  weights[weights.length - 1] = (weights.at(-1) ?? 0) + area - taken
  return {
    '@choice': {
      values: weights.map((_, i) => ({ '@binary': { size: (i + 1) * blockSize } })),
      weights,
    },
  }
}
