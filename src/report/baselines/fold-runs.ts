import { isObject, type Json } from '../../core/json.ts'

/** Marks a list that has one value for each run. */
const keyword = '@runs'

/** The values of several runs as one, each name once: what differs from run to run is a list at its place, `{ "@runs": [1, 2] }`. */
export function foldRuns(runs: readonly Json[]): Json {
  const [first = null] = runs
  const text = JSON.stringify(first)
  if (runs.every((run) => JSON.stringify(run) === text)) return first
  if (haveSameKeys(runs)) {
    const keys = Object.keys(runs[0] ?? {})
    return Object.fromEntries(keys.map((key) => [key, foldRuns(runs.map((run) => run[key] ?? null))]))
  }
  if (haveSameLength(runs)) return (runs[0] ?? []).map((_, index) => foldRuns(runs.map((run) => run[index] ?? null)))
  return { [keyword]: runs }
}

/** The value of one run, from 0. */
export function unfoldRun(folded: Json, run: number): Json {
  if (Array.isArray(folded)) return folded.map((part: Json) => unfoldRun(part, run))
  if (!isObject(folded)) return folded
  const values = folded[keyword]
  if (Array.isArray(values)) return (values as readonly Json[])[run] ?? null
  return Object.fromEntries(Object.entries(folded).map(([key, part]) => [key, unfoldRun(part, run)]))
}

type JsonObjects = readonly { readonly [key: string]: Json }[]

function haveSameKeys(runs: readonly Json[]): runs is JsonObjects {
  const keys = runs.map((run) => (isObject(run) ? Object.keys(run).toSorted().join('\n') : null))
  return keys.every((text) => text !== null && text === keys[0])
}

function haveSameLength(runs: readonly Json[]): runs is readonly (readonly Json[])[] {
  return runs.every((run) => Array.isArray(run) && run.length === lengthOf(runs[0]))
}

const lengthOf = (value: Json | undefined): number => (Array.isArray(value) ? value.length : -1)
