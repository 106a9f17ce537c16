import { distance } from 'fastest-levenshtein'

/** Names of other tools and languages, under those of mongo-perf. */
const synonyms: Readonly<Record<string, string>> = {
  opsPerSecond: 'throughput qps tps rps ops iops rate requestsPerSecond',
  docsPerSecond: 'docs rowsPerSecond',
  meanMs: 'latency avg average mean',
  p50Ms: 'median med p50',
  p95Ms: 'p95 p(95)',
  p99Ms: 'p99 p(99)',
  p999Ms: 'p999 p(99.9)',
  maxMs: 'max maximum worst',
  minMs: 'min minimum',
  errors: 'failures errorRate',
  operations: 'requests calls iterations',
  serverCpuPercent: 'cpu cpuUsage',
  '@int': '@integer @int32 @number',
  '@long': '@int64 @bigint',
  '@double': '@float @real',
  '@string': '@text @str @varchar',
  '@date': '@datetime @timestamp @time',
  '@uuid': '@guid',
  '@choice': '@enum @bool @boolean',
  '@binary': '@bytes @blob',
  countDocuments: 'count',
  find: 'query select scan',
  findOne: 'read get',
  insertOne: 'insert create',
  updateOne: 'update write',
  deleteOne: 'delete remove',
  workers: 'threads clients vus users concurrency',
  ratePerSecond: 'rate arrivalRate',
}

/** The names that were probably meant by a word, in lower case. */
const meantBy = (word: string): readonly string[] =>
  Object.keys(synonyms).filter((name) => synonyms[name]?.toLowerCase().split(' ').includes(word))

/** The known word that was probably meant, if one is near enough. Ignores case. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  const known = [...candidates]
  const meant = meantBy(word.toLowerCase()).find((name) => known.includes(name))
  if (meant !== undefined) return meant
  let best: string | undefined
  let bestSteps = Math.max(2, Math.ceil(word.length / 3)) + 1
  for (const candidate of known) {
    const steps = distanceBetween(word.toLowerCase(), candidate.toLowerCase())
    if (steps < bestSteps && steps < Math.max(word.length, candidate.length)) [best, bestSteps] = [candidate, steps]
  }
  return best
}

/** The suggestion at the end of a message. Empty where there is none. */
export const didYouMean = (near: string | null | undefined): string => (near ? `; did you mean "${near}"?` : '')

/** A shorter prefix matches too many words. */
const minBeginning = 3

/** Edit distance of two words. Swapped letters are the likeliest mistake, then an incomplete word, the shortest first. */
function distanceBetween(word: string, candidate: string): number {
  if (word.length === candidate.length && sortLetters(word) === sortLetters(candidate)) return 0.5
  const missing = candidate.length - word.length
  const isBeginning = word.length >= minBeginning && missing > 0 && candidate.startsWith(word)
  return isBeginning ? missing / (missing + 1) : distance(word, candidate)
}

const sortLetters = (word: string): string => [...word].toSorted().join('')
