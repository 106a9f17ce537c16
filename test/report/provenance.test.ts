import { expect, test } from 'vitest'
import { measuredHow } from '../../src/report/prose/provenance.ts'
import { type VariantResult } from '../../src/results/schema.ts'
import { fakeResult, fakeVariant } from '../fakes/fake-result.ts'

type Servers = VariantResult['servers']

/** What is said of the servers of these runs. */
const said = (runs: readonly Servers[]): string | undefined =>
  /[^;]*\bservers\b[^;.]*/
    .exec(
      measuredHow(fakeResult({ variants: runs.map((servers) => fakeVariant({ ...(servers && { servers }) })) })),
    )?.[0]
    .trim()

test.each<[string | undefined, readonly Servers[]]>([
  ['servers kept from run to run', ['fresh', 'kept', 'kept']],
  ['new servers for every run', ['fresh', 'fresh']],
  [undefined, ['fresh']],
  [undefined, [undefined, undefined]],
])('a report says %s', (text, runs) => expect(said(runs)).toBe(text))
