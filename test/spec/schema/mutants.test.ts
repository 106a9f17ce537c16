import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { readdirSync, readFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { Problem } from '../../../src/core/errors.ts'
import { type Json } from '../../../src/core/json.ts'
import { placeKey, Stream } from '../../../src/core/random.ts'
import { loadSpecText } from '../../../src/spec/load-spec.ts'
import { mutateJson, mutateText } from '../../fakes/mutate-json.ts'
import { propertyRuns } from '../../property-runs.ts'

/** In each part: 5,000 in the full run. */
const mutants = 2.5 * propertyRuns
/** Parts, so that none takes minutes on a slow machine. */
const parts = Array.from({ length: 20 }, (_, part) => part)

/** Small ones, for each is read many times. */
const folder = 'fixtures/examples/operations'
const texts = readdirSync(folder).map((name) => readFileSync(`${folder}/${name}`, 'utf8'))
const documents = texts.map((text) => JSON.parse(text) as Json)

/** What became of a text: nothing but a spec or a problem may. */
function reading(text: string): 'spec' | 'problem' {
  try {
    loadSpecText(text, 'spec.json')
    return 'spec'
  } catch (error) {
    if (error instanceof Problem && error.hint !== '') return 'problem'
    throw new Error(`Neither a spec nor a problem: ${text}`, { cause: error })
  }
}

test.each(parts)('mutated specs are each a spec or a problem, and no server is contacted: part %i', (part) => {
  const opened: unknown[] = []
  const note = (message: unknown): void => void opened.push(message)
  subscribe('net.client.socket', note)
  onTestFinished(() => void unsubscribe('net.client.socket', note))
  const stream = new Stream(placeKey(20261120, 'mutants'))
  const became = { spec: 0, problem: 0 }
  for (let n = 0; n < mutants; n++) {
    stream.at(part * mutants + n)
    const document = documents[stream.below(documents.length)] ?? null
    const other = documents[stream.below(documents.length)] ?? null
    const text = JSON.stringify(mutateJson(document, other, stream))
    became[reading(n % 5 === 0 ? mutateText(text, stream) : text)] += 1
  }
  // Both ways are taken often, or the mutations are too small or too big to find anything.
  expect(became.spec).toBeGreaterThan(mutants / 20)
  expect(became.problem).toBeGreaterThan(mutants / 4)
  expect(opened).toEqual([])
})
