import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { hasUnencodedCredentials } from '../../../../src/servers/targets/connection/redact.ts'
import { checkUris } from '../../../../src/servers/targets/existing/reach-existing.ts'
import { forAll } from '../../../fakes/for-all.ts'

const passwords = 'p@ss:w/ord# p@ss pa/ss pa:ss pa?ss pa#ss pa[ss p%ss @pass pass@ p@ss?x a@b,c@d p@ss#x'

test.each(passwords.split(' '))('%s is no password of a URI as it stands', (password) => {
  for (const options of ['', '?authSource=admin']) {
    const uri = `mongodb://ann:${password}@127.0.0.1:1/${options}`
    const variable = 'MONGO_PERF_URI'
    expect(hasUnencodedCredentials(uri)).toBe(true)
    for (const allowRemote of [true, false])
      expect(() => checkUris([variable], { uri: () => uri, allowRemote })).toSay('uri-not-encoded', { variable })
  }
})

test('any password is one when it is encoded', () =>
  forAll(fc.string({ unit: 'grapheme', minLength: 1 }), (password) => {
    const uri = `mongodb://ann:${encodeURIComponent(password)}@127.0.0.1:1/?authSource=admin`
    expect(hasUnencodedCredentials(uri)).toBe(false)
  }))

test.each([
  'mongodb://127.0.0.1/?appName=a%40b',
  'mongodb://ann:pw@127.0.0.1,localhost:2/db?appName=a@b&authSource=admin',
  'mongodb://%2Ftmp%2Fmongodb-27017.sock/',
  'mongodb+srv://ann:pw@db.example/',
  'not a uri',
  'https://ann:p@ss@host/',
])('%s has nothing to encode', (uri) => expect(hasUnencodedCredentials(uri)).toBe(false))
