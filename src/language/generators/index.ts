import { array } from './array.ts'
import { binary } from './binary.ts'
import { businessId } from './business-id.ts'
import { choice } from './choice.ts'
import { counter } from './counter.ts'
import { date } from './date.ts'
import { decimal } from './decimal.ts'
import { document } from './document.ts'
import { double } from './double.ts'
import { filler } from './filler.ts'
import { type Generator } from './generator.ts'
import { int } from './int.ts'
import { key } from './key.ts'
import { long } from './long.ts'
import { nextRow } from './next-row.ts'
import { exponential, gaussianDouble, logNormal } from './normal.ts'
import { now } from './now.ts'
import { nuRand } from './nu-rand.ts'
import { objectId } from './object-id.ts'
import { pickWord } from './one-of.ts'
import { pickRow } from './pick-row.ts'
import { pickValue } from './pick-value.ts'
import { ref } from './ref.ts'
import { remembered } from './remembered.ts'
import { row } from './row.ts'
import { sample } from './sample.ts'
import { season } from './season.ts'
import { series } from './series.ts'
import { string } from './string.ts'
import { uuid } from './uuid.ts'
import { walk } from './walk.ts'
import { worker } from './worker.ts'

/** All generators. A new one is one file and one entry here. */
export const generators: readonly Generator[] = [
  int,
  long,
  double,
  gaussianDouble,
  logNormal,
  exponential,
  nuRand,
  decimal,
  date,
  objectId,
  uuid,
  businessId,
  string,
  binary,
  choice,
  pickWord,
  array,
  filler,
  row,
  key,
  ref,
  pickRow,
  pickValue,
  nextRow,
  document,
  sample,
  worker,
  remembered,
  series,
  walk,
  season,
  counter,
  now,
]

const byKeyword = new Map(generators.map((entry) => [entry.keyword as string, entry]))

/** The generator of a name such as "@int". */
export const findGenerator = (keyword: string): Generator | undefined => byKeyword.get(keyword)
