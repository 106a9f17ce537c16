import { expect, test } from 'vitest'
import { toSchema } from '../../docs/generator/editor/editor-schema.ts'
import { isSchema, mapSchemas, type Schema } from '../../docs/generator/editor/share-schemas.ts'
import { distributions } from '../../src/language/generators/distributions/index.ts'
import { generators } from '../../src/language/generators/index.ts'
import { operationSpec } from '../../src/spec/operations/index.ts'
import { specSchema } from '../../src/spec/schema/schema.ts'

type Claim = { readonly path: string; readonly said: string; readonly standard: unknown }

/** Every default of a single value, with what its description states. */
function claimsIn(schema: Schema, path: string): readonly Claim[] {
  const claims: Claim[] = []
  const visit = (inner: Schema, at: string): Schema => {
    const { description, default: standard } = inner
    const [, said] = /\bDefault:? (.+)/s.exec(String(description ?? '')) ?? []
    if (
      said !== undefined &&
      standard !== undefined &&
      standard !== null &&
      !isSchema(standard) &&
      !Array.isArray(standard)
    )
      claims.push({ path: at, said, standard })
    mapSchemas(inner, (part, name) => visit(part, name === undefined ? at : `${at}.${name}`))
    return inner
  }
  visit(schema, path)
  return claims
}

const claims = [
  ...claimsIn(toSchema(specSchema), 'spec'),
  ...claimsIn(toSchema(operationSpec), 'operation'),
  ...generators.flatMap(({ keyword, args }) => claimsIn(toSchema(args), keyword)),
  ...distributions.flatMap(({ kind, spec }) => claimsIn(toSchema(spec), kind)),
]

/** Defaults described as text. */
const inWords: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  [1 / 6, 'one sixth'],
  ['abcdefghijklmnopqrstuvwxyz', 'a to z'],
])

test('a description states the default that the schema has', () => {
  expect(claims.length).toBeGreaterThan(50)
  const wrong = claims.filter(({ said, standard }) => {
    const bare = said.replaceAll('"', '')
    return !bare.startsWith(inWords.get(standard) ?? String(standard))
  })
  expect(wrong).toEqual([])
})
