import { mkdir, readdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { placeKey, type PlaceKey, Stream } from '../../core/random.ts'
import { type DataSource, type DocumentName, type FolderName } from './data-source.ts'
import { compactJson, fullText, type JsonText, quoted, randomDigits, randomText, spacedJson } from './full.ts'

const ofEachType = 24
/** Number of doubles with one more digit, so that the file has its size. */
const longerDoubles = 9

/**
 * `flat_bson.json`, 7531 bytes: pairs of an 8-character key and a value of a common type at the top level. The specification
 * describes 121 pairs, 24 of each of five types; its file has twice as many strings: 145 pairs.
 */
function flatText(stream: Stream): string {
  const document: { [key: string]: JsonText } = { _id: { $oid: quoted(randomDigits(stream, 24)) } }
  for (let i = 0; i < ofEachType; i++) {
    for (const value of [
      quoted(randomText(stream, 80)),
      quoted(randomText(stream, 80)),
      randomDigits(stream, 9),
      // Above 2^53, so that a decoder cannot return a number.
      { $numberLong: quoted(`1${randomDigits(stream, 18)}`) },
      `0.${randomDigits(stream, i < longerDoubles ? 11 : 10)}`,
      String(i % 2 === 0),
    ]) {
      document[randomText(stream, 8)] = value
    }
  }
  return spacedJson(document)
}

/** `small_doc.json`, 275 bytes, and 250 as BSON. */
const smallText = (stream: Stream): string => pairsText(stream, { texts: 7, numbers: 6 })

/** `large_doc.json`, 2731089 bytes, and about 2500000 as BSON: pairs of the same kinds. */
const largeText = (stream: Stream): string => pairsText(stream, { texts: 77_404, numbers: 51_410 })

/** Eight characters for each key and for each value. */
function pairsText(stream: Stream, { texts, numbers }: { readonly texts: number; readonly numbers: number }): string {
  const document: { [key: string]: JsonText } = {}
  for (let i = 0; i < texts; i++) document[randomText(stream, 8)] = quoted(randomText(stream, 8))
  for (let i = 0; i < numbers; i++) document[randomText(stream, 8)] = randomDigits(stream, 8)
  return compactJson(document)
}

const depth = 6

/** `deep_bson.json`, 1964 bytes: a balanced binary tree of 126 pairs with 8-character texts as leaves. */
const deepText = (stream: Stream): string => spacedJson(tree(stream, depth))

function tree(stream: Stream, levels: number): JsonText {
  if (levels === 0) return quoted(randomText(stream, 8))
  return { left: tree(stream, levels - 1), right: tree(stream, levels - 1) }
}

/** Seed of the data: the same in every run, on every machine. */
export const dataSeed = 1

const toPlaceKey = (name: string) => placeKey(dataSeed, name)

const textMakers: Readonly<Record<DocumentName, (stream: Stream) => string>> = {
  'flat_bson.json': flatText,
  'deep_bson.json': deepText,
  'full_bson.json': fullText,
  'tweet.json': tweetText,
  'small_doc.json': smallText,
  'large_doc.json': largeText,
}

const fileContents: Readonly<Record<FolderName, () => Iterable<Buffer>>> = {
  ldjson_multi: () => lineFileContents(toPlaceKey('ldjson_multi')),
  gridfs_multi: function* () {
    for (let file = 0; file < binaryFiles; file++)
      yield randomBytes(toPlaceKey('gridfs_multi'), file, bytesPerBinaryFile)
  },
}

/** Data generated as the specification describes it. @param workFolder Folder for files that tasks read; kept for the next task. */
export function generatedData(workFolder: string): DataSource {
  return {
    text: async (name) => textMakers[name](new Stream(toPlaceKey(name)).at(0)),
    bytes: async (name) => randomBytes(toPlaceKey(name), 0, largeFileBytes),
    async files(name) {
      const folder = join(workFolder, name)
      const made = await readdir(folder).catch(() => undefined)
      const names = made ?? (await writeFiles(folder, fileContents[name]()))
      return names.toSorted().map((file) => join(folder, file))
    },
  }
}

/** Writes all files or none, so that a killed task leaves no incomplete folder. */
async function writeFiles(folder: string, contents: Iterable<Buffer>): Promise<readonly string[]> {
  const unfinished = `${folder}.unfinished`
  await mkdir(unfinished, { recursive: true })
  const names: string[] = []
  for (const content of contents) {
    const name = String(names.length).padStart(3, '0')
    await writeFile(join(unfinished, name), content)
    names.push(name)
  }
  await rename(unfinished, folder)
  return names
}

/** Size of `gridfs_large.bin` in bytes. */
const largeFileBytes = 52_428_800

/** Number of files in `gridfs_multi/`, which has 262.144 MB in total. */
export const binaryFiles = 50
/** Size of a file in `gridfs_multi/` in bytes. */
export const bytesPerBinaryFile = 5_242_880

/** Random bytes, which cannot be compressed. @param file Number of the file under that key. */
export function randomBytes(key: PlaceKey, file: number, bytes: number): Buffer {
  const stream = new Stream(key).at(file)
  const words = new Uint32Array(bytes / Uint32Array.BYTES_PER_ELEMENT)
  for (let i = 0; i < words.length; i++) words[i] = stream.uint32()
  return Buffer.from(words.buffer)
}

/** Number of files in `ldjson_multi/`, which has 565 MB in total. */
export const lineFiles = 100
export const linesPerFile = 5_000
/** Bytes of a line, including its line feed. */
export const bytesPerLine = 1_130

const pairsPerLine = 12
const textBytes = 80
/** Number of texts to choose from: a new text for every place would take a minute to generate. */
const differentTexts = 4_096

/** The contents of the files of `ldjson_multi`: lines with the same keys and different texts. */
export function* lineFileContents(key: PlaceKey): Generator<Buffer> {
  const stream = new Stream(key).at(0)
  const slots = Array.from({ length: pairsPerLine }, () => `"${randomText(stream, 8)}":"${' '.repeat(textBytes)}"`)
  const line = `{${slots.join(',')}}\n`
  const places = [...line.matchAll(/ +/g)].map(({ index }) => index)
  const texts = Buffer.from(randomText(stream, differentTexts * textBytes))
  for (let file = 0; file < lineFiles; file++) {
    const content = Buffer.alloc(linesPerFile * bytesPerLine, line)
    for (let start = 0; start < content.length; start += bytesPerLine) {
      for (const place of places) {
        const text = stream.below(differentTexts) * textBytes
        texts.copy(content, start + place, text, text + textBytes)
      }
    }
    yield content
  }
}

/** `tweet.json`, 1622 bytes: a message with its author and what it mentions, as the first public interface of Twitter gave them. */
function tweetText(stream: Stream): string {
  const text = (length: number): JsonText => quoted(randomText(stream, length))
  const number = (digits: number): JsonText => randomDigits(stream, digits)
  return compactJson({
    text: text(132),
    in_reply_to_status_id: 'null',
    retweet_count: 'null',
    contributors: 'null',
    created_at: text(30),
    geo: 'null',
    source: text(36),
    coordinates: 'null',
    in_reply_to_screen_name: 'null',
    truncated: 'false',
    entities: {
      user_mentions: `[${compactJson({ indices: '[3,19]', screen_name: text(15), id: number(8), name: text(14) })}]`,
      urls: '[]',
      hashtags: '[]',
    },
    retweeted: 'false',
    place: 'null',
    user: user(text, number),
    favorited: 'false',
    in_reply_to_user_id: 'null',
    id: number(15),
  })
}

function user(text: (length: number) => JsonText, number: (digits: number) => JsonText): JsonText {
  return {
    friends_count: number(3),
    profile_sidebar_fill_color: text(6),
    location: text(19),
    verified: 'false',
    follow_request_sent: 'null',
    favourites_count: number(2),
    profile_sidebar_border_color: text(6),
    profile_image_url: text(70),
    geo_enabled: 'false',
    created_at: text(30),
    description: text(40),
    time_zone: text(12),
    url: 'null',
    screen_name: text(12),
    notifications: 'null',
    profile_background_color: text(6),
    listed_count: number(1),
    lang: text(2),
    profile_background_image_url: text(60),
    statuses_count: number(4),
    following: 'null',
    profile_text_color: text(6),
    protected: 'false',
    show_all_inline_media: 'false',
    profile_background_tile: 'false',
    name: text(16),
    contributors_enabled: 'false',
    profile_link_color: text(6),
    followers_count: number(3),
    profile_use_background_image: 'true',
    id: number(9),
    utc_offset: number(5),
  }
}
