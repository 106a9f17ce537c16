import { mkdir, writeFile } from 'node:fs/promises'
import type { Document } from 'mongodb'
import { expect, test } from 'vitest'
import { givenData, requireGivenData } from '../../../src/micro/data/given-data.ts'
import { readDocument } from '../../../src/micro/document-work.ts'
import { useFreshFolder } from '../../fakes/temporary-folder.ts'

const folder = useFreshFolder()

test('files are found in the folder and in what the archives unpack into', async () => {
  await mkdir(folder('extended_bson'))
  await mkdir(folder('parallel', 'gridfs_multi'), { recursive: true })
  await writeFile(folder('small_doc.json'), '{"n": 1}\n')
  await writeFile(folder('extended_bson', 'flat_bson.json'), '{"n": {"$numberLong": "5"}}')
  await writeFile(folder('parallel', 'gridfs_multi', 'b'), 'two')
  await writeFile(folder('parallel', 'gridfs_multi', 'a'), 'one')
  const data = givenData(folder())
  expect(await readDocument(data, 'small_doc.json')).toEqual({ document: { n: 1 }, bytes: 9 })
  expect((await readDocument(data, 'flat_bson.json')).document['n']).toMatchObject({ _bsontype: 'Long' })
  const files = ['a', 'b'].map((name) => folder('parallel', 'gridfs_multi', name))
  expect(await data.files('gridfs_multi')).toEqual(files)
})

async function read(text: string): Promise<Document> {
  await writeFile(folder('small_doc.json'), text)
  return (await readDocument(givenData(folder()), 'small_doc.json')).document
}

test('a document that JSON can express is exactly what JSON makes of it, and others have their types', async () => {
  // BSON cannot hold half a surrogate pair: a document that went through it would have another text.
  const half = String.raw`{"half":"\ud800","n":2147483647,"x":0.5,"list":[null,true,{"n":-2147483648}]}`
  expect(await read(half)).toEqual(JSON.parse(half))
  expect((await read('{"list":[{"id":{"$oid":"0123456789abcdef01234567"}}]}'))['list'][0].id).toMatchObject({
    _bsontype: 'ObjectId',
  })
  expect((await read('{"user":{"id":2147483648}}'))['user'].id).toMatchObject({ _bsontype: 'Long' })
})

test('a missing file is named before anything is measured', async () => {
  await writeFile(folder('tweet.json'), '{}')
  await requireGivenData(folder(), ['tweet.json', 'tweet.json'])
  const required = requireGivenData(folder(), ['tweet.json', 'ldjson_multi'])
  await expect(required).rejects.toSay('micro-data-missing', { folder: folder() })
})

test('a document of the older Extended JSON is refused, and the right archive named', async () => {
  await writeFile(folder('full_bson.json'), '{"b": {"$binary": "AAAA", "$type": "00"}}')
  await expect(readDocument(givenData(folder()), 'full_bson.json')).rejects.toSay('micro-data-older')
})
