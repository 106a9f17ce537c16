import {
  Binary,
  BSONRegExp,
  BSONSymbol,
  Code,
  DBRef,
  Decimal128,
  Double,
  Int32,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp,
  UUID,
} from 'bson'
import * as fc from 'fast-check'

const bytes = (length: number): fc.Arbitrary<Buffer> =>
  fc.uint8Array({ minLength: length, maxLength: length }).map((given) => Buffer.from(given))

/** Lone surrogates among them, and texts that are too long to be written letter by letter. */
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'binary-ascii', maxLength: 70 }),
  fc.string({ unit: 'grapheme', maxLength: 70 }),
  fc.array(fc.constantFrom('a', 'é', '\ud83d', '\ude42', '\uffff'), { maxLength: 40 }).map((all) => all.join('')),
  fc.constant('long '.repeat(20_000)),
)

const withoutZero = text.map((given) => given.replaceAll('\0', ''))
const key = withoutZero.filter((name) => name !== '__proto__' && name !== '_bsontype' && name !== 'toBSON')

const numbers = fc.oneof(
  fc.integer(),
  fc.double(),
  fc.constantFrom(0, -0, NaN, Infinity, -Infinity, 2 ** 31, -(2 ** 31), -(2 ** 31) - 1, 2 ** 53, Number.MIN_VALUE),
)

const binary = fc
  .tuple(fc.uint8Array({ maxLength: 40 }), fc.constantFrom(0, 1, 2, 3, 4, 5, 6, 7, 8, 128, 255))
  .map(([given, subtype]) => new Binary(given, subtype))

const scalar = fc.oneof(
  numbers,
  numbers.map((value) => new Double(value)),
  fc.integer().map((value) => new Int32(value)),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((value) => Long.fromBigInt(value)),
  bytes(16).map((given) => new Decimal128(given)),
  fc.date({ noInvalidDate: true }),
  fc.integer({ min: -5000, max: 5000 }).map((ms) => new Date(ms)),
  bytes(12).map((given) => new ObjectId(given)),
  bytes(16).map((given) => new UUID(given)),
  binary,
  text,
  fc.boolean(),
  fc.constantFrom(null, undefined, new MinKey(), new MaxKey(), /a.é/imsu, /x/g),
  withoutZero.map((pattern) => new BSONRegExp(pattern, 'im')),
  text.map((value) => new BSONSymbol(value)),
  text.map((code) => new Code(code)),
  fc.tuple(fc.nat(), fc.nat()).map(([t, i]) => new Timestamp({ t, i })),
)

const { value, object } = fc.letrec<{ value: unknown; object: object; list: unknown[]; rare: object }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', maxDepth: 4 },
    { weight: 6, arbitrary: scalar },
    tie('object'),
    tie('list'),
    tie('rare'),
  ),
  object: fc.dictionary(key, tie('value'), { maxKeys: 5 }),
  list: fc.array(tie('value'), { maxLength: 12 }),
  rare: fc.oneof(
    fc.tuple(text, tie('object')).map(([code, scope]) => new Code(code, scope)),
    fc.tuple(key, bytes(12)).map(([collection, id]) => new DBRef(collection, new ObjectId(id))),
  ),
}))

/** A value of any BSON type. */
export const bsonValues: fc.Arbitrary<unknown> = value

/** A document with values of any BSON type. */
export const bsonDocuments: fc.Arbitrary<object> = object
